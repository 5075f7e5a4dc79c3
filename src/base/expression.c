#include "base/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"

/* Deeper nesting is refused, so that hostile text cannot exhaust the stack. */
enum { DEPTH_MAX = 64 };

struct parser {
    const char *text;
    const char *at;
    expression_lookup lookup;
    void *context;
    struct error *error;
    int depth;
    int dead; /* above 0 the value does not matter: only syntax and names are judged */
    enum status status;
};

static double parse_binary(struct parser *parser, int lowest);

/* Keeps the first error; what follows it only unwinds. Returns 0 so that a failing path is one line. */
static double refuse(struct parser *parser, const char *what)
{
    if (parser->status == STATUS_OK)
        parser->status = fail(parser->error, STATUS_INVALID, "\"%.200s\": %s at character %d", parser->text, what,
                              (int)(parser->at - parser->text) + 1);
    return 0;
}

static void skip_spaces(struct parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t')
        parser->at++;
}

static bool accept(struct parser *parser, char sign)
{
    skip_spaces(parser);
    if (*parser->at != sign)
        return false;
    parser->at++;
    return true;
}

static double checked(struct parser *parser, double value)
{
    if (parser->dead == 0 && !isfinite(value))
        return refuse(parser, N_("the value is too large"));
    return parser->dead == 0 ? value : 0;
}

/* ---- functions ---------------------------------------------------------------------------------------------- */

static double function_ceil(struct parser *parser, const double *values)
{
    (void)parser;
    return ceil(values[0]);
}

static double function_floor(struct parser *parser, const double *values)
{
    (void)parser;
    return floor(values[0]);
}

static double function_min(struct parser *parser, const double *values)
{
    (void)parser;
    return values[0] < values[1] ? values[0] : values[1];
}

static double function_max(struct parser *parser, const double *values)
{
    (void)parser;
    return values[0] > values[1] ? values[0] : values[1];
}

static double function_log2(struct parser *parser, const double *values)
{
    if (parser->dead == 0 && values[0] <= 0)
        return refuse(parser, N_("log2 of what is not above 0"));
    return parser->dead == 0 ? log2(values[0]) : 0;
}

static const struct {
    const char *name;
    int values;
    double (*apply)(struct parser *parser, const double *values);
} functions[] = {
    {"ceil", 1, function_ceil}, {"floor", 1, function_floor}, {"min", 2, function_min},
    {"max", 2, function_max},   {"log2", 1, function_log2},
};

static double parse_call(struct parser *parser, const char *name, int length)
{
    char what[160];
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        if (strncmp(functions[i].name, name, (size_t)length) != 0 || functions[i].name[length] != '\0')
            continue;
        double values[2] = {0, 0};
        for (int k = 0; k < functions[i].values; k++) {
            if (k > 0 && !accept(parser, ',')) {
                snprintf(what, sizeof what, "%s takes %d values", functions[i].name, functions[i].values);
                return refuse(parser, what);
            }
            values[k] = parse_binary(parser, 0);
        }
        if (!accept(parser, ')'))
            return refuse(parser, N_("')' is missing"));
        return functions[i].apply(parser, values);
    }
    parser->at = name;
    snprintf(what, sizeof what, "'%.*s' is not a function (ceil, floor, min, max, log2)", length < 32 ? length : 32,
             name);
    return refuse(parser, what);
}

/* ---- operands ------------------------------------------------------------------------------------------------ */

static double parse_number(struct parser *parser)
{
    char number[64];
    size_t length = strspn(parser->at, "0123456789.");
    if (length == 1 && isdigit((unsigned char)*parser->at) && parser->at[1] != 'e' && parser->at[1] != 'E')
        return *parser->at++ - '0'; /* most of them */
    if (length > 0 && (parser->at[length] == 'e' || parser->at[length] == 'E')) {
        size_t sign = parser->at[length + 1] == '+' || parser->at[length + 1] == '-';
        length += 1 + sign + strspn(parser->at + length + 1 + sign, "0123456789");
    }
    double value;
    if (length >= sizeof number)
        return refuse(parser, N_("the number is too long"));
    snprintf(number, sizeof number, "%.*s", (int)length, parser->at);
    if (!text_real(number, &value))
        return refuse(parser, N_("this is not a number"));
    parser->at += length;
    return value;
}

static double parse_name(struct parser *parser)
{
    const char *name = parser->at;
    while (isalnum((unsigned char)*parser->at) || *parser->at == '_')
        parser->at++;
    int length = (int)(parser->at - name);
    if (accept(parser, '('))
        return parse_call(parser, name, length);
    double value = 0;
    if (!parser->lookup || !parser->lookup(parser->context, name, length, &value)) {
        char what[96];
        snprintf(what, sizeof what, "unknown name '%.*s'", length < 64 ? length : 64, name);
        parser->at = name;
        return refuse(parser, what);
    }
    return checked(parser, value);
}

static double parse_operand(struct parser *parser)
{
    skip_spaces(parser);
    unsigned char first = (unsigned char)*parser->at;
    if (isdigit(first) || first == '.')
        return parse_number(parser);
    if (isalpha(first) || first == '_')
        return parse_name(parser);
    if (!accept(parser, '('))
        return refuse(parser, first == '\0' ? N_("it ends where a value should be") : N_("a value should be here"));
    double value = parse_binary(parser, 0);
    if (!accept(parser, ')'))
        return refuse(parser, N_("')' is missing"));
    return value;
}

