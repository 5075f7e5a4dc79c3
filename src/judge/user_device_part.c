#include "judge/user_device_part.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_directive.h"
#include "base/size.h"
#include "base/text.h"
#include "judge/user_code.h"
#include "judge/user_declarations.h"
#include "judge/user_template.h"

#define PASSES_MOST 64 /* each follows names one declaration further */
#define HOST_WORDS "backends/cuda/host_words.cuh"

/* ---- names that the device part mentions, as hashes ---------------------------------------------------------------
 */

struct names {
    uint64_t *slots; /* 0: free */
    size_t size, count;
};

static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
    return hash ? hash : 1;
}

static bool names_find(const struct names *names, uint64_t hash, size_t *slot)
{
    *slot = hash & (names->size - 1);
    while (names->slots[*slot] && names->slots[*slot] != hash)
        *slot = (*slot + 1) & (names->size - 1);
    return names->slots[*slot] == hash;
}

/* `size` is a power of two, greater than the number of words in the file. */
static void names_add(struct names *names, const char *text, size_t from, size_t to)
{
    for (size_t at = from, slot; at < to;) {
        size_t length = user_code_word(text + at);
        uint64_t hash = hash_of(text + at, length);
        if (length && !names_find(names, hash, &slot))
            names->slots[slot] = hash;
        at += length ? length : 1;
    }
}

static bool is_mentioned(void *context, const char *name, size_t length)
{
    size_t slot;
    return names_find(context, hash_of(name, length), &slot);
}

static bool names_make(struct names *names, size_t bytes)
{
    names->size = 64;
    while (names->size < bytes)
        names->size *= 2;
    names->slots = calloc(names->size, sizeof *names->slots);
    return names->slots != NULL;
}

/* ---- what stays ----------------------------------------------------------------------------------------------- */

/* A namespace that is there: its first word is declared in the file or known to NVRTC's headers. */
static bool is_known_namespace(const struct user_declarations *all, const struct user_declaration *one)
{
    static const char *const known[] = {"std", "cooperative_groups", "nvcuda", "cuda", "thrust", "cub"};
    size_t at = one->from;
    for (int i = 0; i < 2; i++) /* "using namespace" */
        at = user_code_skip_blanks(all->code, at + user_code_word(all->code + at));
    size_t length = user_code_word(all->code + at);
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (user_code_is(all->code + at, length, known[i]))
            return !(i == 0 && all->code[at + length] == ':');
    for (size_t i = 0; i < all->count; i++) {
        const struct user_declaration *frame = &all->items[i];
        size_t name = user_code_skip_blanks(all->code, frame->from + user_code_word(all->code + frame->from));
        if (frame->kind == DECLARATION_FRAME && user_code_word(all->code + name) == length &&
            strncmp(all->code + name, all->code + at, length) == 0)
            return true;
    }
    return false;
}

static bool has_word(const char *code, size_t from, size_t to, const char *wanted)
{
    for (size_t at = from; at < to;) {
        size_t length = user_code_word(code + at);
        if (length && user_code_is(code + at, length, wanted))
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* A declaration that stays whatever the others mention. */
static bool is_needed(const struct user_declarations *all, const struct user_declaration *one,
                      const struct user_kernel *kernel)
{
    if (one->kind == DECLARATION_FRAME)
        return true;
    if (one->kind == DECLARATION_USING && has_word(all->code, one->from, one->to, "namespace") &&
        has_word(all->code, one->from, one->to, "using"))
        return is_known_namespace(all, one);
    if (one->is_kernel)
        return one->body < one->to && (!kernel || (kernel->at >= one->from && kernel->at < one->to));
    return one->is_device;
}

/* A declaration that stays if another one mentions it. */
static bool is_useful(const struct user_declarations *all, const struct user_declaration *one)
{
    switch (one->kind) {
    case DECLARATION_FUNCTION:
        return one->is_constexpr && !one->is_kernel;
    case DECLARATION_VARIABLE:
        return one->is_constexpr || (one->is_constant && !has_word(all->code, one->from, one->to, "std"));
    default:
        return true;
    }
}

static void keep(const struct user_declarations *all, size_t i, struct names *names, bool *kept)
{
    const struct user_declaration *one = &all->items[i];
    kept[i] = true;
    names_add(names, one->kind == DECLARATION_MACRO ? all->lines : all->code, one->from, one->to);
}

static void choose(const struct user_declarations *all, const struct user_kernel *kernel, struct names *names,
                   bool *kept)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind != DECLARATION_MACRO && is_needed(all, &all->items[i], kernel))
            keep(all, i, names, kept);
    bool is_more = true;
    for (int pass = 0; pass < PASSES_MOST && is_more; pass++) {
        is_more = false;
        for (size_t i = 0; i < all->count; i++)
            if (!kept[i] && is_useful(all, &all->items[i]) &&
                user_declaration_names(all, &all->items[i], is_mentioned, names)) {
                keep(all, i, names, kept);
                is_more = true;
            }
    }
}

/* ---- what goes ------------------------------------------------------------------------------------------------ */

