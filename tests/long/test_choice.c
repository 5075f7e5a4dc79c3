/* The choice on the stored lines (docs/choice.md): each line left out, the others choose, and what they choose is
 * compared with the fastest rung of the line. Then some lines at random become the user's, with times as noisy as a
 * machine's, and the choices with and without them are compared: they must not be worse. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/size.h"
#include "choice/choose_rung.h"
#include "choice/tuned.h"

#define GPU .group_items = 1024, .group_size = {1024, 1024, 64}, .has_double = true, .has_images = true, .units = 132
#define SLACK 1000.0 /* ns: a smaller difference on a GPU is none */

static struct device cpu = {.backend = &backend_cpu, .id = "cpu", .properties = {.is_cpu = true, .has_double = true}};
static struct device cuda = {
    .backend = &backend_cuda,
    .id = "cuda:0",
    .properties = {GPU, .local_bytes_per_group = 48 << 10, .local_bytes_per_group_limit = 227 << 10, .warp_items = 32}};
static struct device opencl = {
    .backend = &backend_opencl,
    .id = "opencl:0",
    .properties = {GPU, .local_bytes_per_group = 48 << 10, .local_bytes_per_group_limit = 48 << 10, .warp_items = 32}};
static struct device pocl = {.backend = &backend_opencl,
                             .id = "opencl:0",
                             .properties = {.is_cpu = true,
                                            .local_bytes_per_group = 2 << 20,
                                            .local_bytes_per_group_limit = 2 << 20,
                                            .group_items = 4096,
                                            .group_size = {4096, 4096, 4096},
                                            .has_double = true,
                                            .has_images = true,
                                            .units = 2}};

/* `name` is part of the lines' device; `user` lines become the user's. Least shares within 5 and 15 %, and the most
 * that may be worse, in per cent. */
static const struct machine {
    struct device *device;
    const char *name;
    int threads, cores, user; /* cores of the machine; 0: any */
    double within5, within15, worse;
} machines[] = {
    {&cuda, "H200", 0, 0, 93, 96, 98, 0.1},
    {&opencl, "H200", 0, 0, 60, 95, 98, 0.1},
    {&cpu, "family 25", 2, 0, 93, 91, 93, 0.1},
    {&cpu, "family 26", 2, 0, 93, 92, 94, 0.1},
    {&cpu, "Intel", 2, 2, 40, 90, 90, 0.1},
    {&cpu, "Intel", 2, 32, 40, 90, 90, 0.1},
    {&pocl, "AMD EPYC (family 25)", 0, 0, 60, 87, 92, 0.2},
    {&pocl, "AMD EPYC (family 26)", 0, 0, 60, 87, 92, 0.2},
    {&pocl, "PoCL on Intel", 0, 0, 60, 94, 97, 0.2},
};

static const char *const problems[] = {"transpose:64", "sort:n=64", "dot:n=64", "matmul:64", "resize:64", "wave:64"};
static struct random random_state;

/* The table itself: its lines are changed and put back. */
static struct tuned_entry *lines_of(const char *text, const struct device *device, size_t *count)
{
    struct problem problem;
    *count = 0;
    if (problem_parse(text, &problem, NULL) != STATUS_OK)
        return NULL;
    const struct tuned_entries entries = tuned_entries(problem.kernel, tuned_kind_of(device));
    *count = entries.count;
    return (struct tuned_entry *)(uintptr_t)entries.items;
}

static bool is_of(const struct tuned_entry *entry, const struct machine *machine)
{
    return entry->kind == tuned_kind_of(machine->device) && strstr(entry->device, machine->name) &&
           entry->threads == machine->threads && (!machine->cores || entry->cores == machine->cores);
}

static double time_of(const struct tuned_entry *entry, const struct rung *rung)
{
    for (size_t t = 0; t < entry->count; t++)
        if (strcmp(entry->times[t].rung, rung->name) == 0)
            return entry->times[t].nanoseconds;
    return 0;
}

static double fastest_of(const struct tuned_entry *entry)
{
    double fastest = INFINITY;
    for (size_t t = 0; t < entry->count; t++)
        fastest = fmin(fastest, entry->times[t].nanoseconds);
    return fastest;
}

/* What the other lines choose for the line, in its own time; without the user's if `shipped`. 0: not measured there. */
static double chosen_time(struct tuned_entry *lines, size_t count, const struct tuned_entry *line,
                          const struct machine *machine, bool shipped)
{
    struct tuned_entry *before = malloc(count * sizeof *before);
    char text[PROBLEM_TEXT_MAX], other[PROBLEM_TEXT_MAX];
    struct rung_choice choice = {0};
    struct device *device = machine->device;
    memcpy(before, lines, count * sizeof *before);
    problem_text(&line->problem, text);
    for (size_t i = 0; i < count; i++)
        if (strcmp(problem_text(&lines[i].problem, other), text) == 0 || (shipped && !lines[i].is_shipped)) {
            lines[i].kind = TUNED_KIND_COUNT;
            lines[i].is_shipped = true;
        }
    snprintf(device->properties.name, sizeof device->properties.name, "%s", line->device);
    snprintf(device->properties.version, sizeof device->properties.version, "%s", line->version);
    device->properties.cores = (uint32_t)machine->cores;
    pool_set_threads(machine->threads > 0 ? (size_t)machine->threads : 1);
    const enum status status = choose_rung(&line->problem, device, NULL, &choice, NULL);
    memcpy(lines, before, count * sizeof *before);
    free(before);
    return status == STATUS_OK ? time_of(line, choice.rung) : 0;
}

