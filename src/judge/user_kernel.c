#include "judge/user_kernel.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "judge/user_code.h"
#include "judge/user_type.h"

/* Conditional compilation in a user's file, as far as it can be told without a preprocessor. */

#define DEPTH_MOST 64

enum branch {
    BRANCH_UNKNOWN, /* it and its others stay */
    BRANCH_TAKEN,
    BRANCH_LEFT,
};

static bool is_defined(const char *lines, const char *name, size_t length)
{
    for (const char *at = lines; (at = strstr(at, "define")); at++) {
        const char *defined = at + 6 + strspn(at + 6, " \t");
        if (at[6] != 'd' && user_code_word(defined) == length && strncmp(defined, name, length) == 0)
            return true;
    }
    return false;
}

/* The branch behind "#if …"; `word` is the directive's. */
static enum branch judge(const char *lines, const char *word, size_t length)
{
    bool is_plain = user_code_is(word, length, "if"), is_inverted = user_code_is(word, length, "ifndef");
    const char *at = word + length + strspn(word + length, " \t");
    if (is_plain) {
        is_inverted = *at == '!';
        at += is_inverted ? 1 + strspn(at + 1, " \t") : 0;
        if ((*at == '0' || *at == '1') && !is_inverted && strcspn(at + 1, " \t\r\n") == 0)
            return *at == '1' ? BRANCH_TAKEN : BRANCH_LEFT;
        if (strncmp(at, "defined", 7) != 0)
            return BRANCH_UNKNOWN;
        at += 7 + strspn(at + 7, " \t(");
    }
    size_t name = user_code_word(at);
    bool is_whole = at[name + strspn(at + name, " \t\r)")] == '\n';
    if (!name || !is_whole)
        return BRANCH_UNKNOWN;
    return is_defined(lines, at, name) != is_inverted ? BRANCH_TAKEN : BRANCH_LEFT;
}

/* Blanks out what "#ifdef X", "#ifndef X", "#if defined(X)", "#if !defined(X)", "#if 0" and "#if 1" leave out, in a
 * text without comments (user_code.h). X is defined if the text defines it anywhere. Other conditions keep all
 * branches. */
static void user_conditions_settle(char *lines)
{
    enum branch stack[DEPTH_MOST] = {BRANCH_UNKNOWN};
    size_t depth = 0, deeper = 0, left = 0; /* `left`: levels that are left out */
    for (char *line = lines; *line;) {
        size_t length = strcspn(line, "\n"), begin = strspn(line, " \t");
        bool is_directive = line[begin] == '#';
        const char *word = line + begin + 1 + (is_directive ? strspn(line + begin + 1, " \t") : 0);
        size_t width = is_directive ? user_code_word(word) : 0;
        if (width >= 2 && strncmp(word, "if", 2) == 0) {
            if (depth + 1 >= DEPTH_MOST) {
                deeper++;
            } else {
                stack[++depth] = judge(lines, word, width);
                left += stack[depth] == BRANCH_LEFT;
            }
        } else if (user_code_is(word, width, "endif")) {
            if (deeper)
                deeper--;
            else if (depth)
                left -= stack[depth--] == BRANCH_LEFT;
        } else if (user_code_is(word, width, "else") && !deeper && depth) {
            left -= stack[depth] == BRANCH_LEFT;
            stack[depth] = stack[depth] == BRANCH_LEFT    ? BRANCH_TAKEN
                           : stack[depth] == BRANCH_TAKEN ? BRANCH_LEFT
                                                          : BRANCH_UNKNOWN;
            left += stack[depth] == BRANCH_LEFT;
        } else if (user_code_is(word, width, "elif") && !deeper && depth) {
            left -= stack[depth] == BRANCH_LEFT;
            stack[depth] = BRANCH_UNKNOWN;
        } else if (left) {
            memset(line, ' ', length);
        }
        line += length + (line[length] == '\n');
    }
}

/* ---- the text ------------------------------------------------------------------------------------------------- */

static bool is_marker(const char *word, size_t length, bool is_cuda)
{
    static const char *const opencl[] = {"__kernel", "kernel"}, *const cuda[] = {"__global__", "__global__"};
    const char *const *markers = is_cuda ? cuda : opencl;
    for (int i = 0; i < 2; i++)
        if (strlen(markers[i]) == length && strncmp(word, markers[i], length) == 0)
            return true;
    return false;
}

/* Whether the function's body, or the end of its declaration, is at `at`, behind attributes. */
static bool ends_head(const char *code, size_t at)
{
    for (at = user_code_skip_blanks(code, at); strncmp(code + at, "__", 2) == 0; at = user_code_skip_blanks(code, at)) {
        at = user_code_skip_blanks(code, at + user_code_word(code + at));
        at = code[at] == '(' ? user_code_skip_parentheses(code, at) : at;
    }
    return code[at] == '{' || code[at] == ';' || code[at] == '\0';
}

