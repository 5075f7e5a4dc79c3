#include "cli/commands/bandwidths.h"

enum status measure_bandwidth(struct bench_session *session, struct device *device, struct bandwidth_options how,
                              struct error *error)
{
    how.progress = progress_show;
    how.progress_context = &session->progress;
    how.finished = bench_session_keep;
    how.finished_context = session;
    return lab_bandwidth(device, &how, &session->list, error);
}
