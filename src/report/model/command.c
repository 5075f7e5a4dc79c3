#include "report/model/command.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/figure_text.h"

const char *say_verdict(enum verdict verdict)
{
    static const char *const words[] = {N_("PASS"), N_("FAIL"), N_("SKIP"), N_("ERROR")};
    return tr(words[verdict]);
}

const char *entry_tip(const struct entry *entry, char *text, size_t size)
{
    const struct measurement *measurement = entry->measurement;
    snprintf(text, size, "%s · %s%s%s\n", measurement->rung, measurement->device, *measurement->parameters ? " · " : "",
             measurement->parameters);
    if (entry->is_void) {
        text_append(text, size, "%s", tr("—, too noisy"));
        return text;
    }
    if (!(entry->rate > 0)) {
        text_append(text, size, "%s: %s", say_verdict(measurement->verdict), say_message(measurement->reason));
        return text;
    }
    char scaled[FIGURE_UNIT_BYTES];
    double rate = entry->rate;
    figure_scale(&rate, measurement->rate_unit, scaled);
    const double scale = rate / entry->rate; /* the quartiles are in the rate's unit */
    text_append(text, size, "%s (%s %s … %s)\n%s", figure_rate(entry->rate, measurement->rate_unit).text,
                tr("quartiles"), figure_number(scale * entry->rate_low).text,
                figure_number(scale * entry->rate_high).text, figure_duration(entry->time.median).text);
    if (entry->of_ceiling > 0)
        text_append(text, size, tr(", %s of the ceiling"), figure_percent(entry->of_ceiling).text);
    if (entry->speed_up > 0 && entry->base && entry->base != entry)
        text_append(text, size, tr(", %s %s"), figure_times(entry->speed_up).text, entry->base->measurement->rung);
    if (*measurement->warnings)
        text_append(text, size, "\n! %s", say_message(measurement->warnings));
    return text;
}

/* Between single quotes where a shell would read anything else out of it. */
static void append_word(char *text, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:=,.-_+/^@";
    if (*word && strspn(word, plain) == strlen(word)) {
        text_append(text, size, " %s", word);
        return;
    }
    text_append(text, size, " '");
    for (; *word; word++)
        if (*word == '\'')
            text_append(text, size, "'\\''");
        else
            text_append(text, size, "%c", *word);
    text_append(text, size, "'");
}

/* What other commands measure. The kernel's name stands before the problem. */
static const struct other {
    const char *kernel, *command;
    bool takes_problem, takes_device;
} others[] = {
    {"accuracy", "bench --accuracy", true, true}, {"bandwidth", "bandwidth", false, true},
    {"memory", "bench --memory all", true, true}, {"overlap", "overlap", true, true},
    {"peers", "bandwidth --peers", false, false},
};

static const struct other *other_of(const struct measurement *measurement)
{
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(measurement->kernel, others[i].kernel) == 0)
            return &others[i];
    return NULL;
}

static void append_other(char *text, size_t size, const struct measurement *measurement)
{
    const struct other *other = other_of(measurement);
    const char *problem = strchr(measurement->problem, ':');
    snprintf(text, size, "uskor %s", other->command);
    if (other->takes_problem)
        append_word(text, size, problem ? problem + 1 : measurement->problem);
    if (other->takes_device) {
        text_append(text, size, " --device");
        append_word(text, size, measurement->device);
    }
}

static void append_ladder(char *text, size_t size, const struct measurement *measurement)
{
    if (other_of(measurement)) {
        append_other(text, size, measurement);
        return;
    }
    snprintf(text, size, "uskor bench");
    append_word(text, size, measurement->problem);
    text_append(text, size, " --device");
    append_word(text, size, measurement->device);
    if (measurement->threads)
        text_append(text, size, " --threads %u", measurement->threads);
    if (measurement->cold)
        text_append(text, size, " --cold");
}

const char *ladder_command(const struct ladder *ladder, char *text, size_t size)
{
    append_ladder(text, size, ladder_of(ladder));
    return text;
}

bool entry_is_users(const struct entry *entry)
{
    return strncmp(entry->measurement->detail, "sha256 ", 7) == 0;
}

/* A user's file is no rung by name: it is tried again. */
static void append_trial(char *text, size_t size, const struct measurement *measurement)
{
    snprintf(text, size, "uskor try");
    append_word(text, size, measurement->kernel);
    append_word(text, size, measurement->rung);
    append_word(text, size, measurement->problem);
    text_append(text, size, " --device");
    append_word(text, size, measurement->device);
}

const char *entry_command(const struct entry *entry, char *text, size_t size)
{
    const struct measurement *measurement = entry->measurement;
    if (other_of(measurement)) {
        append_other(text, size, measurement);
        return text;
    }
    if (entry_is_users(entry)) {
        append_trial(text, size, measurement);
    } else {
        append_ladder(text, size, measurement);
        text_append(text, size, " --rung");
        append_word(text, size, measurement->rung);
    }
    char parameters[sizeof measurement->parameters];
    snprintf(parameters, sizeof parameters, "%s", measurement->parameters);
    char *rest = parameters;
    for (char *word; (word = strsep(&rest, " "));)
        if (strchr(word, '=')) {
            text_append(text, size, " --set");
            append_word(text, size, word);
        }
    return text;
}
