#include "judge/user_c_header.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "judge/user_header.h"
#include "kernels/rung_header_block.h"
#include "kernels/scope.h"

#define CONDITION_MOST 159 /* bytes */

/* "condition, reason". */
static enum status check_requirement(const char *path, const struct block_line *line, const struct kernel *kernel,
                                     struct error *error)
{
    const struct problem example = problem_default(kernel);
    struct scope scope = {.problem = &example};
    const char *comma = memchr(line->text, ',', (size_t)line->length);
    char condition[CONDITION_MOST + 1];
    if (!comma || comma + 1 == line->text + line->length || comma - line->text > CONDITION_MOST)
        return fail(error, STATUS_INVALID,
                    "%s:%d: 'require:' says a condition and a reason, as in 'n %% 4 == 0, it takes 4 at a time'", path,
                    line->number);
    snprintf(condition, sizeof condition, "%.*s", (int)(comma - line->text), line->text);
    return scope_check(&scope, condition, error) == STATUS_OK
               ? STATUS_OK
               : fail_in(error, STATUS_INVALID, "%s:%d", path, line->number);
}

static enum status take(const char *path, const struct block_line *line, bool is_device, struct user_c_header *header,
                        struct error *error)
{
    const struct {
        char *text;
        size_t size;
        const char *end;
    } places[KEY_COUNT] = {
        [KEY_ENTRY] = {header->entry, sizeof header->entry, ""},
        [KEY_ARGS] = {header->arguments, sizeof header->arguments, ""},
        [KEY_REQUIRE] = {header->requires, sizeof header->requires, "\n"},
        [KEY_GROUP] = {is_device ? header->group : NULL, sizeof header->group, ""},
        [KEY_GROUPS] = {is_device ? header->groups : NULL, sizeof header->groups, ""},
    };
    if (line->key == KEY_RUNG || line->key == KEY_IDEA)
        return STATUS_OK;
    char *text = places[line->key].text;
    if (!text && is_device)
        return fail(error, STATUS_INVALID,
                    "%s:%d: '%s:' needs a whole header, with rung, idea, group and groups (docs/adding-a-rung.md)",
                    path, line->number, source_key_name(line->key));
    if (!text)
        return fail(error, STATUS_INVALID,
                    "%s:%d: '%s:' is for the kernels of devices; the header of a file in C may have rung, idea, entry, "
                    "args and require",
                    path, line->number, source_key_name(line->key));
    if (strlen(text) + (size_t)line->length + 2 > places[line->key].size)
        return fail(error, STATUS_INVALID, "%s:%d: '%s:' is too long here; at most %zu bytes are taken", path,
                    line->number, source_key_name(line->key), places[line->key].size - 2);
    text_append(text, places[line->key].size, "%.*s%s", line->length, line->text, places[line->key].end);
    return STATUS_OK;
}

enum status user_c_header_read(const char *path, const char *text, const struct kernel *kernel, bool is_device,
                               const struct user_rung_options *options, struct user_c_header *header,
                               struct user_rung_options *own, struct error *error)
{
    struct source_block block;
    *header = (struct user_c_header){.entry = ""};
    *own = *options;
    if (!user_header_exists(text))
        return STATUS_OK;
    enum status status = source_block_read(path, text, &block, error);
    for (int i = 0; status == STATUS_OK && i < block.count; i++) {
        if (block.lines[i].key == KEY_REQUIRE)
            status = check_requirement(path, &block.lines[i], kernel, error);
        if (status == STATUS_OK)
            status = take(path, &block.lines[i], is_device, header, error);
    }
    if (header->entry[0] && !own->entry)
        own->entry = header->entry;
    if (header->arguments[0] && !own->arguments)
        own->arguments = header->arguments;
    if (header->group[0] && !own->group)
        own->group = header->group;
    if (header->groups[0] && !own->groups)
        own->groups = header->groups;
    return status;
}
