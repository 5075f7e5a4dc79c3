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
    const char *times = ratio.is_void ? tr("—, too noisy") : figure_times(ratio.value).text;
    if (ladder->fastest == ladder->vendor)
        snprintf(text, size, tr("ours: %s %s"), ladder->own->measurement->rung, times);
    else
        snprintf(text, size, "%s %s", times, ladder->vendor->measurement->rung);
    return text;
}
