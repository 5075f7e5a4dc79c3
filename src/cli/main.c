/* The command line's entry: a table of subcommands. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/fatal_signal.h"
#include "base/language.h"
#include "base/library_path.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/command.h"
#include "judge/judge.h"
#include "kernels/kernel.h"
#include "version.h"

static const struct command commands[] = {
    {"devices", N_("what runs here, its properties, and why the rest does not"), cmd_devices},
    {"list", N_("kernels, their ladders and each rung's idea"), cmd_list},
    {"bench", N_("verify and time a ladder: time, rate, % of the limit, speed-up"), cmd_bench},
    {"try", N_("judge a kernel of your own, and show its place on the ladder"), cmd_try},
    {"check", N_("verify every rung on the sizes where rungs go wrong, without timing"), cmd_check},
    {"ceilings", N_("what each device can do at most: arithmetic, caches, memory"), cmd_ceilings},
    {"roofline", N_("the kept ceilings as lines, every rung that was measured as a point"), cmd_roofline},
    {"explain", N_("what a rung does: code, memory, occupancy; how long it should take"), cmd_explain},
    {"architectures", N_("what GPUs are made of, by compute capability; their peaks and balances"), cmd_architectures},
    {"sweep", N_("time one rung over values of its parameters: table and heat map"), cmd_sweep},
    {"bandwidth", N_("how fast data travels between host and device, and within the device"), cmd_bandwidth},
    {"overlap", N_("a job in parts on several queues: copies and computing at the same time"), cmd_overlap},
    {"lab", N_("every ladder, its sizes and its limits on this machine, and the report"), cmd_lab},
    {"report", N_("what was measured here as one HTML file with charts"), cmd_report},
    {"history", N_("what was measured: the runs, and the rungs' medians over time"), cmd_history},
    {"compare", N_("two runs or machines: faster, slower, or cannot tell"), cmd_compare},
    {"export", N_("write measurements as JSON lines, for another machine"), cmd_export},
    {"import", N_("take such lines into the store"), cmd_import},
    {"reproduce", N_("a publication's protocol on this machine, its tables beside today's"), cmd_reproduce},
    {"transpose", N_("transpose the matrix in a .npy file"), cmd_transpose},
    {"dot", N_("the dot product of the user's own .npy vectors"), cmd_dot},
    {"matmul", N_("the product of the matrices in two .npy files"), cmd_matmul},
    {"sort", N_("sort the numbers in a .npy file"), cmd_sort},
    {"resize", N_("resize the picture in a PNG file"), cmd_resize},
    {"wave", N_("time steps of the wave equation, to a .npy file or a picture"), cmd_wave},
};

static void print_help(FILE *stream)
{
    fputs(tr("Usage: uskor COMMAND [ARGUMENT…]\n"
             "\n"
             "Data-parallel kernels from textbook code to the limit of the hardware: how fast, how fast it "
             "could be, and why.\n"
             "\n"),
          stream);
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        fprintf(stream, "  %-13s %s\n", commands[i].name, tr(commands[i].summary));
    fputs(tr("\n"
             "'uskor COMMAND --help' tells more; --lang en or --lang ru chooses the language (default: the "
             "locale's).\n"
             "Exit codes: 0 done and verified, 1 a check failed, 2 wrong use or input, 3 nothing could run, "
             "130 Ctrl-C.\n"),
          stream);
}

static int refuse(const char *name)
{
    const char *names[COUNT_OF(commands)];
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        names[i] = commands[i].name;
    const char *closest = text_closest(name, names, COUNT_OF(commands));
    struct error error;
    if (closest)
        fail(&error, STATUS_INVALID, "there is no command '%s'; did you mean '%s'?; 'uskor --help' lists them", name,
             closest);
    else
        fail(&error, STATUS_INVALID, "there is no command '%s'; 'uskor --help' lists them", name);
    return report_error(STATUS_INVALID, &error);
}

/* Takes "--lang en" out of the arguments, wherever it stands; without it the locale decides. False when it is no
 * language of ours. */
static bool choose_language(int *argc, char **argv)
{
    enum reader_language language = language_of_environment();
    bool known = true;
    struct error error;
    language_choose(language); /* for a message about another one */
    for (int i = 1; i < *argc; i++) {
        bool joined = strncmp(argv[i], "--lang=", 7) == 0;
        if (strcmp(argv[i], "--") == 0)
            break;
        if (!joined && strcmp(argv[i], "--lang") != 0)
            continue;
        const char *name = joined ? argv[i] + 7 : argv[i + 1] ? argv[i + 1] : "";
        if (!language_parse(name, &language)) {
            fail(&error, STATUS_INVALID, "'%s' is no language that Uskor speaks; --lang en or --lang ru", name);
            report_error(STATUS_INVALID, &error);
            known = false;
        }
        int taken = joined || !argv[i + 1] ? 1 : 2;
        memmove(&argv[i], &argv[i + taken], (size_t)(*argc - i - taken + 1) * sizeof *argv);
        *argc -= taken;
        i--;
    }
    language_choose(language);
    return known;
}

/* What the report calls a kernel, and what is measured beside kernels. */
static const char *heading_of(const char *kernel)
{
    if (strcmp(kernel, "bandwidth") == 0)
        return N_("Moving data");
    if (strcmp(kernel, "overlap") == 0)
        return N_("Overlap of copies and work");
    for (size_t i = 0; kernels[i]; i++)
        if (strcmp(kernels[i]->name, kernel) == 0)
            return kernels[i]->heading;
    return NULL;
}

int main(int argc, char **argv)
{
    judge_main(argc, argv);
    library_path_clean(argv);
    language_kernels(heading_of);
    if (!choose_language(&argc, argv))
        return EXIT_USE;
    fatal_signal_install(true, EXIT_WRONG);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return said_all(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("uskor %s\n", USKOR_CODE_VERSION);
        return said_all(EXIT_DONE);
    }
    argp_err_exit_status = EXIT_USE;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow (ulimit -f) is an error message, not the end */
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "uskor %s", argv[1]); /* what its own messages and help call it */
            argv[1] = name;
            return said_all(commands[i].main(argc - 1, argv + 1));
        }
    return refuse(argv[1]);
}
