/* The plain signature of a transpose. */
#include "kernels/plain.h"
#include "base/size.h"
#include "kernels/transpose/transpose.h"

static const struct plain_argument arguments[] = {
    {"in", " input src source a x idata i_data matrix in_data d_in ", "in", true, false, NULL, NULL},
    {"out", " output dst dest destination b y odata o_data result out_data d_out transposed ", "out", true, false, NULL,
     NULL},
    {"rows", " height h m ny row num_rows numrows r ", "rows", false, true, NULL, NULL},
    {"cols", " width w n nx columns col num_cols numcols c size dim ", "cols", false, true, NULL, NULL},
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
    .lone_size = "rows == cols, its one size asks for a square matrix",
    .group = "16, 16",
    .groups = "ceil(cols / 16), ceil(rows / 16)",
    .bound = "",
    .call = call,
};
