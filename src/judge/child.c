/* What all children of the judge begin with. */
#include <string.h>

#include "base/fatal_signal.h"
#include "base/size.h"
#include "judge/protocol.h"
#include "lab/bench/interrupt.h"
#include "lab/verification/guard_pages.h"

static bool describe(const void *address, const void *context, char *text, size_t size)
{
    return guard_pages_describe(address, guard_pages_wrote(context), text, size);
}

void judge_child_begin(bool guarded)
{
    guard_pages_allow(guarded);
    fatal_signal_describe(describe);
}

enum status judge_device(const char *id, struct device **device, struct error *error)
{
    static struct device *open[32];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(open[i]->id, id) == 0) {
            *device = open[i];
            return STATUS_OK;
        }
    if (count == COUNT_OF(open))
        return fail(error, STATUS_INVALID, "more than %d devices", (int)COUNT_OF(open));
    under_way_begin(UNDER_WAY_DRIVER, id, "", id);
    enum status status = device_open(id, device, error);
    under_way_end();
    if (status == STATUS_OK)
        open[count++] = *device;
    return status;
}

bool judge_interrupted(void *context)
{
    (void)context;
    return interrupt_requested();
}
