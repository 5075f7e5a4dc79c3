#include "store/former_names.h"

#include <string.h>

#include "base/size.h"

static const struct {
    const char *kernel, *former, *present;
} rungs[] = {
#define ROW(kernel, former, present) {kernel, former, present},
    FORMER_RUNGS(ROW)
#undef ROW
};

const char *present_rung_name(const char *kernel, const char *rung)
{
    for (size_t i = 0; i < COUNT_OF(rungs); i++)
        if (strcmp(rungs[i].former, rung) == 0 && (!kernel || strcmp(rungs[i].kernel, kernel) == 0))
            return rungs[i].present;
    return rung;
}
