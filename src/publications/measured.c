#include "publications/measured.h"

#include <math.h>
#include <string.h>

#define LEAST_DOUBT 0.01
#define FEW_SAMPLES 3
#define FEW_SAMPLES_DOUBT 0.10

/* Whether `word` (of `length`) is one of the words of `text`, which are parted by `separator`. */
static bool has_word(const char *text, const char *word, size_t length, char separator)
{
    const char separators[] = {separator, 0};
    for (size_t size; *text; text += size + (text[size] != 0)) {
        size = strcspn(text, separators);
        if (size == length && memcmp(text, word, length) == 0)
            return true;
    }
    return false;
}

static bool has_words(const char *text, const char *words, char separator)
{
    const char separators[] = {separator, 0};
    for (size_t size; *words; words += size + (words[size] != 0)) {
        size = strcspn(words, separators);
        if (size && !has_word(text, words, size, separator))
            return false;
    }
    return true;
}

bool measured_with(const char *parameters, const char *wanted)
{
    return has_words(parameters, wanted, ' ');
}

static bool is_of_form(const char *kernel, enum run_form form)
{
    const char *own = run_form_kernel(form);
    bool is_other = false;
    for (int i = RUN_MEMORY_KINDS; i < RUN_FORMS; i++)
        is_other = is_other || strcmp(kernel, run_form_kernel((enum run_form)i)) == 0;
    return own ? strcmp(kernel, own) == 0 : !is_other;
}

bool measured_belongs(const struct measurement *measurement, const struct publication_run *run, int64_t size)
{
    char text[256];
    if (measurement->kind == MEASURED_PROBE || strcmp(measurement->rung, run->rung) != 0 ||
        !fill_size(run->problem, size, text, sizeof text))
        return false;
    size_t kernel = strcspn(text, ":");
    const char *problem = measurement->problem, *fields;
    /* "memory:wave:nx=…" is the job of "wave:nx=…" */
    const char *form = run_form_kernel(run->form);
    if (!is_of_form(measurement->kernel, run->form))
        return false;
    problem += form && strchr(problem, ':') ? strcspn(problem, ":") + 1 : 0;
    fields = strchr(problem, ':');
    return fields && (size_t)(fields - problem) == kernel && memcmp(problem, text, kernel) == 0 &&
           (!text[kernel] || has_words(fields + 1, text + kernel + 1, ','));
}

/* Whether the measurement's parameters are of those that the run tries. */
static bool is_choice(const struct publication_run *run, int64_t size, const char *parameters)
{
    for (size_t i = 0; i < run->choice_count; i++) {
        char choice[192];
        if (fill_size(run->choices[i], size, choice, sizeof choice) && measured_with(parameters, choice))
            return true;
    }
    return run->choice_count == 0;
}

static struct mean mean_of(const struct measurement *measurement, bool whole, int64_t size)
{
    struct summary summary = measurement_summary(measurement, whole ? PHASE_END_TO_END : PHASE_COMPUTE);
    /* On the host nothing is moved: the whole time is the rung's own. */
    if (!summary.count && whole && strcmp(measurement->device, "cpu") == 0)
        summary = measurement_summary(measurement, PHASE_COMPUTE);
    return (struct mean){.measurement = measurement,
                         .value = measurement->verdict == VERDICT_PASS ? summary.mean : 0,
                         .deviation = summary.deviation,
                         .count = summary.count,
                         .size = size};
}

struct mean measured_mean(const struct measurement_list *list, const struct publication_run *run, int64_t size,
                          const char *parameters, const char *device, bool whole)
{
    struct mean best = {.size = size};
    for (size_t i = 0; run && i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (strcmp(measurement->device, device) != 0 || !measured_belongs(measurement, run, size) ||
            !measured_with(measurement->parameters, parameters ? parameters : "") ||
            !is_choice(run, size, measurement->parameters))
            continue;
        struct mean mean = mean_of(measurement, whole, size);
        if (!best.measurement || (mean.value > 0 && (best.value <= 0 || mean.value < best.value)))
            best = mean;
    }
    return best;
}

struct mean measured_tie(const struct measurement_list *list, const struct tie *tie, const char *device, bool whole)
{
    struct mean mean = {.size = tie->size};
    if (!tie->run)
        return mean;
    if (tie->size || !tie->run->size_count)
        return measured_mean(list, tie->run, tie->size, tie->parameters, device, whole);
    for (size_t i = tie->run->size_count; i-- > 0 && mean.value <= 0;) {
        struct mean at = measured_mean(list, tie->run, tie->run->sizes[i], tie->parameters, device, whole);
        if (at.value > 0 || !mean.measurement)
            mean = at;
    }
    return mean;
}

struct ratio ratio_of(const struct mean *of, const struct mean *over)
{
    struct ratio ratio = {0};
    if (of->value <= 0 || over->value <= 0)
        return ratio;
    double squared = of->value * of->value;
    ratio.value = over->value / of->value;
    ratio.error = (over->deviation * of->value + over->value * of->deviation) / squared;
    double of_part = of->deviation / of->value, over_part = over->deviation / over->value;
    double of_count = (double)(of->count ? of->count : 1), over_count = (double)(over->count ? over->count : 1);
    ratio.doubt = 2 * sqrt(of_part * of_part / of_count + over_part * over_part / over_count);
    ratio.doubt =
        fmax(ratio.doubt, of->count < FEW_SAMPLES || over->count < FEW_SAMPLES ? FEW_SAMPLES_DOUBT : LEAST_DOUBT);
    return ratio;
}

size_t measured_devices(const struct measurement_list *list, const struct measurement *devices[], size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count && count < most; i++) {
        bool is_new = list->items[i].kind != MEASURED_PROBE;
        for (size_t d = 0; d < count && is_new; d++)
            is_new = strcmp(devices[d]->device, list->items[i].device) != 0;
        if (is_new)
            devices[count++] = &list->items[i];
    }
    return count;
}

const char *measured_base_device(const struct measurement_list *list, const char *device, enum technology technology)
{
    const struct measurement *devices[32], *self = NULL;
    size_t count = measured_devices(list, devices, 32);
    if (!technology || technology_of_device(device) == technology)
        return device;
    for (size_t i = 0; i < count; i++)
        if (strcmp(devices[i]->device, device) == 0)
            self = devices[i];
    for (size_t i = 0; i < count; i++) {
        if (technology_of_device(devices[i]->device) != technology)
            continue;
        /* The host is one; of accelerators only the same hardware can be compared. */
        if (technology == TECHNOLOGY_CPU || (self && strcmp(self->device_name, devices[i]->device_name) == 0))
            return devices[i]->device;
    }
    return NULL;
}
