#include "judge/user_arithmetic.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression.h"
#include "base/size.h"
#include "judge/user_code.h"

#define DEPTH_MOST 12 /* a name may stand for others */
#define PARAMETERS_MOST 4

struct value {
    char text[USER_ARITHMETIC_MAX];
    bool is_real;
};

/* One expression that is read; `own` are the parameters of the macro or function whose body it is. */
struct reader {
    const struct user_meanings *names;
    const struct user_meaning *own;
    size_t own_count;
    const char *at, *end;
    int depth;
};

static bool read_sum(struct reader *reader, struct value *value);

static bool write(struct value *value, const char *format, const char *left, const char *right)
{
    struct value made = {.is_real = value->is_real};
    bool fits = (size_t)snprintf(made.text, sizeof made.text, format, left, right) < sizeof made.text;
    *value = made;
    return fits;
}

/* In parentheses, unless it is one word, one call, or in parentheses. */
static bool enclose(struct value *value, const char *text)
{
    size_t word = 0;
    while (user_code_is_word(text[word]) || text[word] == '.')
        word++;
    bool is_whole = !text[word] || (text[word] == '(' && !text[user_code_skip_parentheses(text, word)]);
    return write(value, is_whole ? "%s%s" : "(%s%s)", text, "");
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && (isspace((unsigned char)*reader->at) || *reader->at == '\\'))
        reader->at++;
}