static double parse_unary(struct parser *parser)
{
    if (parser->status != STATUS_OK)
        return 0;
    if (parser->depth >= DEPTH_MAX)
        return refuse(parser, N_("nested too deeply"));
    parser->depth++;
    double value;
    skip_spaces(parser);
    if (accept(parser, '-'))
        value = -parse_unary(parser);
    else if (accept(parser, '!'))
        value = parse_unary(parser) == 0;
    else
        value = parse_operand(parser);
    parser->depth--;
    return value;
}

/* ---- operators ----------------------------------------------------------------------------------------------- */

enum operation { OR, AND, EQUAL, UNEQUAL, AT_MOST, AT_LEAST, BELOW, ABOVE, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER };

/* Longer signs before their beginnings. */
static const struct operator
{
    char sign[3];
    int precedence;
    enum operation operation;
}
operators[] = {
    {"||", 1, OR},       {"&&", 2, AND},   {"==", 3, EQUAL},    {"!=", 3, UNEQUAL}, {"<=", 4, AT_MOST},
    {">=", 4, AT_LEAST}, {"<", 4, BELOW},  {">", 4, ABOVE},     {"+", 5, ADD},      {"-", 5, SUBTRACT},
    {"*", 6, MULTIPLY},  {"/", 6, DIVIDE}, {"%", 6, REMAINDER},
};

static const struct operator* next_operator(struct parser *parser)
{
    skip_spaces(parser);
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (parser->at[0] == operators[i].sign[0] &&
            (operators[i].sign[1] == '\0' || parser->at[1] == operators[i].sign[1]))
            return &operators[i];
    return NULL;
}

static double divide(struct parser *parser, enum operation operation, double left, double right)
{
    if (parser->dead > 0)
        return 0;
    if (right == 0)
        return refuse(parser, N_("division by zero"));
    return checked(parser, operation == DIVIDE ? left / right : fmod(left, right));
}

static double apply(struct parser *parser, enum operation operation, double left, double right)
{
    switch (operation) {
    case OR:
        return left != 0 || right != 0;
    case AND:
        return left != 0 && right != 0;
    case EQUAL:
        return left == right;
    case UNEQUAL:
        return left != right;
    case AT_MOST:
        return left <= right;
    case AT_LEAST:
        return left >= right;
    case BELOW:
        return left < right;
    case ABOVE:
        return left > right;
    case ADD:
        return checked(parser, left + right);
    case SUBTRACT:
        return checked(parser, left - right);
    case MULTIPLY:
        return checked(parser, left * right);
    case DIVIDE:
    case REMAINDER:
        break;
    }
    return divide(parser, operation, left, right);
}

/* Operators of at least the precedence `lowest`, each level joining from the left. */
static double parse_binary(struct parser *parser, int lowest)
{
    double left = parse_unary(parser);
    while (parser->status == STATUS_OK) {
        const struct operator* operator= next_operator(parser);
        if (!operator|| operator->precedence<lowest)
            break;
        const char *sign = parser->at;
        parser->at += strlen(operator->sign);
        bool decided = (operator->operation == OR && left != 0) || (operator->operation == AND && left == 0);
        parser->dead += decided;
        double right = parse_binary(parser, operator->precedence + 1);
        parser->dead -= decided;
        /* A message about the operation points at its sign. */
        const char *after = parser->at;
        parser->at = sign;
        left = apply(parser, operator->operation, left, right);
        parser->at = after;
    }
    return left;
}

static enum status parse(const char *text, expression_lookup lookup, void *context, int dead, double *value,
                         struct error *error)
{
    struct parser parser = {
        .text = text, .at = text, .lookup = lookup, .context = context, .error = error, .dead = dead};
    double result = parse_binary(&parser, 0);
    skip_spaces(&parser);
    if (*parser.at != '\0')
        refuse(&parser, N_("an operator should be here"));
    if (parser.status == STATUS_OK)
        *value = result;
    return parser.status;
}

enum status expression_evaluate(const char *text, expression_lookup lookup, void *context, double *value,
                                struct error *error)
{
    return parse(text, lookup, context, 0, value, error);
}

enum status expression_check(const char *text, expression_lookup lookup, void *context, struct error *error)
{
    double ignored;
    return parse(text, lookup, context, 1, &ignored, error);
}

enum status expression_integer(const char *text, expression_lookup lookup, void *context, int64_t *value,
                               struct error *error)
{
    double result;
    enum status status = expression_evaluate(text, lookup, context, &result, error);
    if (status != STATUS_OK)
        return status;
    char number[32];
    if (result < 0 || result > 0x1p53)
        return fail(error, STATUS_INVALID, "\"%.200s\" is %s; an integer from 0 to 2^53 is needed", text,
                    text_from_real(result, number, sizeof number));
    if (result != floor(result))
        return fail(error, STATUS_INVALID, "\"%.200s\" is %s, which is not an integer; ceil() or floor() makes it one",
                    text, text_from_real(result, number, sizeof number));
    *value = (int64_t)result;
    return STATUS_OK;
}
