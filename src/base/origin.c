#include "base/origin.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define DEPTH_MOST 8 /* messages in messages */

size_t origin_conversion(const char *format)
{
    size_t length = 1 + strspn(format + 1, "0123456789$+-#.*hlzjt");
    bool converts = format[length] && strchr("diouxXeEfFgGaAcsp", format[length]);
    return converts ? length + 1 : 1;
}

bool origin_append_string(char *origin, size_t size, const char *string)
{
    static const char escaped[] = "\"\\\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17"
                                  "\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37";
    bool fits = text_append(origin, size, "\"");
    while (fits && *string) {
        size_t plain = strcspn(string, escaped);
        fits = text_append(origin, size, "%.*s", (int)plain, string);
        string += plain;
        if (fits && *string)
            fits = *string < ' ' ? text_append(origin, size, "\\u%04x", (unsigned)*string++)
                                 : text_append(origin, size, "\\%c", *string++);
    }
    return fits && text_append(origin, size, "\"");
}

bool origin_read_string(const char **at, char *string, size_t size)
{
    size_t length = 0;
    if (**at != '"')
        return false;
    for (++*at; **at != '"'; ++*at) {
        unsigned code = (unsigned char)**at;
        if (**at == '\\') {
            ++*at;
            code = (unsigned char)**at;
            if (code == 'u') {
                if (sscanf(*at + 1, "%4x", &code) != 1 || strlen(*at) < 5 || code > 127)
                    return false;
                *at += 4;
            }
        }
        if (!code || length + 1 >= size)
            return false;
        string[length++] = (char)code;
    }
    string[length] = 0;
    ++*at;
    return true;
}

bool origin_skip(const char **at)
{
    int depth = 0;
    do {
        if (**at == '"') {
            for (++*at; **at && **at != '"'; ++*at)
                *at += **at == '\\' && (*at)[1];
            if (!**at)
                return false;
        } else if (**at == '[') {
            depth++;
        } else if (**at == ']') {
            depth--;
        } else if (**at != ',' || depth == 0) {
            return false;
        }
        ++*at;
    } while (depth > 0 && depth <= DEPTH_MOST);
    return depth == 0;
}