static bool take(struct reader *reader, const char *sign)
{
    skip_blanks(reader);
    size_t length = strlen(sign);
    if ((size_t)(reader->end - reader->at) < length || strncmp(reader->at, sign, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* Reads the arguments up to the closing parenthesis. */
static bool read_arguments(struct reader *reader, struct value *values, size_t most, size_t *count)
{
    *count = 0;
    if (take(reader, ")"))
        return true;
    do {
        if (*count == most || !read_sum(reader, &values[*count]))
            return false;
        ++*count;
    } while (take(reader, ","));
    return take(reader, ")");
}

/* The parameters' names: the last word of each. */
static size_t read_parameters(const char *text, size_t length, struct user_meaning *own)
{
    size_t count = 0;
    for (size_t at = 0; at < length && count < PARAMETERS_MOST;) {
        size_t word = user_code_word(text + at);
        if (word && word < sizeof own[0].name)
            snprintf(own[count].name, sizeof own[0].name, "%.*s", (int)word, text + at);
        at += word ? word : 1;
        if (at >= length || text[at] == ',')
            count++;
    }
    return count;
}

static bool read_call(struct reader *reader, const char *name, size_t length, struct value *value)
{
    static const struct {
        const char *name, *format;
        bool is_real;
    } known[] = {{"ceil", "ceil(%s)", true}, {"ceilf", "ceil(%s)", true}, {"floor", "floor(%s)", true}};
    struct value values[PARAMETERS_MOST];
    size_t count, width, body_length;
    const char *parameters;
    if (!read_arguments(reader, values, PARAMETERS_MOST, &count))
        return false;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (user_code_is(name, length, known[i].name) && count == 1) {
            value->is_real = known[i].is_real;
            return write(value, known[i].format, values[0].text, "");
        }
    if ((user_code_is(name, length, "min") || user_code_is(name, length, "max")) && count == 2) {
        value->is_real = values[0].is_real || values[1].is_real;
        return write(value, name[1] == 'i' ? "min(%s, %s)" : "max(%s, %s)", values[0].text, values[1].text);
    }
    const char *body = user_one_expression(reader->names, name, length, &parameters, &width, &body_length);
    struct user_meaning own[PARAMETERS_MOST] = {{.name = ""}};
    if (!body || read_parameters(parameters, width, own) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(own[i].text, values[i].text, sizeof own[i].text);
        own[i].is_real = values[i].is_real;
    }
    struct reader inner = {reader->names, own, count, body, body + body_length, reader->depth + 1};
    bool is_read = read_sum(&inner, value);
    skip_blanks(&inner);
    return is_read && inner.at == inner.end &&
           enclose(value, memcpy(values[0].text, value->text, sizeof values[0].text));
}

/* ---- operands ------------------------------------------------------------------------------------------------- */

static bool find_meaning(const struct user_meaning *items, size_t count, const char *name, size_t length,
                         struct value *value, bool *is_known)
{
    for (size_t i = 0; i < count; i++)
        if (user_code_is(name, length, items[i].name)) {
            value->is_real = items[i].is_real;
            *is_known = items[i].text[0] != '\0';
            return enclose(value, items[i].text) && *is_known;
        }
    *is_known = true;
    return false;
}

static bool read_name(struct reader *reader, const char *name, size_t length, struct value *value)
{
    bool is_known;
    size_t body;
    if (find_meaning(reader->own, reader->own_count, name, length, value, &is_known) ||
        find_meaning(reader->names->items, reader->names->count, name, length, value, &is_known))
        return true;
    const char *initial = is_known ? user_initial_value(reader->names, name, length, &body) : NULL;
    if (!initial)
        return false;
    struct reader inner = {reader->names, NULL, 0, initial, initial + body, reader->depth + 1};
    struct value whole;
    bool is_read = read_sum(&inner, &whole);
    skip_blanks(&inner);
    value->is_real = is_read && whole.is_real;
    return is_read && inner.at == inner.end && enclose(value, whole.text);
}

static bool read_number(struct reader *reader, struct value *value)
{
    char *end;
    double number = strtod(reader->at, &end);
    value->is_real = memchr(reader->at, '.', (size_t)(end - reader->at)) != NULL;
    reader->at = end;
    while (reader->at < reader->end && isalpha((unsigned char)*reader->at)) /* 16u, 1.0f */
        reader->at++;
    snprintf(value->text, sizeof value->text, "%.17g", number);
    return reader->at <= reader->end;
}

static int bytes_of(const char *name, size_t length)
{
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"float", 4}, {"int", 4}, {"unsigned", 4}, {"double", 8}, {"long", 8}, {"size_t", 8}, {"char", 1}};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (user_code_is(name, length, types[i].name))
            return types[i].bytes;
    return 0;
}

/* "(int)x", "(float) x": past the cast; false where the parenthesis begins no cast. */
static bool read_cast(struct reader *reader, bool *is_real)
{
    const char *at = reader->at + 1;
    size_t words = 0;
    while (at < reader->end && *at != ')') {
        size_t length = user_code_word(at);
        if (length && !bytes_of(at, length) && !user_code_is(at, length, "signed"))
            return false;
        *is_real = user_code_is(at, length, "float") || user_code_is(at, length, "double");
        words += length != 0;
        if (!length && !isspace((unsigned char)*at))
            return false;
        at += length ? length : 1;
    }
    if (at >= reader->end || !words)
        return false;
    reader->at = at + 1;
    return true;
}

static bool read_operand(struct reader *reader, struct value *value)
{
    skip_blanks(reader);
    value->is_real = false;
    value->text[0] = '\0';
    if (reader->at >= reader->end || reader->depth > DEPTH_MOST)
        return false;
    if (isdigit((unsigned char)*reader->at) || *reader->at == '.')
        return read_number(reader, value);
    if (*reader->at == '(') {
        bool is_real = false;
        if (read_cast(reader, &is_real)) {
            bool is_read = read_operand(reader, value), is_cut = value->is_real && !is_real;
            struct value whole = *value;
            value->is_real = is_real;
            return is_read && write(value, is_cut ? "floor(%s%s)" : "%s%s", whole.text, "");
        }
        reader->at++;
        reader->depth++;
        struct value whole;
        bool is_read = read_sum(reader, &whole) && take(reader, ")");
        reader->depth--;
        value->is_real = is_read && whole.is_real;
        return is_read && enclose(value, whole.text);
    }
    const char *name = reader->at;
    size_t length = user_code_word(name);
    reader->at += length;
    if (!length || reader->at > reader->end)
        return false;
    if (user_code_is(name, length, "std") && take(reader, "::"))
        return read_operand(reader, value);
    if (!take(reader, "("))
        return read_name(reader, name, length, value);
    if (!user_code_is(name, length, "sizeof"))
        return read_call(reader, name, length, value);
    skip_blanks(reader);
    size_t type = user_code_word(reader->at);
    int bytes = bytes_of(reader->at, type);
    reader->at += type;
    value->is_real = false;
    snprintf(value->text, sizeof value->text, "%d", bytes);
    return bytes && take(reader, ")");
}

static bool read_product(struct reader *reader, struct value *value)
{
    if (!read_operand(reader, value))
        return false;
    for (;;) {
        char sign = take(reader, "*") ? '*' : take(reader, "/") ? '/' : take(reader, "%") ? '%' : '\0';
        struct value left = *value, right;
        if (!sign)
            return true;
        if (!read_operand(reader, &right))
            return false;
        value->is_real = left.is_real || right.is_real;
        const char *format = sign == '*'                     ? "%s * %s"
                             : sign == '%'                   ? "%s %% %s"
                             : left.is_real || right.is_real ? "%s / %s"
                                                             : "floor(%s / %s)";
        if (!write(value, format, left.text, right.text))
            return false;
    }
}

static bool read_sum(struct reader *reader, struct value *value)
{
    if (!read_product(reader, value))
        return false;
    for (;;) {
        char sign = take(reader, "+") ? '+' : take(reader, "-") ? '-' : '\0';
        struct value left = *value, right;
        if (!sign)
            return true;
        if (!read_product(reader, &right))
            return false;
        value->is_real = left.is_real || right.is_real;
        if (!write(value, sign == '+' ? "%s + %s" : "%s - %s", left.text, right.text))
            return false;
    }
}

bool user_arithmetic(const struct user_meanings *names, const char *text, size_t length, char made[USER_ARITHMETIC_MAX])
{
    struct reader reader = {names, NULL, 0, text, text + length, 0};
    struct value value;
    bool is_read = read_sum(&reader, &value);
    skip_blanks(&reader);
    if (!is_read || reader.at != reader.end)
        return false;
    memcpy(made, value.text, sizeof value.text);
    return true;
}

static bool knows_nothing(void *context, const char *name, int length, double *value)
{
    (void)context, (void)name, (void)length, (void)value;
    return false;
}

bool user_arithmetic_integer(const struct user_meanings *names, const char *text, size_t length, long long *value)
{
    char made[USER_ARITHMETIC_MAX];
    struct error unused;
    int64_t number = 0;
    bool is_one = user_arithmetic(names, text, length, made) &&
                  expression_integer(made, knows_nothing, NULL, &number, &unused) == STATUS_OK;
    *value = number;
    return is_one;
}
