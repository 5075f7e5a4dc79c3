/* The command line's entry: a table of subcommands. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "base/child_process.h"
#include "base/fatal_signal.h"
#include "base/hang_guard.h"
#include "base/language.h"
#include "base/library_path.h"
#include "base/library_trial.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/mpi_launcher.h"
#include "base/size.h"
#include "base/status.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/help_topics.h"
#include "cli/commands/rung_source.h"
#include "cli/options/help.h"
#include "cli/options/limits.h"
#include "distributed/ranks/ranks.h"
#include "judge/judge.h"
#include "kernels/kernel.h"
#include "report/html/chapters.h"
#include "report/model/heading.h"
#include "report/terminal/cells.h"
#include "report/terminal/progress.h"
#include "version.h"

/* The program's own environment variables (docs/environment.md), where they hold one of a few words or a number. */
static bool is_instruction_set(const char *value)
{
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++)
        if (strcmp(value, cpu_isa_name((enum cpu_isa)isa)) == 0)
            return cpu_isa_has((enum cpu_isa)isa);
    return false;
}

/* Those that this processor has, each in quotes. */
static const char *instruction_sets(char text[64])
{
    text[0] = '\0';
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++)
        if (cpu_isa_has((enum cpu_isa)isa))
            text_append(text, 64, "%s'%s'", text[0] ? ", " : "", cpu_isa_name((enum cpu_isa)isa));
    return text;
}

static bool is_seconds(const char *value)
{
    double seconds;
    return text_real(value, &seconds) && seconds > 0 && seconds < 1e6;
}

static bool is_off(const char *value)
{
    return strcmp(value, "off") == 0;
}

static bool is_none(const char *value)
{
    return strcmp(value, "none") == 0;
}

/* STATUS_INVALID, in a line that names the variable and what it takes, for a value that means nothing. An empty value
 * is as good as none. */
static enum status settings_check(struct error *error)
{
    char sets[64];
    const struct {
        const char *name;
        bool (*suits)(const char *value);
        const char *taken;
    } settings[] = {
        {"USKOR_CACHE", is_off, N_("'off'")},
        {"USKOR_CANARIES", is_none, N_("'none'")},
        {"USKOR_DRIVER_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_PROGRESS_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_RANKS_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_ISA", is_instruction_set, instruction_sets(sets)},
    };
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        const char *value = getenv(settings[i].name);
        if (value && *value && !settings[i].suits(value))
            return fail(error, STATUS_INVALID, "the environment has %s='%s'; it takes %s, or is not set",
                        settings[i].name, value, settings[i].taken);
    }
    if (getenv("USKOR_RANKS_SECONDS"))
        hang_guard_ranks(strtod(getenv("USKOR_RANKS_SECONDS"), NULL));
    return STATUS_OK;
}

/* Standard input, output and error of a program that was started without some of them (">&-"). */

/* Occupies those of the descriptors 0 to 2 that are closed, so that no file that is opened later takes their place:
 * what is printed would go into it. Reading and writing there fail with EBADF, as before. To be called first. */
static void standard_streams_occupy(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) /* takes the lowest one: this */
            return;
}

#define TOPICS_MOST 16