/* Reads the function's name after a marker, past attributes such as __launch_bounds__(256), and macros that stand for
 * them. False if there is none. */
static bool find_name(const char *code, size_t at, size_t *name, size_t *length, size_t *open)
{
    *length = 0;
    for (at = user_code_skip_blanks(code, at); code[at]; at = user_code_skip_blanks(code, at)) {
        if (code[at] == '(') {
            bool is_attribute = *length > 1 && code[*name] == '_' && code[*name + 1] == '_';
            *open = at;
            at = user_code_skip_parentheses(code, at);
            if (!is_attribute && (*length == 0 || ends_head(code, at)))
                return *length > 0;
        } else if (user_code_is_word(code[at])) {
            *name = at;
            *length = user_code_word(code + at);
            at += *length;
        } else if (code[at] == '*' || code[at] == '&' || code[at] == ':') {
            at++;
        } else {
            return false;
        }
    }
    return false;
}

/* ---- parameters ----------------------------------------------------------------------------------------------- */

static bool is_qualifier(const char *word, size_t length)
{
    static const char *const words[] = {"const",    "__global",   "global",   "__restrict__", "__restrict", "restrict",
                                        "volatile", "__constant", "constant", "struct",       "__read_only"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncmp(words[i], word, length) == 0)
            return true;
    return false;
}

static bool is_local(const char *word, size_t length)
{
    return user_code_is(word, length, "__local") || user_code_is(word, length, "local") ||
           user_code_is(word, length, "local_pointer");
}

/* "float complex", "_Complex double" */
static bool is_complex_word(const char *word, size_t length)
{
    return user_code_is(word, length, "complex") || user_code_is(word, length, "_Complex");
}

/* One name for each type of elements: "uint" for "unsigned int", "long" for "long int", "complex double". */
static void write_type(const char *word, bool is_unsigned, bool is_long, bool is_complex, char type[64])
{
    static const char *const narrow[][2] = {{"int", "uint"}, {"short", "ushort"}, {"char", "uchar"}};
    if (is_long && strcmp(word, "double") != 0)
        word = is_unsigned ? "ulong" : "long";
    for (size_t i = 0; is_unsigned && i < COUNT_OF(narrow); i++)
        if (strcmp(word, narrow[i][0]) == 0)
            word = narrow[i][1];
    snprintf(type, 64, "%s%s%.40s", is_long && strcmp(word, "double") == 0 ? "long " : "", is_complex ? "complex " : "",
             word);
}

/* Parses one parameter, code[from, to). */
static bool read_parameter(const char *code, size_t from, size_t to, struct user_kernel *kernel)
{
    char words[2][64] = {"", ""};
    bool is_pointer = false, is_unsigned = false, is_long = false, is_const = false, in_local = false,
         is_complex = false;
    size_t count = 0, stars = 0;
    for (size_t at = from; at < to;) {
        if (!user_code_is_word(code[at])) {
            bool is_bracket = code[at] == '[';
            is_pointer = is_pointer || code[at] == '*' || is_bracket;
            stars += code[at] == '*' || (is_bracket && code[at - 1] != ')' && code[at - 1] != ']');
            at = is_bracket ? user_code_skip_parentheses(code, at)
                            : at + 1; /* "a[rows][cols]": the sizes name nothing */
            continue;
        }
        size_t length = user_code_word(code + at);
        is_const = is_const || (!is_pointer && length == 5 && strncmp(code + at, "const", 5) == 0);
        bool is_space = is_local(code + at, length), is_pair = is_complex_word(code + at, length);
        in_local = in_local || is_space;
        is_complex = is_complex || is_pair;
        if (!is_space && !is_pair && length < sizeof words[0] && !is_qualifier(code + at, length) &&
            !isdigit((unsigned char)code[at])) {
            bool is_sign = length == 8 && strncmp(code + at, "unsigned", 8) == 0;
            is_unsigned = is_unsigned || is_sign;
            is_long = is_long || user_code_is(code + at, length, "long");
            if (count == 2 && !is_sign) /* "long long n", "unsigned int n": the last word is the name */
                snprintf(words[0], sizeof words[0], "%s", words[1]);
            if (!is_sign) {
                snprintf(words[count < 2 ? count : 1], sizeof words[0], "%.*s", (int)length, code + at);
                count += count < 2;
            }
        }
        at += length;
    }
    if (count == 0)
        return true; /* (void) or nothing */
    if (kernel->count == USER_PARAMETERS_MOST)
        return false;
    if (count == 1) { /* "unsigned n" */
        snprintf(words[1], sizeof words[1], "%s", words[0]);
        strcpy(words[0], is_unsigned ? "uint" : "");
        if (!is_unsigned)
            return strcmp(words[1], "void") == 0;
    }
    write_type(words[0], is_unsigned, is_long, is_complex, kernel->parameters[kernel->count].type);
    strcpy(kernel->parameters[kernel->count].name, words[1]);
    kernel->parameters[kernel->count].is_local = in_local;
    kernel->parameters[kernel->count].is_of_rows = stars > 1;
    kernel->parameters[kernel->count].is_read_only = is_const && is_pointer;
    kernel->parameters[kernel->count++].is_pointer = is_pointer;
    return true;
}

