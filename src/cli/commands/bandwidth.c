/* uskor bandwidth: how fast data travels between host and device, and within the device. */
#include <stdio.h>
#include <string.h>

#include "backends/pci_bus.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/bandwidths.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "distributed/peer_bandwidth.h"
#include "report/terminal/cells.h"
#include "report/terminal/report.h"

/* uskor bandwidth --peers: what devices of one host exchange. */

static void print_peers(FILE *stream, const struct bench_session *session, struct style style)
{
    report_peers(stream, &session->list, style);
}

static enum status measure_peers(struct bench_session *session, const char *text, size_t bytes, struct error *error)
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

/* The whole command from the session's start to its end: returns the exit code. `group` is what --devices says, NULL:
 * every CUDA device; `bytes` of one copy, 0: the default. */
static int run_peers(struct bench_session *session, const char *group, size_t bytes)
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
        status = measure_peers(session, text, bytes, &error);
    return bench_session_end(session, status, &error, print_peers);
}

struct arguments {
    struct bench_session session;
    struct bandwidth_options options;
    bool brief, buses, sized, peers;
    const char *group; /* of --peers */
};

static const char doc[] =
    N_("Measure how fast data travels between host and device: in each direction and in both at once, "
       "from pageable and from pinned memory. Rates within the device and the bus's theoretical rate "
       "are beside it.\n\nGB/s: 10^9 bytes per second, medians. pageable: one blocking copy after "
       "another, by the host's clock. ring: the same memory, copied by threads of the host through "
       "pinned pieces. pinned: copies enqueued one behind another, by the device's clock. both at "
       "once: the bytes of both directions, while both are busy. copy: bytes read and bytes written. "
       "read: bytes read. % of bus: of its rate in theory after the line code; on the device, of its "
       "memory's clock times its width, at the largest size, which no cache holds.\n\nEvery byte that "
       "was copied is compared, in the same run. On a device that is a processor (PoCL) every figure "
       "is that of a copy in memory. --time is 0.05 by default.");

/* "1K..1G", "4096..1Mx2", or one size. */
static bool parse_sizes(const char *text, struct bandwidth_options *sizes)
{
    char copy[64];
    int64_t from, to, factor = 4;
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    char *by = strchr(copy, 'x');
    if (by) {
        *by = 0;
        if (!text_integer(by + 1, &factor) || factor < 2 || factor > 1024)
            return false;
    }
    char *dots = strstr(copy, "..");
    if (dots)
        *dots = 0;
    if (!text_integer(copy, &from) || !text_integer(dots ? dots + 2 : copy, &to))
        return false;
    sizes->from = (size_t)from;
    sizes->to = (size_t)to;
    sizes->factor = (unsigned)factor;
    return from >= BANDWIDTH_BYTES_MIN && to >= from && to <= BANDWIDTH_BYTES_MAX;
}

static void read_sizes(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!parse_sizes(argument, &arguments->options))
        refuse_use(state, "'%s' is not FROM..TO[xFACTOR] with sizes from 64 bytes to 64G, e.g. 1K..1G or 4K..256Mx2",
                   argument);
    arguments->sized = true;
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->group && !arguments->peers)
        refuse_use(state, "--%s is for --%s", "devices", "peers");
    if (arguments->buses && arguments->session.form != FORM_TABLE)
        refuse_use(state, "--%s prints for people only: leave out --json and --csv", "buses");
}

static const struct option options[] = {
    {"sizes", 0, N_("FROM..TO[xFACTOR]"), N_("Bytes of the smallest and the largest copy (default: 1K..1Gx4)"),
     READ_BY(read_sizes)},
    {"brief", 0, NULL, N_("Four sizes, in a few seconds"), SETS_FLAG(struct arguments, brief)},
    {"buses", 0, NULL, N_("Only say what each generation of PCI Express and NVLink carries in theory"),
     SETS_FLAG(struct arguments, buses)},
    {"peers", 0, NULL,
     N_("Between the devices of this machine: every pair, one way and both ways, and all to all; --sizes: of one copy"),
     SETS_FLAG(struct arguments, peers)},
    {"devices", 0, N_("DEVICES"), N_("The devices of --peers, e.g. cuda:0..3 (default: all of CUDA's)"),
     SETS_TEXT(struct arguments, group)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .doc = doc,
    .shared = &measuring_without_rungs,
};

static enum status print_buses(FILE *stream, void *context, struct error *error)
{
    static const int lanes[] = {1, 4, 8, 16};
    struct pci_link link;
    struct nvlink nvlink;
    (void)context, (void)error;
    fputs(tr("PCI Express, GB/s in each direction after the line code\n"
             "(8b/10b; 128b/130b from 3.0; in 6.0 242 of 256 bytes are data)\n"
             "\n"
             "  "),
          stream);
    column_left(stream, tr("version"), 7);
    for (size_t l = 0; l < COUNT_OF(lanes); l++)
        fprintf(stream, "%6sx%-2d", "", lanes[l]);
    for (size_t i = 0; pci_generation(i, 1, &link); i++) {
        fprintf(stream, "\n  %-7s", link.generation);
        for (size_t l = 0; l < COUNT_OF(lanes) && pci_generation(i, lanes[l], &link); l++)
            column_number(stream, "%9.3f", link.bytes_per_second / 1e9);
    }
    fputs(tr("\n\nNVLink, GB/s in each direction\n\n  version  one link   links of a GPU\n"), stream);
    for (size_t i = 0; nvlink_generation(i, &nvlink); i++)
        fprintf(stream, "  %-7s %9.0f   %2d: %.0f (%s)\n", nvlink.generation, nvlink.bytes_per_second / 1e9,
                nvlink.links, nvlink.links * nvlink.bytes_per_second / 1e9, nvlink.carrier);
    return STATUS_OK;
}

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    report_bandwidth(stream, &session->list, style);
}

static enum status measure(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++) {
        struct device *device = session->selection.devices[d];
        struct bandwidth_options how = arguments->brief ? bandwidth_brief(device) : arguments->options;
        status = measure_bandwidth(session, device, how, error);
    }
    return status;
}

/* Columns of transfers, not of a ladder. Markdown has the same ones. */
static bool write_csv(FILE *stream, const struct bench_session *session)
{
    return report_csv(stream, &session->list);
}

int cmd_bandwidth(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->write_csv = write_csv;
    arguments.options = bandwidth_defaults();
    session->options.seconds = arguments.options.seconds;
    options_parse(&usage, argc, argv, &arguments);
    enum status status;
    if (arguments.buses) {
        status = result_write(session->output, session->force, print_buses, NULL, &error);
        return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
    }
    if (arguments.peers)
        return run_peers(session, arguments.group, arguments.sized ? arguments.options.to : 0);
    arguments.options.seconds = session->options.seconds;
    status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = measure(&arguments, &error);
    return bench_session_end(session, status, &error, print);
}