static const struct command commands[] = {
    {"devices", N_("devices, their properties, and why others are missing"), cmd_devices},
    {"doctor", N_("versions, libraries, limits, caches, noise, walls: for a bug report"), cmd_doctor},
    {"list", N_("kernels, their ladders, and each rung's idea"), cmd_list},
    {"show", N_("the source of a rung: uskor show transpose:tiled"), cmd_show},
    {"bench", N_("verify and time a ladder: time, rate, share of the ceiling"), cmd_bench},
    {"try", N_("judge a kernel of your own, and show its place on the ladder"), cmd_try},
    {"exercise", N_("exercises for a course: text, skeleton, what counts"), cmd_exercise},
    {"grade", N_("judge many students' files, unattended: grades and a ranking"), cmd_grade},
    {"check", N_("verify every rung at sizes prone to errors, without timing"), cmd_check},
    {"ceilings", N_("peak capabilities of each device: arithmetic, caches, memory"), cmd_ceilings},
    {"roofline", N_("stored ceilings as lines, each measured rung as a point"), cmd_roofline},
    {"explain", N_("a rung's code, memory traffic, occupancy and predicted time"), cmd_explain},
    {"effect", N_("one effect of the hardware at a time: small kernels, charts"), cmd_effect},
    {"architectures", N_("GPU architectures by compute capability: units, peaks, balance"), cmd_architectures},
    {"sweep", N_("time one rung over parameter values: table and heat map"), cmd_sweep},
    {"bandwidth", N_("copy rates between host and device, and within the device"), cmd_bandwidth},
    {"overlap", N_("a job in parts on several queues: copies overlap with work"), cmd_overlap},
    {"lab", N_("every ladder, size and ceiling on this machine, and the report"), cmd_lab},
    {"report", N_("the measurements of this machine as an HTML file with charts"), cmd_report},
    {"tune", N_("measure which rung suits which problem on this machine"), cmd_tune},
    {"tuned", N_("the rung that would run a problem, on each device"), cmd_tuned},
    {"history", N_("stored runs, and the rungs' medians over time"), cmd_history},
    {"compare", N_("two runs or machines: faster, slower, or cannot tell"), cmd_compare},
    {"export", N_("write measurements as JSON lines, for another machine"), cmd_export},
    {"import", N_("read such lines into the store"), cmd_import},
    {"reproduce", N_("a publication's protocol on this machine, beside its tables"), cmd_reproduce},
    {"transpose", N_("transpose the matrix in a .npy file"), cmd_transpose},
    {"dot", N_("the dot product of two .npy vectors"), cmd_dot},
    {"matmul", N_("the product of the matrices in two .npy files"), cmd_matmul},
    {"sort", N_("sort the numbers in a .npy file"), cmd_sort},
    {"resize", N_("resize the picture in a PNG file"), cmd_resize},
    {"wave", N_("time steps of the wave equation, to a .npy file or a picture"), cmd_wave},
};

#define SUMMARY_COLUMN 16
#define HELP_WIDTH_MOST 80

static int help_width(FILE *stream)
{
    int width = style_for(stream).width;
    return width < HELP_WIDTH_MOST ? width : HELP_WIDTH_MOST;
}

static void print_summary(FILE *stream, const char *name, const char *summary)
{
    fprintf(stream, "  %-13s ", name);
    columns_wrapped(stream, tr(summary), SUMMARY_COLUMN, SUMMARY_COLUMN, help_width(stream));
}

static void print_help(FILE *stream)
{
    const int width = help_width(stream);
    fprintf(stream, "%s\n", tr("Usage: uskor COMMAND [ARGUMENT…]"));
    help_text(
        stream,
        tr("Data-parallel kernels from textbook code to the limit of the hardware: how fast, how fast it could be, "
           "and why."),
        width);
    fputc('\n', stream);
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        print_summary(stream, commands[i].name, commands[i].summary);
    fprintf(stream, "\n%s\n", tr("More help, by 'uskor help TOPIC':"));
    for (size_t i = 0; i < help_topic_count; i++)
        print_summary(stream, help_topics[i].name, help_topics[i].summary);
    help_text(
        stream,
        tr("'uskor help COMMAND' shows a command's options; --lang en or --lang ru chooses the language (default: "
           "the locale's).\n\n"
           "Exit codes: 0 done and verified, 1 a check failed, 2 wrong use or input, 3 nothing could run, 130 "
           "Ctrl-C."),
        width);
}

static enum status refuse_name(const char *name, bool has_topics, struct error *error)
{
    const char *names[COUNT_OF(commands) + TOPICS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        names[count++] = commands[i].name;
    for (size_t i = 0; has_topics && i < help_topic_count && i < TOPICS_MOST; i++)
        names[count++] = help_topics[i].name;
    const char *closest = text_closest(name, names, count);
    if (has_topics && closest)
        return fail(error, STATUS_INVALID, "there is no help on '%s'; did you mean '%s'?; 'uskor help' lists it", name,
                    closest);
    if (has_topics)
        return fail(error, STATUS_INVALID, "there is no help on '%s'; 'uskor help' lists what there is", name);
    if (closest)
        return fail(error, STATUS_INVALID, "there is no command '%s'; did you mean '%s'?; 'uskor --help' lists them",
                    name, closest);
    return fail(error, STATUS_INVALID, "there is no command '%s'; 'uskor --help' lists them", name);
}

static int refuse(const char *name, bool has_topics)
{
    struct error error;
    return report_error(refuse_name(name, has_topics, &error), &error);
}

/* Of all others as many processes would do the same work, and write the same files. */
static bool is_for_ranks(const struct command *command)
{
    static const char *const names[] = {"bench", "transpose", "sort", "matmul",
                                        "dot",   "devices",   "list", "architectures"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], command->name) == 0)
            return true;
    return false;
}

