#include "judge/user_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/user_arithmetic.h"
#include "judge/user_code.h"

#define MEANINGS_MOST 32

/* ---- where it is ---------------------------------------------------------------------------------------------- */

/* The offset of "<<<" behind a kernel's name that ends at `at`; 0: it is not launched there. */
static size_t find_angles(const char *code, size_t at, struct user_launch_text *launch)
{
    size_t open = user_code_skip_blanks(code, at);
    launch->templates_length = 0;
    if (code[open] == '<' && strncmp(code + open, "<<<", 3) != 0) {
        size_t end = open + strcspn(code + open, ";{}");
        const char *found = strstr(code + open, "<<<");
        if (!found || (size_t)(found - code) > end)
            return 0;
        size_t close = (size_t)(found - code);
        while (close > open && code[close] != '>')
            close--;
        launch->templates = open + 1;
        launch->templates_length = close > open ? close - open - 1 : 0;
        return (size_t)(found - code);
    }
    return strncmp(code + open, "<<<", 3) == 0 ? open : 0;
}

/* The parts between "<<<" and ">>>". */
static bool read_parts(const char *code, size_t at, struct user_launch_text *launch)
{
    size_t part = 0, from = at += 3;
    memset(launch->part_lengths, 0, sizeof launch->part_lengths);
    while (code[at] && code[at] != ';') {
        bool is_end = strncmp(code + at, ">>>", 3) == 0;
        if (is_end || code[at] == ',') {
            if (part < 3) {
                launch->parts[part] = user_code_skip_blanks(code, from);
                launch->part_lengths[part] = at - launch->parts[part];
            }
            part++;
            from = at + 1;
        }
        if (is_end) {
            launch->arguments = user_code_skip_blanks(code, at + 3);
            return part >= 2 && code[launch->arguments] == '(';
        }
        at = code[at] == '(' || code[at] == '{' ? user_code_skip_parentheses(code, at) : at + 1;
    }
    return false;
}

bool user_launch_find(const char *code, const char *kernel, struct user_launch_text *launch)
{
    for (size_t at = 0; code[at];) {
        size_t word = user_code_word(code + at), angles;
        bool is_name = word && user_code_is(code + at, word, kernel);
        launch->at = at;
        at += word ? word : 1;
        if (is_name && (angles = find_angles(code, at, launch)) && read_parts(code, angles, launch))
            return true;
    }
    return false;
}

bool user_launch_only(const char *code, char name[64])
{
    name[0] = '\0';
    for (size_t at = 0; code[at];) {
        size_t word = user_code_word(code + at), from = at;
        struct user_launch_text launch;
        at += word ? word : 1;
        if (!word || word >= 64 || !strchr("< \n", code[at]) || !find_angles(code, at, &launch) ||
            user_code_is(code + from, word, name))
            continue;
        if (name[0])
            return false;
        snprintf(name, 64, "%.*s", (int)word, code + from);
    }
    return name[0] != '\0';
}

/* ---- what the host's variables are ---------------------------------------------------------------------------- */

/* The expression of a header's argument: "n" of "int(n)", "k + lda_pad"; "" for an array, which has no arithmetic. */
static void read_expression(const char *from, size_t length, char made[USER_ARITHMETIC_MAX])
{
    const char *open = memchr(from, '(', length);
    while (length && from[length - 1] == ' ')
        length--;
    bool is_cast = open && length && from[length - 1] == ')';
    if (is_cast) {
        length -= (size_t)(open + 1 - from) + 1;
        from = open + 1;
    }
    snprintf(made, USER_ARITHMETIC_MAX, "%.*s", (int)length, from);
}

/* A variable that is passed for two fields is neither: its program knows squares only. */
static void add_meaning(struct user_meaning *items, size_t *count, const char *name, size_t length, const char *text)
{
    for (size_t i = 0; i < *count; i++)
        if (user_code_is(name, length, items[i].name)) {
            if (strcmp(items[i].text, text) != 0)
                items[i].text[0] = '\0';
            return;
        }
    if (*count == MEANINGS_MOST || length >= sizeof items[0].name)
        return;
    struct user_meaning *one = &items[(*count)++];
    *one = (struct user_meaning){.is_real = false};
    snprintf(one->name, sizeof one->name, "%.*s", (int)length, name);
    snprintf(one->text, sizeof one->text, "%s", text);
}

/* Pairs the launch's arguments with the header's. */
static size_t read_meanings(const char *code, size_t open, const char *arguments, struct user_meaning *items)
{
    size_t count = 0, at = open + 1, close = user_code_skip_parentheses(code, open) - 1;
    while (at < close && *arguments) {
        size_t end = at, length = 0;
        int depth = 0;
        while (end < close && code[end] != ',')
            end = strchr("([{", code[end]) ? user_code_skip_parentheses(code, end) : end + 1;
        while (arguments[length] && (depth || arguments[length] != ',')) {
            depth += (arguments[length] == '(') - (arguments[length] == ')');
            length++;
        }
        char text[USER_ARITHMETIC_MAX];
        read_expression(arguments, length, text);
        size_t name = user_code_skip_blanks(code, at), word = user_code_word(code + name);
        if (word && user_code_skip_blanks(code, name + word) >= end)
            add_meaning(items, &count, code + name, word, text);
        arguments += length;
        arguments += strspn(arguments, ", ");
        at = end + 1;
    }
    return count;
}

