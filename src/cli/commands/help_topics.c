#include "cli/commands/help_topics.h"

#include "base/size.h"
#include "base/translation.h"

const struct help_topic help_topics[] = {
    {"counting", N_("what the figures of a table mean: times, bytes, ceilings, noise"),
     N_("Time: the median of all samples of a rung; ± is half the distance between their quartiles. Rungs are timed in "
        "turn, in rounds, in one process. Hot: runs follow each other over the same arrays. Cold (--cold): the caches "
        "are flushed before every run. End-to-end: from host memory to host memory, by the host's clock.\n\n"
        "Bytes: the least that an answer must move, every input read once and every output written once. GB/s: 10^9 of "
        "these bytes per second. Operations: the least that the definition of the problem needs.\n\n"
        "Ceiling: probes that move the same bytes or do the same arithmetic, timed in the same rounds; the slower one "
        "counts. A stored ceiling serves where this machine is steady and a fresh probe confirms it "
        "(docs/ceilings.md). A rung on tensor cores is compared with tensor-N, which does N multiply-adds of bfloat16 "
        "for each of the problem's; other rungs are compared with fma.\n\n"
        "Noise: a figure with too wide an interval is not shown (—, too noisy). ! marks a rung with a warning, which "
        "follows the table.\n\n"
        "Verdicts: every element of every result is checked, before and after the timing. PASS: all were right. FAIL: "
        "one was wrong. SKIP: the rung cannot run here. ERROR: it crashed, hung, or was faster than the hardware "
        "allows.\n\n"
        "Harness overhead: the time of a launch on the null device, which does nothing; the checks must find its "
        "results wrong.")},
    {"problems", N_("how a problem is written: kernel, sizes, fields, type, ranges"),
     N_("A problem is a kernel's name, followed by any non-default fields:\n\n"
        "  uskor bench transpose\n"
        "  uskor bench transpose:8k\n"
        "  uskor bench matmul:1024x512x256\n"
        "  uskor bench sort:16M,u32\n"
        "  uskor bench transpose:rows=1000,cols=2000,f64\n"
        "  uskor bench dot:n=2^10..2^24x4\n\n"
        "A size is written 1000, 4k, 16M, 1g (multiples of 1024), 1e6 or 2^20. One number serves for all sizes of a "
        "shape; "
        "otherwise they are written with x between them. A range runs over sizes: 1k..64kx4 multiplies by 4, "
        "1k..8k+512 adds 512; without either it doubles. 'uskor list KERNEL' shows a kernel's fields and types.")},
};

const size_t help_topic_count = COUNT_OF(help_topics);