static int refuse_ranks(const struct command *command)
{
    struct error error;
    return report_error_of_ranks(
        fail(&error, STATUS_INVALID,
             "%s is not for several ranks (bench, transpose, sort, matmul and dot are): start it alone", command->name),
        &error);
}

static const struct command *command_by_name(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* Its own messages and help call it "uskor sort". */
static int run_command(const struct command *command, int argc, char **argv)
{
    char shown[64];
    snprintf(shown, sizeof shown, "uskor %s", command->name);
    argv[0] = shown;
    return said_all(command->main(argc, argv));
}

/* uskor help: the commands and topics; uskor help NAME: one of them. */
static int help(int argc, char **argv)
{
    struct error error;
    if (argc < 2) {
        print_help(stdout);
        return said_all(EXIT_DONE);
    }
    if (argc > 2)
        return report_error(fail(&error, STATUS_INVALID, "help on one thing at a time; '%s' is another", argv[2]),
                            &error);
    const struct command *command = command_by_name(argv[1]);
    if (command) {
        char option[] = "--help", *arguments[] = {NULL, option, NULL};
        return run_command(command, 2, arguments);
    }
    for (size_t i = 0; i < help_topic_count; i++)
        if (strcmp(argv[1], help_topics[i].name) == 0) {
            help_text(stdout, tr(help_topics[i].text), help_width(stdout));
            return said_all(EXIT_DONE);
        }
    return refuse(argv[1], true);
}

/* Removes `option` ("--lang") with its value from the arguments, at any place before "--"; NULL: it is not there, the
 * last one counts. */
static const char *take_option(int *argc, char **argv, const char *option)
{
    const char *value = NULL;
    const size_t length = strlen(option);
    for (int i = 1; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        bool joined = strncmp(argv[i], option, length) == 0 && argv[i][length] == '=';
        if (!joined && strcmp(argv[i], option) != 0)
            continue;
        value = joined ? argv[i] + length + 1 : argv[i + 1] ? argv[i + 1] : "";
        int taken = joined || !argv[i + 1] ? 1 : 2;
        memmove(&argv[i], &argv[i + taken], (size_t)(*argc - i - taken + 1) * sizeof *argv);
        *argc -= taken;
        i--;
    }
    return value;
}

/* Without --lang the locale decides; without --color, what the output is. False for an unknown one. */
static bool choose_form(int *argc, char **argv)
{
    struct error error;
    enum reader_language language = language_of_environment();
    const char *name = take_option(argc, argv, "--lang"), *colour = take_option(argc, argv, "--color");
    bool known = !name || language_parse(name, &language), is_colour = !colour || style_choose_colour(colour);
    language_choose(language);
    if (!known)
        report_error(
            STATUS_INVALID,
            (fail(&error, STATUS_INVALID, "'%s' is not a language of Uskor; --lang en or --lang ru", name), &error));
    if (!is_colour)
        report_error(
            STATUS_INVALID,
            (fail(&error, STATUS_INVALID, "--color takes auto, always or never; this is '%s'", colour), &error));
    return known && is_colour;
}

/* The report's heading of a kernel, or of a measurement that is not a kernel. */
static const char *heading_of(const char *kernel)
{
    if (strcmp(kernel, "bandwidth") == 0)
        return N_("Moving data");
    if (strcmp(kernel, "peers") == 0)
        return N_("Data between devices");
    if (strcmp(kernel, "ranks") == 0)
        return N_("Over ranks");
    if (strcmp(kernel, "overlap") == 0)
        return N_("Overlap of copies and work");
    for (size_t i = 0; kernels[i]; i++)
        if (strcmp(kernels[i]->name, kernel) == 0)
            return kernels[i]->heading;
    return NULL;
}

/* The heading of a problem's canonical text (report/model/heading.h). Jobs of several parts have their form before it:
 * "overlap:transpose:rows=…", "memory:…". */
static const char *title_of(const char *text, char *title, size_t size)
{
    static const char *const forms[] = {"overlap", "memory", "ranks"};
    struct problem problem;
    char heading[PROBLEM_TEXT_MAX];
    const char *form = NULL;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (strncmp(text, forms[i], strlen(forms[i])) == 0 && text[strlen(forms[i])] == ':')
            form = forms[i];
    if (problem_parse(form ? text + strlen(form) + 1 : text, &problem, NULL) != STATUS_OK)
        return NULL;
    snprintf(title, size, "%s%s%s", form ? form : "", form ? ": " : "", problem_heading(&problem, heading));
    return title;
}

/* What the program makes it can use, whatever the umask: folders to work in, files for a compiler, its store. */
static void keep_own_access(void)
{
    const mode_t mask = umask(0);
    umask(mask & ~(mode_t)S_IRWXU);
}

/* Where the parent ignored the signal of a child's end, no wait would learn how a compiler or a child ended. */
static void keep_ends_of_children(void)
{
    signal(SIGCHLD, SIG_DFL);
}

static int run_program(int argc, char **argv)
{
    standard_streams_occupy();
    keep_own_access();
    keep_ends_of_children();
    signal(
        SIGXFSZ,
        SIG_IGN); /* a file that may not grow (ulimit -f) is an error message, not the end; LLVM's OpenMP makes one */
    threads_keep_teams_whole();
    unsetenv("POSIXLY_CORRECT"); /* getopt's: options may follow arguments, as every help shows */
    memory_spare_addresses();
    judge_main(argc, argv);
    library_path_clean(argv);
    language_kernels(heading_of);
    headings_from(title_of);
    sources_from(rung_source_by_name);
    if (!choose_form(&argc, argv))
        return EXIT_USE;
    fatal_signal_install(true, EXIT_WRONG);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(1, argv);
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        printf("uskor %s\n", USKOR_CODE_VERSION);
        return said_all(EXIT_DONE);
    }
    const struct command *command = command_by_name(argv[1]);
    struct error error;
    enum status status = command ? settings_check(&error) : STATUS_OK;
    if (command && status == STATUS_OK)
        status = limits_check(&error);
    if (status != STATUS_OK)
        return report_error(status, &error);
    if (command && mpi_launcher_count(NULL) > 1 && !is_for_ranks(command))
        return refuse_ranks(command);
    hang_guard_start(EXIT_WRONG, progress_tick);
    hang_guard_jobs(JOB_PATIENCE * trial_patience());
    return command ? run_command(command, argc - 1, argv + 1) : refuse(argv[1], false);
}

#ifdef USKOR_SANITIZED
#include <sanitizer/lsan_interface.h>
#pragma weak __lsan_do_leak_check
static void report_leaks(void)
{
    if (__lsan_do_leak_check)
        __lsan_do_leak_check();
}
#else
static void report_leaks(void)
{
}
#endif

#ifndef USKOR_SANITIZED
/* The loader finds the program's functions before the C library's: no driver ends the program unnamed, with its own
 * code. */
__attribute__((visibility("default"))) void _exit(int status)
{
    fatal_signal_exit(status);
}

__attribute__((visibility("default"))) void _Exit(int status)
{
    fatal_signal_exit(status);
}

__attribute__((visibility("default"))) void abort(void)
{
    fatal_signal_abort();
}
#endif

/* What drivers and vendors' libraries do when a process ends may crash or hang it: all that it had to say and to keep
 * is written by then, and its exit code stands. */
int main(int argc, char **argv)
{
    limits_check_first(EXIT_USE);
    const int code = run_program(argc, argv);
    fflush(NULL);
    report_leaks();
    child_end_strays(); /* a driver's process would keep the program's output open */
    temporary_folder_remove_all();
    ranks_leave(code);
    fatal_signal_leave(code);
}
