#include "lab/verification/process_state.h"

#include "backends/trial.h"
#include "base/child_files.h"
#include "base/child_process.h"
#include "lab/verification/process_parts.h"

static struct {
    bool is_planted;
    bool had_children; /* a driver's child processes, from before the first rung */
} noted;

static void note_own(void)
{
    process_signals_note();
    process_openmp_note();
    process_names_note();
    process_threads_note();
}

void process_state_note(void)
{
    if (!noted.is_planted)
        child_files_plant();
    noted.is_planted = true;
    noted.had_children = child_has_children();
    child_files_note();
    note_own();
}

static enum status compare_own(struct error *error)
{
    enum status status = process_signals_compare(error);
    if (process_openmp_compare(error) != STATUS_OK)
        status = STATUS_FAILED;
    if (process_names_compare(error) != STATUS_OK)
        status = STATUS_FAILED;
    if (process_threads_compare(error) != STATUS_OK)
        status = STATUS_FAILED;
    return status;
}

enum status process_state_check(bool is_ours, struct error *error)
{
    const bool is_alone = is_ours && !backend_driver_is_loaded();
    enum status status = is_alone ? compare_own(error) : STATUS_OK;
    if (!child_files_are_kept()) {
        child_needs_channel();
        child_files_close_strange();
        noted.is_planted = false;
        status = fail(error, STATUS_SYSTEM, "closed files that are not its own");
    } else if (is_alone && !child_files_are_closed()) {
        status = fail(error, STATUS_FAILED, "left a file open");
    }
    if (!noted.had_children && child_has_children()) {
        child_end_strays();
        status = fail(error, STATUS_SYSTEM, "left a process of its own behind");
    }
    if (!is_alone || status != STATUS_OK)
        process_state_note();
    return status;
}
