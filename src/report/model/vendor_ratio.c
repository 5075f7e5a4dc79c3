#include "report/model/vendor_ratio.h"

#include <stdio.h>

#include "base/translation.h"
#include "report/model/figure.h"
#include "store/noise.h"

const char *ladder_against_vendor(const struct ladder *ladder, char *text, size_t size)
{
    text[0] = 0;
    if (!ladder->own || !ladder->vendor)
        return text;
    const struct measured_ratio ratio = measurement_compare(ladder->own->measurement, ladder->vendor->measurement);
    const double value = ratio.value > 0 ? ratio.value : ladder->own->rate / ladder->vendor->rate;
    snprintf(text, size, "%s %s", ratio.is_void ? tr("—, too noisy") : figure_times(value).text,
             ladder->vendor->measurement->rung);
    return text;
}
