#include "judge/user_declarations.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "judge/user_code.h"

#define CONDITIONS_MOST 64

static bool is_any(const char *word, size_t length, const char *const *wanted)
{
    while (*wanted && !user_code_is(word, length, *wanted))
        wanted++;
    return *wanted != NULL;
}

static const char *const aggregates[] = {"struct", "class", "union", "enum", NULL};
static const char *const device_words[] = {"__device__", "__constant__", "__shared__", "__managed__", NULL};

/* ---- preprocessor's lines ------------------------------------------------------------------------------------- */

bool user_declarations_directive(const struct user_declarations *all, size_t at)
{
    return all->lines[at] == '#' && all->code[at] != '#';
}

size_t user_declarations_directive_end(const struct user_declarations *all, size_t at)
{
    const char *lines = all->lines;
    while (lines[at] &&
           (lines[at] != '\n' || lines[at - 1] == '\\' || (lines[at - 1] == '\r' && lines[at - 2] == '\\')))
        at++;
    return at;
}

static const char *directive_word(const struct user_declarations *all, size_t at, size_t *length)
{
    const char *word = all->lines + at + 1;
    word += strspn(word, " \t");
    *length = user_code_word(word);
    return word;
}

/* Past a block in braces. Of the branches of a condition, each begins at the depth of the #if. */
static size_t skip_braces(const struct user_declarations *all, size_t at)
{
    static const char *const begins[] = {"if", "ifdef", "ifndef", NULL}, *const others[] = {"else", "elif", NULL};
    size_t depths[CONDITIONS_MOST], conditions = 0, depth = 0;
    for (; all->code[at]; at++) {
        if (user_declarations_directive(all, at)) {
            size_t length;
            const char *word = directive_word(all, at, &length);
            if (is_any(word, length, begins) && conditions < CONDITIONS_MOST)
                depths[conditions++] = depth;
            else if (is_any(word, length, others))
                depth = conditions ? depths[conditions - 1] : 0;
            else if (user_code_is(word, length, "endif") && conditions)
                conditions--;
        }
        depth += all->code[at] == '{';
        if (all->code[at] == '}' && (depth == 0 || --depth == 0))
            return at + 1;
    }
    return at;
}

/* ---- one declaration ------------------------------------------------------------------------------------------ */

/* Past "<…>", or `at` where there is none. */
static size_t skip_angles(const char *code, size_t at)
{
    size_t begin = user_code_skip_blanks(code, at);
    if (code[begin] != '<')
        return at;
    int depth = 0;
    for (size_t i = begin; code[i] && code[i] != ';' && code[i] != '{';) {
        depth += (code[i] == '<') - (code[i] == '>');
        i = code[i] == '(' ? user_code_skip_parentheses(code, i) : i + 1;
        if (depth == 0)
            return i;
    }
    return at;
}

/* Whether a macro of this name stands for a word of the device: "#define HD __host__ __device__". */
static bool is_device_macro(const struct user_declarations *all, const char *word, size_t length, const char *wanted)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct user_declaration *one = &all->items[i];
        if (one->kind != DECLARATION_MACRO)
            return false; /* they come first */
        size_t name = one->body, there = user_code_word(all->lines + name);
        if (there != length || strncmp(all->lines + name, word, length) != 0)
            continue;
        for (size_t at = name + there; at < one->to;) {
            size_t next = user_code_word(all->lines + at);
            if (next && user_code_is(all->lines + at, next, wanted))
                return true;
            at += next ? next : 1;
        }
    }
    return false;
}

/* Notes what one word of the declaration's head says. */
static void note_word(const struct user_declarations *all, const char *word, size_t length,
                      struct user_declaration *one)
{
    one->is_kernel |= user_code_is(word, length, "__global__");
    one->is_device |= is_any(word, length, device_words);
    one->is_constexpr |= user_code_is(word, length, "constexpr");
    one->is_constant |= user_code_is(word, length, "const") || one->is_constexpr;
    if (isupper((unsigned char)word[0]) || word[0] == '_') {
        one->is_kernel |= is_device_macro(all, word, length, "__global__");
        one->is_device |= is_device_macro(all, word, length, "__device__");
    }
}

struct head {
    const char *first; /* the first word, and its length */
    size_t first_length;
    bool is_aggregate, has_parameters, has_value, is_operator;
};

static bool is_frame(const struct head *head)
{
    static const char *const words[] = {"namespace", "extern", NULL};
    return head->first && is_any(head->first, head->first_length, words) && !head->has_parameters &&
           !head->is_aggregate && !head->has_value;
}

/* Reads a word of the head; returns the offset behind it. */
static size_t read_word(const struct user_declarations *all, size_t at, struct head *head, struct user_declaration *one)
{
    const char *word = all->code + at;
    size_t length = user_code_word(word), next = at + length;
    if (user_code_is(word, length, "template")) {
        next = skip_angles(all->code, next);
        one->template = at == one->from ? next - at : 0;
        return next;
    }
    if (!head->first) {
        head->first = word;
        head->first_length = length;
    }
    head->is_aggregate |= is_any(word, length, aggregates);
    head->is_operator = user_code_is(word, length, "operator");
    note_word(all, word, length, one);
    size_t open = user_code_skip_blanks(all->code, next);
    bool is_attribute = (length > 2 && strncmp(word, "__", 2) == 0) || user_code_is(word, length, "alignas");
    return is_attribute && all->code[open] == '(' ? user_code_skip_parentheses(all->code, open) : next;
}

