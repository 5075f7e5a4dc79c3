#include "report/model/vendor_ratio.h"

#include <stdio.h>

#include "base/translation.h"
#include "report/model/figure_text.h"
#include "report/model/figures.h"

const char *ladder_against_vendor(const struct ladder *ladder, char *text, size_t size)
{
    text[0] = 0;
    if (!ladder->own || !ladder->vendor)
        return text;
    const struct measured_ratio ratio = figures_ratio(ladder->own->measurement, ladder->vendor->measurement);
    const char *own = ladder->own->measurement->rung, *vendor = ladder->vendor->measurement->rung;
    if (ratio.is_void)
        snprintf(text, size, tr("%s: too noisy"), ladder->fastest == ladder->vendor ? own : vendor);
    else if (ladder->fastest == ladder->vendor)
        snprintf(text, size, tr("ours: %s %s"), own, figure_times(ratio.value).text);
    else
        snprintf(text, size, "%s %s", figure_times(ratio.value).text, vendor);
    return text;
}
