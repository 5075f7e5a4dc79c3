#include "judge/user_assumed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_directive.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/user_arithmetic.h"
#include "judge/user_axes.h"
#include "judge/user_code.h"
#include "judge/user_kernel.h"
#include "judge/user_launch.h"
#include "judge/user_meaning.h"

/* Where a signature of three axes begins its third, which a kernel of two walks along by itself; NULL for others. */
static const char *third_axis(const struct user_kernel *kernel, const char *text, const char *group)
{
    const char *comma = strchr(group, ',');
    const bool is_named = strstr(text, "_id(2)") || strstr(text, ".z"); /* in a macro */
    return kernel->rank == 2 && comma && !is_named ? strchr(comma + 1, ',') : NULL;
}

static void default_shape(const struct user_kernel *kernel, const char *text, const struct plain_signature *signature,
                          const struct user_rung_options *options, char group[256], char groups[512])
{
    const bool is_flat = kernel->rank == 1 && strchr(signature->group, ',');
    const char *usual = is_flat ? "256" : signature->group, *third = third_axis(kernel, text, usual);
    snprintf(group, 256, "%.*s", third ? (int)(third - usual) : (int)strlen(usual), usual);
    if (options->group)
        snprintf(group, 256, "%s", options->group);
    if (options->groups)
        snprintf(groups, 512, "%s", options->groups);
    else if (!options->group && !is_flat && !third)
        snprintf(groups, 512, "%s", signature->groups);
    else { /* one item per result: the standard groups' counts, with the user's group size */
        groups[0] = '\0';
        const char *at = signature->groups;
        char parts[3][160] = {"", "", ""}, sizes[3][64] = {"", "", ""};
        size_t count = 0, given = 0;
        for (int depth = 0; *at && count < 3; at++) {
            depth += (*at == '(') - (*at == ')');
            size_t length = strlen(parts[count]);
            if (*at == ',' && depth == 0)
                count++;
            else if (length + 1 < sizeof parts[0] && !(length == 0 && *at == ' '))
                parts[count][length] = *at;
        }
        count++;
        for (const char *p = group; given < 3 && p;) {
            const char *comma = strchr(p, ',');
            snprintf(sizes[given++], sizeof sizes[0], "%.*s", comma ? (int)(comma - p) : 60, p);
            p = comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
        }
        for (size_t i = 0; i < count && i < 3; i++) {
            char *slash = strstr(parts[i], " / ");
            if (slash && strncmp(parts[i], "ceil(", 5) == 0)
                *slash = '\0', memmove(parts[i], parts[i] + 5, strlen(parts[i] + 5) + 1);
        }
        if (given == 1 && count > 1) { /* one dimension, over all results */
            text_append(groups, 512, "ceil(%s * %s", parts[0], parts[1]);
            text_append(groups, 512, count > 2 ? " * %s / (%s))" : "%s / (%s))", count > 2 ? parts[2] : "", sizes[0]);
        } else {
            for (size_t i = 0; i < given; i++)
                text_append(groups, 512, "%sceil(%s / (%s))", i ? ", " : "", i < count ? parts[i] : "1", sizes[i]);
        }
    }
}

/* Puts a header in front of the text. A #line directive keeps the file's own line numbers. malloc'ed. */
static char *with_header(const char *path, const char *text, const struct user_kernel *kernel, bool is_cuda,
                         const char *header)
{
    char *mark = line_directive(1, path), *made = NULL;
    const int marker = is_cuda ? (int)kernel->marker : 0; /* without extern "C", NVRTC mangles the name */
    if (!mark || asprintf(&made, "%s\n%s%.*s%s%s", header, mark, marker, text, is_cuda ? "extern \"C\" " : "",
                          text + marker) < 0)
        made = NULL;
    free(mark);
    return made;
}

/* The launch in the file says more than a kernel's usual shape; the options say more than that. */
static void add_launch(const struct user_launch *launch, struct user_rung_options *options)
{
    if (!options->group && !options->groups && launch->group[0]) {
        options->group = launch->group;
        options->groups = launch->groups[0] ? launch->groups : NULL;
    }
}

