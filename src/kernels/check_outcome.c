/* What a kernel's check found, as a status. */
#include "base/message.h"
#include "kernels/kernel.h"

void check_unfinished(struct check_result *result)
{
    result->passed = false;
    result->unfinished = true;
    explain(result->reason, sizeof result->reason, "no memory for the check");
}

enum status check_outcome(const struct check_result *result, struct error *error)
{
    if (result->passed)
        return STATUS_OK;
    return fail(error, result->unfinished ? STATUS_SYSTEM : STATUS_FAILED, "%s", result->reason);
}