static bool is_pragma(const struct user_declarations *all, size_t at)
{
    at++;
    at += strspn(all->lines + at, " \t");
    return user_code_is(all->lines + at, user_code_word(all->lines + at), "pragma");
}

/* Blanks a declaration out. Line ends stay, and preprocessor's lines but its pragmas. */
static void blank(const struct user_declarations *all, size_t from, size_t to, char *text)
{
    for (size_t at = from; at < to; at++) {
        if (user_declarations_directive(all, at) && !is_pragma(all, at)) {
            at = user_declarations_directive_end(all, at) - 1;
            continue;
        }
        text[at] = text[at] == '\n' ? '\n' : ' ';
    }
}

static bool note_name(void *context, const char *name, size_t length)
{
    char *list = context;
    text_append(list, sizeof((struct user_device_part *)0)->left_out, "%s%.*s", list[0] ? ", " : "",
                length < 40 ? (int)length : 40, name);
    return true;
}

static bool leave_out(const struct user_declarations *all, const bool *kept, char *text, struct user_device_part *part)
{
    bool is_any = false;
    for (size_t i = 0; i < all->count; i++) {
        const struct user_declaration *one = &all->items[i];
        if (kept[i] || one->kind == DECLARATION_MACRO)
            continue;
        blank(all, one->from, one->to, text);
        is_any = true;
        if (one->kind == DECLARATION_FUNCTION && !one->is_kernel && one->body < one->to)
            user_declaration_names(all, one, note_name, part->left_out);
    }
    return is_any;
}

/* A variable of the device that the host fills has no values here. */
static enum status require_values(const struct user_declarations *all, const char *path, const struct names *names,
                                  struct error *error)
{
    static const char call[] = "cudaMemcpyToSymbol";
    for (const char *at = all->code; (at = strstr(at, call)); at += sizeof call) {
        const char *name = at + strcspn(at, "(;");
        name += *name == '(' ? 1 : 0;
        name += strspn(name, " \t\n&");
        size_t length = user_code_word(name), slot;
        if (length && length < 64 && names_find(names, hash_of(name, length), &slot))
            return fail(error, STATUS_INVALID,
                        "%s:%zu: the host fills '%.*s', and its code does not run here: give the variable its values "
                        "where it is declared",
                        path, user_code_line(all->code, (size_t)(at - all->code)), (int)length, name);
    }
    return STATUS_OK;
}

/* ---- the words of the host's headers -------------------------------------------------------------------------- */

static bool includes_any(const struct user_declarations *all)
{
    for (size_t at = 0; all->lines[at]; at++)
        if (user_declarations_directive(all, at) &&
            strncmp(all->lines + at + 1 + strspn(all->lines + at + 1, " \t"), "include", 7) == 0)
            return true;
    return false;
}

/* Behind the comment block at the top, as that may be a rung's header. malloc'ed. */
static char *with_words(const char *text, const char *path)
{
    const char *end = text;
    size_t line = 1;
    for (; strncmp(end, "//", 2) == 0 && strchr(end, '\n'); line++)
        end = strchr(end, '\n') + 1;
    char *mark = line_directive(line, path), *made = NULL;
    if (!mark || asprintf(&made, "%.*s#include \"" HOST_WORDS "\"\n%s%s", (int)(end - text), text, mark, end) < 0)
        made = NULL;
    free(mark);
    return made;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static const struct user_declaration *find_entry(const struct user_declarations *all, const struct user_kernel *kernel)
{
    for (size_t i = 0; kernel && i < all->count; i++)
        if (all->items[i].is_kernel && kernel->at >= all->items[i].from && kernel->at < all->items[i].to)
            return &all->items[i];
    return NULL;
}

static enum status take(const struct user_declarations *all, bool *kept, struct names *names, char **text,
                        const char *path, const struct user_kernel *kernel, struct user_device_part *part,
                        struct error *error)
{
    choose(all, kernel, names, kept);
    enum status status = require_values(all, path, names, error);
    if (status != STATUS_OK)
        return status;
    const struct user_declaration *entry = find_entry(all, kernel);
    bool is_changed = leave_out(all, kept, *text, part) || includes_any(all);
    if (entry && entry->template) {
        status = user_template_settle(all, entry, path, kernel->name, text, error);
        is_changed = true;
    }
    if (status != STATUS_OK || !is_changed)
        return status;
    char *made = with_words(*text, path);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    free(*text);
    *text = made;
    return STATUS_OK;
}

enum status user_device_part_take(char **text, const char *path, const struct user_kernel *kernel,
                                  struct user_device_part *part, struct error *error)
{
    struct user_declarations all;
    struct names names = {.slots = NULL};
    bool *kept = NULL;
    enum status status = STATUS_UNAVAILABLE;
    *part = (struct user_device_part){.left_out = ""};
    if (user_declarations_read(*text, &all) && names_make(&names, strlen(*text)) &&
        (kept = calloc(all.count + 1, sizeof *kept)))
        status = take(&all, kept, &names, text, path, kernel, part, error);
    else
        fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    free(kept);
    free(names.slots);
    user_declarations_free(&all);
    return status;
}
