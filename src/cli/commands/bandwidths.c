#include "cli/commands/bandwidths.h"

enum status measure_bandwidth(struct bench_session *session, struct device *device, struct bandwidth_options how,
                              struct error *error)
{
    how.progress = bench_session_progress;
    how.finished = bench_session_keep;
    how.finished_context = session;
    return lab_bandwidth(device, &how, &session->list, error);
}