static double slack_of(const struct machine *machine)
{
    return machine->device->properties.is_cpu ? 0 : SLACK;
}

static int each_left_out(const struct machine *machine)
{
    size_t all = 0, in5 = 0, in15 = 0;
    for (size_t k = 0; k < COUNT_OF(problems); k++) {
        size_t count;
        struct tuned_entry *lines = lines_of(problems[k], machine->device, &count);
        for (size_t i = 0; i < count; i++) {
            const struct tuned_entry line = lines[i];
            const double time = is_of(&line, machine) ? chosen_time(lines, count, &line, machine, false) : 0;
            all += time > 0;
            in5 += time > 0 && time <= 1.05 * fastest_of(&line) + slack_of(machine);
            in15 += time > 0 && time <= 1.15 * fastest_of(&line) + slack_of(machine);
        }
    }
    const double within5 = 100.0 * (double)in5 / (double)all, within15 = 100.0 * (double)in15 / (double)all;
    const bool is_right = within5 >= machine->within5 && within15 >= machine->within15;
    printf("%-6s %-21s %d threads  %5zu lines  within 5 %%: %.1f  15 %%: %.1f%s\n", machine->device->id, machine->name,
           machine->threads, all, within5, within15, is_right ? "" : "  FAIL");
    return is_right ? 0 : 1;
}

/* Disturbed times are longer. */
static double noise(const struct machine *machine)
{
    const bool is_cpu = machine->device->properties.is_cpu;
    const double normal =
        sqrt(-2 * log(1 - random_double(&random_state))) * cos(6.283185307 * random_double(&random_state));
    return exp(random_double(&random_state) < 0.15 ? fabs(normal) * (is_cpu ? 0.25 : 0.05)
                                                   : normal * (is_cpu ? 0.04 : 0.015));
}

/* The lines of one kernel, some of which become the user's for a while. */
static void draw(const struct machine *machine, const char *text, double share, size_t *all, size_t *changed,
                 size_t *worse)
{
    size_t count;
    struct tuned_entry *lines = lines_of(text, machine->device, &count), *before = malloc((count + 1) * sizeof *before);
    memcpy(before, lines, count * sizeof *before);
    for (size_t i = 0; i < count; i++)
        if (is_of(&lines[i], machine) && random_double(&random_state) < share) {
            lines[i].is_shipped = false;
            for (size_t t = 0; t < lines[i].count; t++)
                lines[i].times[t].nanoseconds *= noise(machine);
        }
    for (size_t i = 0; i < count; i++) {
        const struct tuned_entry line = before[i];
        const bool is_asked = is_of(&line, machine) && lines[i].is_shipped;
        const double with = is_asked ? chosen_time(lines, count, &line, machine, false) : 0,
                     without = is_asked ? chosen_time(lines, count, &line, machine, true) : 0;
        *all += with > 0 && without > 0;
        *changed += with > 0 && without > 0 && with != without;
        *worse += without > 0 && with > 1.05 * without + slack_of(machine);
    }
    memcpy(lines, before, count * sizeof *before);
    free(before);
}

static int tuned_for_a_minute(const struct machine *machine)
{
    size_t mine = 0, all = 0, changed = 0, worse = 0;
    for (size_t k = 0; k < COUNT_OF(problems); k++) {
        size_t count;
        const struct tuned_entry *lines = lines_of(problems[k], machine->device, &count);
        for (size_t i = 0; i < count; i++)
            mine += is_of(&lines[i], machine);
    }
    for (uint32_t seed = 1; seed <= 4; seed++) {
        random_seed(&random_state, seed);
        for (size_t k = 0; k < COUNT_OF(problems); k++)
            draw(machine, problems[k], (double)machine->user / (double)mine, &all, &changed, &worse);
    }
    const bool is_right = (double)worse <= machine->worse / 100 * (double)all;
    printf("%-6s %-21s %d threads  %5zu choices with %d lines of the user's: %zu changed, %zu slower by over 5 %%%s\n",
           machine->device->id, machine->name, machine->threads, all, machine->user, changed, worse,
           is_right ? "" : "  FAIL");
    return is_right ? 0 : 1;
}

int main(void)
{
    int wrong = 0;
    setenv("USKOR_TUNED", "none", 1);
    for (size_t i = 0; i < COUNT_OF(machines); i++)
        wrong += each_left_out(&machines[i]);
    for (size_t i = 0; i < COUNT_OF(machines); i++)
        wrong += tuned_for_a_minute(&machines[i]);
    return wrong ? 1 : 0;
}