static enum user_declaration_kind kind_of(const struct head *head)
{
    if (head->first && user_code_is(head->first, head->first_length, "typedef"))
        return DECLARATION_TYPEDEF;
    if (head->first && (user_code_is(head->first, head->first_length, "using") ||
                        user_code_is(head->first, head->first_length, "namespace")))
        return DECLARATION_USING;
    if (head->has_parameters)
        return DECLARATION_FUNCTION;
    return head->is_aggregate ? DECLARATION_TYPE : DECLARATION_VARIABLE;
}

/* Reads the declaration at one->from. */
static void read_one(const struct user_declarations *all, struct user_declaration *one)
{
    const char *code = all->code;
    struct head head = {.first = NULL};
    size_t at = one->from;
    one->to = 0;
    if (code[at] == '}' || code[at] == ';') {
        one->kind = DECLARATION_FRAME;
        one->to = one->body = at + 1;
        return;
    }
    while (!one->to && code[at]) {
        if (user_code_is_word(code[at])) {
            at = read_word(all, at, &head, one);
        } else if (code[at] == '(') {
            head.has_parameters |= !head.has_value;
            at = user_code_skip_parentheses(code, at);
        } else if (code[at] == '{' && is_frame(&head)) {
            one->kind = DECLARATION_FRAME;
            one->to = one->body = at + 1;
            return;
        } else if (code[at] == '{') {
            bool is_function = head.has_parameters && !head.has_value;
            one->body = is_function ? at : one->body;
            at = skip_braces(all, at);
            one->to = is_function ? at : 0;
        } else if (code[at] == ';' || code[at] == '}') {
            one->to = at + (code[at] == ';');
        } else {
            head.has_value |= code[at] == '=' && !head.is_operator;
            at++;
        }
    }
    one->to = one->to ? one->to : at;
    one->body = one->body ? one->body : one->to;
    one->kind = kind_of(&head);
}

static struct user_declaration *add(struct user_declarations *all)
{
    if (all->count == all->capacity) {
        size_t wanted = 2 * all->capacity + 64;
        void *more = realloc(all->items, wanted * sizeof *all->items);
        if (!more)
            return NULL;
        all->items = more;
        all->capacity = wanted;
    }
    all->items[all->count] = (struct user_declaration){.from = 0};
    return &all->items[all->count++];
}

/* The macros come first, as declarations ask for them. */
static bool read_macros(struct user_declarations *all)
{
    for (size_t at = 0; all->lines[at]; at++) {
        size_t length;
        if (!user_declarations_directive(all, at))
            continue;
        const char *word = directive_word(all, at, &length);
        size_t end = user_declarations_directive_end(all, at);
        if (user_code_is(word, length, "define")) {
            struct user_declaration *one = add(all);
            if (!one)
                return false;
            size_t name = (size_t)(word - all->lines) + length;
            name += strspn(all->lines + name, " \t");
            *one = (struct user_declaration){.kind = DECLARATION_MACRO, .from = at, .to = end, .body = name};
        }
        at = end - 1;
    }
    return true;
}

bool user_declarations_read(const char *text, struct user_declarations *all)
{
    *all = (struct user_declarations){.code = user_code_blank(text, false), .lines = user_code_blank(text, true)};
    if (!all->code || !all->lines || !read_macros(all))
        return false;
    for (size_t at = user_code_skip_blanks(all->code, 0); all->code[at]; at = user_code_skip_blanks(all->code, at)) {
        struct user_declaration *one = add(all);
        if (!one)
            return false;
        struct user_declaration read = {.from = at};
        all->count--; /* not among those that it asks */
        read_one(all, &read);
        all->items[all->count++] = read;
        at = read.to > at ? read.to : at + 1;
    }
    return true;
}

void user_declarations_free(struct user_declarations *all)
{
    free(all->code);
    free(all->lines);
    free(all->items);
    *all = (struct user_declarations){.code = NULL};
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

typedef bool (*visitor)(void *context, const char *name, size_t length);

/* The words in an enum's braces. */
static bool visit_braces(const struct user_declarations *all, size_t from, size_t to, visitor visit, void *context)
{
    for (size_t at = from; at < to;) {
        size_t length = user_code_word(all->code + at);
        if (length && visit(context, all->code + at, length))
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* Whether a declared name ends there, in front of `c`. */
static bool ends_name(enum user_declaration_kind kind, char c)
{
    const char *ends = kind == DECLARATION_FUNCTION ? "(" : kind == DECLARATION_USING ? "=;" : "=[{;,:()";
    return c && strchr(ends, c);
}

bool user_declaration_names(const struct user_declarations *all, const struct user_declaration *one, visitor visit,
                            void *context)
{
    const char *code = all->code;
    if (one->kind == DECLARATION_FRAME)
        return false;
    if (one->kind == DECLARATION_MACRO)
        return visit(context, all->lines + one->body, user_code_word(all->lines + one->body));
    bool is_enum = false;
    for (size_t at = one->from + one->template; at < one->to;) {
        size_t length = user_code_word(code + at), end = at + length;
        if (length) {
            char next = code[user_code_skip_blanks(code, end)];
            is_enum |= user_code_is(code + at, length, "enum");
            if (!isdigit((unsigned char)code[at]) && ends_name(one->kind, next) && visit(context, code + at, length))
                return true;
            if (one->kind == DECLARATION_USING && next == '=')
                return false;
            at = end;
        } else if (code[at] == '{') {
            size_t past = skip_braces(all, at);
            if (is_enum && visit_braces(all, at, past < one->to ? past : one->to, visit, context))
                return true;
            at = past;
        } else if (code[at] == '(' && one->kind == DECLARATION_FUNCTION) {
            return false;
        } else {
            at++;
        }
    }
    return false;
}
