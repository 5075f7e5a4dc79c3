/* The plain signature of a transpose. */
#include "kernels/plain.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/transpose/transpose.h"

static const struct plain_argument arguments[] = {
    {"in", " input src source a x idata i_data matrix in_data d_in ", "in", .is_array = true},
    {"out", " output dst dest destination b y odata o_data result out_data d_out transposed ", "out", .is_array = true},
    {"rows", " height h m ny row num_rows numrows r ", "rows", .is_size = true},
    {"cols", " width w n nx columns col num_cols numcols c size dim ", "cols", .is_size = true},
    {"ld_in", " ldin ldi lda ld_src src_ld src_pitch in_pitch pitch_in ipitch src_stride in_stride stride_in ", "cols",
     .by_name = true},
    {"ld_out", " ldout ldo ldb ld_dst dst_ld dst_pitch out_pitch pitch_out opitch dst_stride out_stride stride_out ",
     "rows", .by_name = true},
};

static void call(struct run *run, void (*function)(void))
{
    ((void (*)(const void *, void *, long, long))function)(run->buffers[0].host, run->buffers[1].host,
                                                           (long)problem_size(run->problem, "rows"),
                                                           (long)problem_size(run->problem, "cols"));
}

const struct plain_signature transpose_plain = {
    .prototype = "void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)",
    .arguments = arguments,
    .count = COUNT_OF(arguments),
    .output = 1,
    .lone_size = {"rows == cols", N_("its one size asks for a square matrix")},
    .group = "16, 16",
    .groups = "ceil(cols / 16), ceil(rows / 16)",
    .bound = "",
    .call = call,
};
