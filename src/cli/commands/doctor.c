/* uskor doctor: what a bug report needs to know of this machine, as one paste. */
#include <glob.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/trial.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/processors.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/options/store_options.h"
#include "kernels/kernel.h"
#include "lab/bench/background_load.h"
#include "report/export/json.h"
#include "report/model/figure_text.h"
#include "report/terminal/cells.h"
#include "store/ceiling.h"
#include "version.h"
#include "walls/standing.h"

#define TITLE_WIDTH 28
#define NARROW 72 /* columns: values have lines of their own */
#define NOISE_SECONDS 1.0
#define VALUE_BYTES 600

/* Where findings go: lines for people, or an array for programs. */
struct sheet {
    json_t *array; /* NULL: for people */
    const char *group;
};

static void begin(struct sheet *sheet, const char *group)
{
    sheet->group = group;
    if (!sheet->array)
        printf("%s%s\n", strcmp(group, N_("program")) == 0 ? "" : "\n", tr(group));
}

/* `title` is English where it is to be translated; `value` is as it is shown, empty for what the system does not tell.
 */
static void add(struct sheet *sheet, const char *title, const char *value)
{
    const int width = style_for(stdout).width;
    if (sheet->array) {
        json_array_append_new(sheet->array,
                              json_pack("{s:s, s:s, s:s}", "group", sheet->group, "title", title, "value", value));
        return;
    }
    const int column = width < NARROW ? 4 : TITLE_WIDTH + 3, after = 2 + column_width(tr(title));
    printf("  %s%s%*s", tr(title), after < column ? "" : "\n", after < column ? column - after : column, "");
    columns_wrapped(stdout, *value ? value : "—", column, column, width);
}

/* The first line of a file, empty where it cannot be read; returns `text`. */
static const char *first_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    text[0] = 0;
    if (file && !fgets(text, (int)size, file))
        text[0] = 0;
    if (file)
        fclose(file);
    text[strcspn(text, "\n")] = 0;
    return text;
}

/* The different first lines of all files that match, parted by commas; returns `text`. */
static const char *lines_of(const char *pattern, char *text, size_t size)
{
    glob_t found;
    char line[256], last[256] = "";
    text[0] = 0;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (*first_line(found.gl_pathv[i], line, sizeof line) && strcmp(line, last) != 0) {
                text_append(text, size, "%s%s", *text ? ", " : "", line);
                snprintf(last, sizeof last, "%s", line);
            }
    globfree(&found);
    return text;
}

#ifdef __clang__
#define COMPILER "" /* it names itself */
#else
#define COMPILER "gcc "
#endif

static void show_program(struct sheet *sheet)
{
    char value[VALUE_BYTES], line[256] = "";
    struct utsname system;
    begin(sheet, N_("program"));
    add(sheet, N_("uskor"), USKOR_CODE_VERSION);
    add(sheet, N_("compiler"), COMPILER __VERSION__);
    FILE *file = fopen("/etc/os-release", "re");
    while (file && fgets(line, sizeof line, file) && strncmp(line, "PRETTY_NAME=", 12) != 0)
        line[0] = 0;
    if (file)
        fclose(file);
    char *name = line + (*line ? strlen("PRETTY_NAME=") + (line[12] == '"') : 0);
    name[strcspn(name, "\"\n")] = 0;
    add(sheet, N_("system"), name);
    if (uname(&system) == 0) {
        snprintf(value, sizeof value, "%s %s %s, glibc %s", system.sysname, system.release, system.machine,
                 gnu_get_libc_version());
        add(sheet, N_("operating system's kernel"), value);
    }
}

static void show_devices(struct sheet *sheet)
{
    begin(sheet, N_("devices"));
    for (size_t b = 0; backends[b]; b++) {
        int count = 0;
        struct error why;
        if (backends[b]->kind == BACKEND_NULL)
            continue;
        if (backend_probe(backends[b], &count, &why) != STATUS_OK)
            add(sheet, backends[b]->name, say_message(why.text));
        for (int i = 0; i < count; i++) {
            char name[32], value[VALUE_BYTES];
            struct device *device;
            snprintf(name, sizeof name, backends[b]->kind == BACKEND_CPU ? "%s" : "%s:%d", backends[b]->name, i);
            if (device_open(name, &device, &why) != STATUS_OK) {
                add(sheet, name, say_message(why.text));
                continue;
            }
            snprintf(value, sizeof value, "%s; %s %s", device->properties.name, device->properties.driver,
                     device->properties.version);
            add(sheet, name, value);
            device_close(device);
        }
    }
}

