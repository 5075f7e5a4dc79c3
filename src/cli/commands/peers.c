#include "cli/commands/peers.h"

#include "distributed/peer_bandwidth.h"
#include "report/terminal/peers.h"

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    report_peers(stream, &session->list, style);
}

static enum status measure(struct bench_session *session, const char *text, size_t bytes, struct error *error)
{
    struct device_group group;
    struct peer_options how = peer_defaults();
    how.bytes = bytes ? bytes : how.bytes;
    how.seconds = session->options.seconds;
    how.progress = progress_show;
    how.progress_context = &session->progress;
    how.finished = bench_session_keep;
    how.finished_context = session;
    enum status status = group_open(text, &group, error);
    if (status == STATUS_OK)
        status = peer_bandwidth(&group, &how, &session->list, error);
    group_close(&group);
    return status;
}

int run_peers(struct bench_session *session, const char *group, size_t bytes)
{
    struct error error;
    char ids[GROUP_MAX][32];
    size_t count;
    const char *text = group ? group : "cuda";
    enum status status = group_parse(text, ids, &count, &error);
    if (status == STATUS_OK) /* the session opens one of them, and not everything that there is */
        status = selection_add_device(&session->selection, ids[0], &error);
    if (status == STATUS_OK)
        status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = measure(session, text, bytes, &error);
    return bench_session_end(session, status, &error, print);
}