/* ---- shapes --------------------------------------------------------------------------------------------------- */

/* Splits "(a, b)" or "a" into expressions; 0: one of them is not understood. */
static size_t read_list(const struct user_meanings *names, const char *text, size_t length,
                        char parts[3][USER_ARITHMETIC_MAX])
{
    size_t count = 0;
    for (size_t at = 0; at <= length && count < 3;) {
        size_t end = at;
        while (end < length && text[end] != ',')
            end = strchr("([{", text[end]) ? user_code_skip_parentheses(text, end) : end + 1;
        if (end > length || !user_arithmetic(names, text + at, end - at, parts[count++]))
            return 0;
        at = end + 1;
    }
    return count;
}

/* A dim3 or a number: itself, or the variable's initial value. */
static size_t read_shape(const struct user_meanings *names, const char *text, size_t length, int depth,
                         char parts[3][USER_ARITHMETIC_MAX])
{
    size_t skip = user_code_skip_blanks(text, 0);
    if (skip >= length || depth > 4)
        return 0;
    text += skip;
    length -= skip;
    size_t word = user_code_word(text), next = user_code_skip_blanks(text, word), value;
    bool is_shape = user_code_is(text, word, "dim3") || !word;
    if (is_shape && next < length && (text[next] == '(' || text[next] == '{') && (word || text[next] == '{')) {
        size_t close = user_code_skip_parentheses(text, next);
        return close <= length ? read_list(names, text + next + 1, close - next - 2, parts) : 0;
    }
    bool is_field = false;
    for (size_t i = 0; i < names->count; i++)
        is_field = is_field || user_code_is(text, word, names->items[i].name);
    const char *initial = word && next >= length && !is_field ? user_initial_value(names, text, word, &value) : NULL;
    if (!initial)
        return read_list(names, text, length, parts);
    size_t first = user_code_skip_blanks(initial, 0);
    bool is_again = strncmp(initial + first, "dim3", 4) == 0 || initial[first] == '{';
    return is_again ? read_shape(names, initial, value, depth + 1, parts) : read_list(names, initial, value, parts);
}

static void join(char parts[3][USER_ARITHMETIC_MAX], size_t count, size_t wanted, char *made, size_t size)
{
    bool fits = count > 0;
    for (size_t i = 0; i < wanted && fits; i++)
        fits = text_append(made, size, "%s%s", i ? ", " : "", i < count ? parts[i] : "1");
    if (!fits)
        made[0] = '\0';
}

/* A number, which may be written as a product: "16 * 16". */
static void make_number(char part[USER_ARITHMETIC_MAX])
{
    const struct user_meanings none = {.code = "", .lines = ""};
    long long number;
    if (user_arithmetic_integer(&none, part, strlen(part), &number))
        snprintf(part, USER_ARITHMETIC_MAX, "%lld", number);
}

static void read_all(const struct user_meanings *names, const struct user_launch_text *where,
                     struct user_launch *launch)
{
    char grid[3][USER_ARITHMETIC_MAX], block[3][USER_ARITHMETIC_MAX], bytes[USER_ARITHMETIC_MAX];
    size_t block_count = read_shape(names, names->code + where->parts[1], where->part_lengths[1], 0, block);
    size_t grid_count = read_shape(names, names->code + where->parts[0], where->part_lengths[0], 0, grid);
    size_t count = block_count > grid_count ? block_count : grid_count;
    for (size_t i = 0; i < block_count; i++)
        make_number(block[i]);
    for (size_t i = 0; i < grid_count; i++)
        make_number(grid[i]);
    join(block, block_count, grid_count ? count : block_count, launch->group, sizeof launch->group);
    if (launch->group[0])
        join(grid, grid_count, count, launch->groups, sizeof launch->groups);
    if (where->part_lengths[2] &&
        user_arithmetic(names, names->code + where->parts[2], where->part_lengths[2], bytes)) {
        make_number(bytes);
        snprintf(launch->local, sizeof launch->local, "%s", strcmp(bytes, "0") == 0 ? "" : bytes);
    }
}

void user_launch_read(const char *text, const char *kernel, const char *arguments, struct user_launch *launch)
{
    char *code = user_code_blank(text, false), *lines = user_code_blank(text, true);
    struct user_meaning *items = calloc(MEANINGS_MOST, sizeof *items);
    struct user_launch_text where;
    *launch = (struct user_launch){.line = 0};
    if (code && lines && items && user_launch_find(code, kernel, &where)) {
        const struct user_meanings names = {
            .code = code,
            .lines = lines,
            .before = where.at,
            .items = items,
            .count = read_meanings(code, where.arguments, arguments, items),
        };
        launch->line = user_code_line(text, where.at);
        read_all(&names, &where, launch);
    }
    free(items);
    free(code);
    free(lines);
}