bool user_kernel_parameters(const char *code, size_t open, struct user_kernel *kernel)
{
    size_t end = user_code_skip_parentheses(code, open) - 1, from = open + 1;
    for (size_t at = from; at <= end; at++)
        if (code[at] == ',' || at == end) {
            if (!read_parameter(code, from, at, kernel))
                return false;
            from = at + 1;
        }
    return true;
}

/* Whether the code has this character behind the call's or the variable's name: "get_local_id(1)", "blockIdx.y". */
static bool uses_axis(const char *text, const char *name, char axis)
{
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *next = at + strlen(name);
        if (next[strspn(next, " \t")] == axis)
            return true;
    }
    return false;
}

/* The number of axes of the index space that the code uses; macros are a part of it. 0: not known, as an axis is named
 * by a variable, or the index is handed on as a whole. */
static int rank_of(const char *text)
{
    static const char *const names[] = {"_id(", "Idx."};
    static const char *const digits = "012", *const letters = "xyz";
    int rank = 1;
    for (const char *at = text; (at = strstr(at, "_id(")); at++)
        if (!strchr(digits, at[4 + strspn(at + 4, " \t")]))
            rank = 0;
    for (const char *at = text; (at = strstr(at, "Idx")); at++)
        if (at[3] != '.' && !user_code_is_word(at[3]))
            rank = 0;
    for (int axis = 1; axis < 3 && rank; axis++)
        if (uses_axis(text, names[0], digits[axis]) || uses_axis(text, names[1], letters[axis]))
            rank = axis + 1;
    return rank;
}

enum status user_kernel_find(const char *text, bool is_cuda, const char *wanted, const char *usual,
                             struct user_kernel *kernel, struct error *error)
{
    char *code = user_code_blank(text, false), all[256] = "";
    size_t found = 0, name = 0, length = 0, open = 0;
    struct user_kernel candidate;
    bool is_chosen = false, is_read = true;
    *kernel = (struct user_kernel){.at = 0};
    if (!code)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the file");
    for (size_t at = 0; code[at]; at += code[at] != '\0') {
        size_t word = user_code_word(code + at), marker = at;
        at += word;
        if (!word || !is_marker(code + marker, word, is_cuda) || !find_name(code, at, &name, &length, &open))
            continue;
        if (code[user_code_skip_blanks(code, user_code_skip_parentheses(code, open))] == ';')
            continue; /* its definition follows */
        candidate = (struct user_kernel){.at = name, .marker = marker};
        snprintf(candidate.name, sizeof candidate.name, "%.*s", (int)length, code + name);
        text_append(all, sizeof all, "%s%s", found++ ? ", " : "", candidate.name);
        bool is_wanted = strcmp(candidate.name, wanted ? wanted : usual) == 0;
        if (is_wanted || (!wanted && !is_chosen && found == 1)) {
            is_chosen = is_chosen || is_wanted;
            is_read = user_kernel_parameters(code, open, &candidate);
            *kernel = candidate;
        }
        if (code[at] == '\0')
            break;
    }
    free(code);
    code = user_code_blank(text, true);
    int rank = code ? rank_of(code) : 0;
    const char *marker_word = is_cuda ? "__global__" : "__kernel";
    bool is_in_macro = code && strstr(code, marker_word);
    bool is_other = code && strstr(code, is_cuda ? "__kernel" : "__global__");
    if (code)
        user_conditions_settle(code);
    for (size_t p = 0; code && p < kernel->count; p++)
        user_type_resolve(code, kernel->parameters[p].type, sizeof kernel->parameters[p].type);
    free(code);
    if (!found && is_in_macro)
        return fail(error, STATUS_INVALID,
                    "there is no %s function in it that is written out: one that a macro makes is not found",
                    marker_word);
    if (!found && is_other)
        return fail(error, STATUS_INVALID, "there is no %s function in it, but a %s one: its name should end in %s",
                    marker_word, is_cuda ? "__kernel" : "__global__", is_cuda ? ".cl" : ".cu");
    if (!found)
        return fail(error, STATUS_INVALID,
                    "there is no %s function in it: write %s void before the name of the one that is to run",
                    marker_word, marker_word);
    if (wanted && !is_chosen)
        return fail(error, STATUS_INVALID, "it has no kernel '%.60s'; it has %s", wanted, all);
    if (!wanted && !is_chosen && found > 1)
        return fail(error, STATUS_INVALID, "it has several kernels (%s): choose one with --entry", all);
    kernel->rank = rank;
    return is_read ? STATUS_OK : fail(error, STATUS_INVALID, "the parameters of '%s' cannot be read", kernel->name);
}
