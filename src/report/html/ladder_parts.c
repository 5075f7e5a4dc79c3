/* Shared by the parts of a kernel's chapter: names, titles and the devices in turn. */
#include <stdio.h>
#include <string.h>

#include "base/translation.h"
#include "report/html/chapters.h"

void for_each_device(struct page *page, const struct kernel_view *kernel,
                     void (*write)(struct page *, const struct kernel_view *, const struct ladder *))
{
    for (size_t i = 0; i < kernel->ladder_count; i++)
        if (ladder_is_first_of_device(kernel, &kernel->ladders[i]))
            write(page, kernel, kernel_representative(kernel, &kernel->ladders[i]));
}

const char *ladder_chart_name(const struct kernel_view *kernel, const struct ladder *ladder, const char *what,
                              char name[CHART_NAME_MAX])
{
    size_t variant = 1;
    for (const struct ladder *other = kernel->ladders; other < kernel->ladders + kernel->ladder_count; other++) {
        if (ladder_same_device(other, ladder))
            break;
        variant += ladder_is_first_of_device(kernel, other) &&
                   strcmp(ladder_of(other)->device, ladder_of(ladder)->device) == 0;
    }
    if (variant > 1)
        snprintf(name, CHART_NAME_MAX, "%s/%s/%s/%zu", kernel->name, what, ladder_of(ladder)->device, variant);
    else
        snprintf(name, CHART_NAME_MAX, "%s/%s/%s", kernel->name, what, ladder_of(ladder)->device);
    return name;
}

const char *ladder_device_title(const struct ladder *ladder, char *text, size_t size)
{
    const struct measurement *of = ladder_of(ladder);
    char threads[64] = "";
    if (of->threads)
        snprintf(threads, sizeof threads, tr_plural("%u thread", "%u threads", of->threads), of->threads);
    snprintf(text, size, "%s — %s%s%s", of->device, of->device_name, *threads ? ", " : "", threads);
    return text;
}
