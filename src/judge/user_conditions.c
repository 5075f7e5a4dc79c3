#include "judge/user_conditions.h"

#include <stdbool.h>
#include <string.h>

#include "judge/user_code.h"

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

void user_conditions_settle(char *lines)
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
