/* The compiler joins loads of neighbouring words of shared memory into wide ones; the trace, which runs the source as
 * it is written, does not. Where a line's loads are wide in the machine code, and the trace saw them walk from word to
 * word, they are counted as wide ones. */
#include "explain/joined.h"
#include "explain/model/model.h"

/* The widest load of shared memory by this line, in bytes of an item. */
static int widest_of(const struct explain_kernel *kernel, int line)
{
    int bits = 0;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *one = &kernel->instructions[i];
        if (one->class == CODE_LOAD && one->space == CODE_SHARED && one->line == line && one->bits > bits)
            bits = one->bits;
    }
    return bits / 8;
}

static void join(struct explain_access *access, int bytes)
{
    struct explain_counts *counts = &access->counts[0];
    double words = bytes / 4.0, passes = access->joined[bytes == 16] / words;
    counts->requests /= words;
    counts->transactions = passes;
    counts->conflicts = passes > words * counts->requests ? passes - words * counts->requests : 0;
    counts->per_request = counts->requests > 0 ? passes / counts->requests : 0;
    counts->conflicts_per_request = counts->requests > 0 ? counts->conflicts / counts->requests : 0;
    access->warp_accesses /= words;
    access->bytes = (unsigned)bytes;
}

void explain_join_accesses(const struct explain_compiled *compiled, struct explain_trace *trace)
{
    for (size_t a = 0; a < trace->access_count; a++) {
        struct explain_access *access = &trace->accesses[a];
        if (access->space != EXPLAIN_SHARED || access->operation != EXPLAIN_LOAD || access->bytes != 4 ||
            2 * access->followers < access->warp_accesses || access->warp_accesses == 0)
            continue;
        int bytes = 0;
        for (size_t k = 0; k < compiled->kernel_count; k++)
            if (explain_is_access_of(access, &compiled->kernels[k]))
                bytes = widest_of(&compiled->kernels[k], access->line);
        if (bytes == 8 || bytes == 16)
            join(access, bytes);
    }
}