/* Each library once: a vendor's rungs on its kernel's default problem, with the reason where one cannot run. */
static void show_library(struct sheet *sheet, const struct rung *rung, const struct kernel *kernel,
                         const struct device *cpu)
{
    struct problem problem;
    char reason[256] = "", title[96], value[VALUE_BYTES];
    struct parameters parameters = {0};
    if (!(rung->backends & BACKEND_CPU) || problem_parse(kernel->bench, &problem, NULL) != STATUS_OK)
        return;
    snprintf(title, sizeof title, "%s:%s", kernel->name, rung->name);
    bool refuses = rung_refuses(rung, &problem, cpu, &parameters, reason, sizeof reason) != NULL;
    snprintf(value, sizeof value, "%s", refuses ? say_message(reason) : tr("is here"));
    value[refuses ? strcspn(value, "(") : strlen(value)] = 0; /* without the paths that were tried */
    add(sheet, title, value);
}

static void show_libraries(struct sheet *sheet)
{
    struct device *cpu;
    begin(sheet, N_("libraries"));
    if (device_open("cpu", &cpu, NULL) != STATUS_OK)
        return;
    for (size_t k = 0; kernels[k]; k++) {
        const struct rung *const *rungs;
        size_t count = 0;
        if (kernel_rungs(kernels[k], &rungs, &count, NULL) != STATUS_OK)
            count = 0;
        for (size_t r = 0; r < count; r++)
            if (rungs[r]->kind == RUNG_VENDOR)
                show_library(sheet, rungs[r], kernels[k], cpu);
    }
    device_close(cpu);
}