/* The group that the kernel's attribute requires, "8, 8, 1": false where there is none, or no numbers. */
static bool find_required_group(const char *text, const struct user_kernel *kernel, char *group, size_t size)
{
    static const char word[] = "reqd_work_group_size";
    char *code = user_code_blank(text, false), *lines = user_code_blank(text, true);
    const struct user_meanings names = {.code = code ? code : "", .lines = lines ? lines : ""};
    size_t from = kernel->marker;
    group[0] = '\0';
    while (code && from > 0 && !strchr(";}", code[from - 1]))
        from--;
    const char *at = code && lines ? strstr(code + from, word) : NULL;
    if (at && at < code + kernel->at) {
        at += sizeof word - 1 + strspn(at + sizeof word - 1, " \t(");
        for (int axis = 0; axis < 3; axis++) {
            long long number;
            size_t length = strcspn(at, ",)");
            if (!user_arithmetic_integer(&names, at, length, &number))
                break;
            text_append(group, size, "%s%lld", axis ? ", " : "", number);
            at += length + (at[length] == ',');
        }
    }
    free(code);
    free(lines);
    return group[0] != '\0';
}

static void say_assumed(const struct user_source *source, const struct user_kernel *kernel, const char *arguments,
                        const char *group, const char *groups, const struct user_launch *launch, char *assumed)
{
    const char *left_out = source->left_out;
    char more[320] = "";
    if (launch->local[0])
        text_append(more, sizeof more, "; local: %.100s", launch->local);
    if (launch->group[0])
        text_append(more, sizeof more, "; launch: line %zu", launch->line);
    if (left_out[0])
        text_append(more, sizeof more, "; left out: %.160s", left_out);
    if (source->requires)
        explain(assumed, 1024, "%s has a short header. Completed: entry: %s; args: %s; group: %s; groups: %s%s",
                source->path, kernel->name, arguments, group, groups, more);
    else
        explain(assumed, 1024, "%s has no header. Assumed: entry: %s; args: %s; group: %s; groups: %s%s", source->path,
                kernel->name, arguments, group, groups, more);
}

enum status user_header_assume(const struct user_source *source, const struct user_rung_options *options, char **text,
                               char assumed[1024], struct error *error)
{
    const struct plain_signature *signature = source->signature;
    const char *path = source->path;
    struct user_kernel kernel;
    struct user_launch launch = {.line = 0};
    struct user_rung_options own = *options;
    char arguments[512] = "", requires[512] = "", group[256], groups[512], exchanged[256], header[3200];
    char local[300], required[64];
    int meaning[USER_PARAMETERS_MOST];
    enum status status = user_kernel_find(*text, source->is_cuda, options->entry, source->kernel_name, &kernel, error);
    /* A short header may name the arguments; that one size serves all still follows from the parameters. */
    const bool is_named = options->arguments != NULL, follows = is_named && source->requires && !*source->requires;
    if (status == STATUS_OK && (!is_named || follows)) {
        user_meaning_match(&kernel, signature, meaning);
        status = user_meaning_arguments(&kernel, signature, meaning, arguments, requires, error);
        if (status != STATUS_OK && follows)
        status = STATUS_OK, requires[0] = '\0';
    }
    if (status != STATUS_OK)
        return fail_in(error, status, "%s", path);
    if (options->arguments)
        snprintf(arguments, sizeof arguments, "%s", options->arguments);
    struct plain_signature shaped = *signature;
    if (user_axes_exchange(*text, &kernel, arguments, signature->groups, exchanged, sizeof exchanged))
        shaped.groups = exchanged;
    if (source->is_cuda)
        user_launch_read(source->whole, kernel.name, arguments, &launch);
    else if (!own.group && !own.groups && find_required_group(*text, &kernel, required, sizeof required))
        own.group = required;
    add_launch(&launch, &own);
    default_shape(&kernel, *text, &shaped, &own, group, groups);
    snprintf(local, sizeof local, launch.local[0] ? "// local:   %s\n" : "%s", launch.local);
    snprintf(
        header, sizeof header,
        "// rung:    own\n// idea:    a user's own\n// group:   %s\n// groups:  %s\n// entry:   %s\n// args:    %s\n"
        "%s%s%s%s%s",
        group, groups, kernel.name, arguments, signature->bound[0] ? "// bound:   " : "", signature->bound,
        signature->bound[0] ? "\n" : "", requires, local);
    for (const char *line = source->requires ? source->requires : ""; *line; line += strcspn(line, "\n") + 1)
        text_append(header, sizeof header, "// require: %.*s\n", (int)strcspn(line, "\n"), line);
    say_assumed(source, &kernel, arguments, group, groups, &launch, assumed);
    char *made = with_header(path, *text, &kernel, source->is_cuda, header);
    free(*text);
    *text = made;
    return made ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
}
