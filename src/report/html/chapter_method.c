/* How the figures were made, and what each of them means. */
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"

void chapter_method(struct page *page, const struct report *report)
{
    static const char *const paragraphs[][2] = {
        {N_("Verified"),
         N_("Outputs are filled with poison and fenced before a run, inputs are random and asymmetric. "
            "Every element is compared with a reference (or judged by a property that has no false "
            "answers), before the timing and after it. The tolerance follows from the kernel and the data. "
            "A rung that is wrong shows no time.")},
        {N_("Time"),
         N_("Kernel time by the device's own clock, on the CPU by a monotonic one; end-to-end time, with the "
            "transfers, by the host's. Runs repeat until the median is known well enough or the time is "
            "spent; every sample is kept. Shown are the median and the quartiles: half of all samples lie "
            "between the whiskers.")},
        {N_("Rate"), N_("GB/s counts the least bytes that any answer must move: every input read once, every output "
                        "written once (1 GB = 10⁹ bytes). GFLOP/s counts the least operations: 2·M·N·K of a matrix "
                        "product. What a rung moves or computes beyond that is its own loss.")},
        {N_("% of the ceiling"),
         N_("The ceiling is a probe that only moves as many bytes in as many streams, or only does as many "
            "multiply-adds from registers. Where there are both, it is the slower one. It runs in the same "
            "rounds as the rungs. Work that fits a cache, or a library on units of another kind (tensor "
            "cores), may pass it. A rung that says that it multiplies on tensor cores is compared with "
            "those: a probe of as many products of bfloat16 as it needs.")},
        {N_("Hot and cold"),
         N_("Hot: runs follow each other over the same arrays, so that what fits a cache comes from there. "
            "Cold: caches are flushed before every run. The two are different figures and are never mixed.")},
        {N_("Rounds"),
         N_("Machines are not steady. Rungs that are compared take turns, round by round, so a drift of the "
            "machine meets all of them. A share or speed-up is the ratio of two medians; where noise makes "
            "it doubtful, it is not shown.")},
        {N_("Where the cores sat"),
         N_("Ten times a second a cache line is passed between the cores of the CPU's first two threads. On some "
            "machines, virtual ones above all, the cores are sometimes on one die and share its link to memory. On two "
            "dies memory is up to twice as fast. The latency of that exchange distinguishes the two. A warning says "
            "where it changed by a factor of two during a measurement: the median then mixes both places.")},
        {N_("Speed-up"),
         N_("In the ladder's tables: kernel time against the first rung of the CPU's ladder for the same "
            "problem. A device's transfers are not in it; the table of speed-ups has both.")},
        {N_("What is shown"),
         N_("The newest measurements of this machine, for each problem from one run as far as it goes. A kernel is "
            "shown by the problem with the most measured rungs, of equal ones the largest. The others are in its table "
            "of problems. Every sample is in the store.")},
    };
    (void)report;
    fputs("<section>\n", page->stream);
    page_heading(page, 2, "method", tr("How this was measured"));
    fputs("<dl class=\"method\">\n", page->stream);
    for (size_t i = 0; i < COUNT_OF(paragraphs); i++)
        html(page->stream, "<dt>%s</dt><dd>%s</dd>\n", tr(paragraphs[i][0]), tr(paragraphs[i][1]));
    fputs("</dl>\n</section>\n", page->stream);
}