static void show_bindings(struct sheet *sheet)
{
    static const char *const names[] = {"OMP_NUM_THREADS", "OMP_PROC_BIND",   "OMP_PLACES", "OMP_THREAD_LIMIT",
                                        "OMP_WAIT_POLICY", "LD_LIBRARY_PATH", "LD_PRELOAD", "CUDA_VISIBLE_DEVICES"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (getenv(names[i]))
            add(sheet, names[i], getenv(names[i]));
}

static void show_processor(struct sheet *sheet)
{
    char value[VALUE_BYTES];
    const double quota = processors_quota("");
    const struct processors_stops stops = processors_stopped("");
    begin(sheet, N_("processor"));
    snprintf(value, sizeof value, tr("%ld, of which this process may use %zu"), sysconf(_SC_NPROCESSORS_ONLN),
             processors_available());
    add(sheet, N_("cores"), value);
    if (isfinite(quota))
        snprintf(value, sizeof value, tr("%s processors; stopped %ld times, for %s"), figure_number(quota).text,
                 (long)stops.periods, figure_duration((double)stops.nanoseconds).text);
    add(sheet, N_("quota of control groups"), isfinite(quota) ? value : tr("none"));
    add(sheet, N_("threads bound by OpenMP"), processors_are_bound() ? tr("yes") : tr("no"));
    add(sheet, N_("governor"), lines_of("/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", value, sizeof value));
    add(sheet, N_("frequency driver"),
        lines_of("/sys/devices/system/cpu/cpu*/cpufreq/scaling_driver", value, sizeof value));
    add(sheet, N_("thermal throttling, times"),
        lines_of("/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count", value, sizeof value));
    add(sheet, N_("SMT"), lines_of("/sys/devices/system/cpu/smt/control", value, sizeof value));
    add(sheet, N_("transparent huge pages"),
        lines_of("/sys/kernel/mm/transparent_hugepage/enabled", value, sizeof value));
    add(sheet, N_("perf_event_paranoid"), lines_of("/proc/sys/kernel/perf_event_paranoid", value, sizeof value));
    add(sheet, N_("memory limit"), lines_of("/sys/fs/cgroup/memory.max", value, sizeof value));
    show_bindings(sheet);
}

static void show_advertised(struct sheet *sheet)
{
    for (int index = 0; index < 8; index++) {
        char path[128], level[32], type[32], size[32], shared[128], value[VALUE_BYTES];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
        if (!*first_line(path, level, sizeof level))
            return;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
        first_line(path, type, sizeof type);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        first_line(path, size, sizeof size);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/shared_cpu_list", index);
        first_line(path, shared, sizeof shared);
        snprintf(path, sizeof path, "L%s %s", level, type);
        snprintf(value, sizeof value, tr("%s, of processors %s"), size, shared);
        add(sheet, path, value);
    }
}

/* Of the store: what `uskor ceilings` has measured of the CPU. */
static void show_measured(struct sheet *sheet)
{
    struct store *store;
    struct ceiling_list list = {0};
    size_t shown = 0;
    if (store_read(NULL, &store, NULL) == STATUS_OK) {
        if (store_ceilings(store, 0, "cpu", &list, NULL) == STATUS_OK)
            for (size_t i = 0; i < list.count; i++) {
                const struct ceiling *ceiling = &list.items[i];
                const enum ceiling_kind kind = ceiling_by_name(ceiling->what);
                char title[128];
                if (kind == CEILING_KINDS || !ceiling_is_of_memory(kind))
                    continue;
                snprintf(title, sizeof title, tr("%s, threads: %u"), ceiling->what, ceiling->threads);
                add(sheet, title, figure_rate(ceiling->rate, ceiling_info(kind)->unit).text);
                shown++;
            }
        ceiling_list_free(&list);
        store_close(store);
    }
    if (!shown)
        add(sheet, N_("measured"), tr("not yet: uskor ceilings"));
}

static void show_caches(struct sheet *sheet)
{
    begin(sheet, N_("caches and memory"));
    show_advertised(sheet);
    show_measured(sheet);
}

/* One and the same short work again and again: how far apart its times are, and what others use meanwhile. */
static void show_noise(struct sheet *sheet)
{
    char value[VALUE_BYTES];
    struct processor_times before = processor_times_now();
    volatile double sink = 1;
    double times[4096];
    size_t count = 0;
    const int64_t end = clock_now() + (int64_t)(NOISE_SECONDS * 1e9);
    struct summary summary;
    for (int64_t from = clock_now(); from < end && count < COUNT_OF(times); from = clock_now()) {
        for (int i = 0; i < 100000; i++)
            sink = sink * 1.0000001;
        times[count++] = (double)(clock_now() - from);
    }
    struct processor_times after = processor_times_now();
    begin(sheet, N_("noise"));
    if (statistics_summarise(times, count, &summary)) {
        snprintf(value, sizeof value, tr("median %s, quartiles %s … %s, slowest %s"),
                 figure_duration(summary.median).text, figure_duration(summary.quartile1).text,
                 figure_duration(summary.quartile3).text, figure_duration(summary.maximum).text);
        add(sheet, N_("the same work again"), value);
    }
    snprintf(value, sizeof value, tr("%s cores"), figure_number(background_load_between(&before, &after)).text);
    add(sheet, N_("other programs use"), value);
    add(sheet, N_("load"), lines_of("/proc/loadavg", value, sizeof value));
}

static void show_walls(struct sheet *sheet)
{
    struct wall walls[WALLS_MOST];
    const size_t count = walls_standing(walls);
    begin(sheet, N_("walls around strangers' files"));
    for (size_t i = 0; i < count; i++)
        add(sheet, walls[i].name, walls[i].stands ? tr("yes") : tr(walls[i].missing));
}

struct arguments {
    bool json;
};

static const struct option options[] = {{"json", 'j', NULL, N_("Write JSON"), SETS_FLAG(struct arguments, json)}, {0}};
static const struct usage usage = {
    .options = options,
    .doc = N_(
        "Show what a bug report needs: versions, devices, libraries, the processor's limits and bindings. Then its "
        "caches "
        "as advertised and as measured, the noise of one second, and the walls. Look at it before you send it: reasons "
        "and variables may have paths."),
};

int cmd_doctor(int argc, char **argv)
{
    static void (*const chapters[])(struct sheet *) = {show_program, show_devices, show_libraries, show_processor,
                                                       show_caches,  show_noise,   show_walls};
    struct arguments arguments = {0};
    options_parse(&usage, argc, argv, &arguments);
    struct sheet sheet = {.array = arguments.json ? json_array() : NULL};
    for (size_t i = 0; i < COUNT_OF(chapters); i++)
        chapters[i](&sheet);
    if (arguments.json) {
        (void)report_json_write(stdout, "uskor.doctor/1", json_pack("{s:o}", "findings", sheet.array));
    }
    return EXIT_DONE;
}
