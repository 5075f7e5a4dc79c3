#include "explain/memory/traced_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/host_headers.h"
#include "base/embedded.h"
#include "base/size.h"
#include "explain/memory/kernel_text.h"
#include "explain/memory/ptx_words.h"

/* Elements of shared memory whose size the launch gives: floats in the most that a group may have (227 KiB, 9.0). */
#define BOUND "[58112]"

/* Headers of CUDA for the device's code. */
static const char *const device_headers[] = {
    "cooperative_groups.h", "cuda_bf16.h",     "cuda_fp16.h", "cuda_fp8.h", "cuda_fp4.h",
    "cuda_fp6.h",           "cuda_pipeline.h", "mma.h",       "crt/mma.h",  "sm_61_intrinsics.h",
};

/* Libraries of both: theirs is the device's where its code names it. */
static const struct {
    const char *folder, *word;
} libraries[] = {{"thrust/", "thrust::"}, {"cub/", "cub::"}, {"cuda/", "cuda::"}, {"cooperative_groups/", "cg::"}};

/* ---- a line at a time ------------------------------------------------------------------------------------------- */

/* Behind "#", spaces and the directive's name; NULL: the line is another. */
static const char *directive(const char *line, const char *name)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, " \t");
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && !isalnum((unsigned char)line[length]) ? line + length : NULL;
}

/* The name between quotes or angle brackets; false: there is none. */
static bool quoted(const char *at, char *name, size_t size)
{
    at += strcspn(at, "\"<\n");
    if (*at != '"' && *at != '<')
        return false;
    size_t length = strcspn(at + 1, "\">\n");
    snprintf(name, size, "%.*s", (int)length, at + 1);
    return true;
}

/* Neither a header of the device's code, nor one of this program: it has nothing that the device's code needs. */
static bool is_of_host(const char *text, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(device_headers); i++)
        if (strcmp(name, device_headers[i]) == 0)
            return false;
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        if (strncmp(name, libraries[i].folder, strlen(libraries[i].folder)) == 0 && strstr(text, libraries[i].word))
            return false;
    return strcmp(name, CUDA_HOST_WORDS) == 0 || !embedded_find(name);
}

struct output {
    char *text;
    size_t count;
};

static void put(struct output *output, const char *text, size_t length)
{
    memcpy(output->text + output->count, text, length);
    output->count += length;
}

static void put_line(struct output *output, const struct program_source *source, const char *line, size_t length)
{
    char name[256];
    const char *behind = directive(line, "line");
    if (behind && quoted(behind, name, sizeof name) && strcmp(name, source->name) == 0) {
        put(output, line, strcspn(line, "\""));
        put(output, "\"" TRACED_FILE "\"", sizeof TRACED_FILE + 1);
        return;
    }
    behind = directive(line, "include");
    if (source->language == LANGUAGE_CUDA_C && behind && quoted(behind, name, sizeof name) &&
        is_of_host(source->text, name))
        return;
    put(output, line, length);
}

/* ---- shared memory whose size the launch gives ------------------------------------------------------------------ */

/* "extern __shared__ float tile[];" */
struct dynamic_array {
    size_t external; /* where "extern" begins */
    size_t open;     /* where "[]" begins and ends */
    size_t close;
};

/* The next such array from `from` on; false: there is none. */
static bool find_dynamic(const char *text, size_t from, struct dynamic_array *found)
{
    static const char word[] = "extern";
    const size_t length = sizeof word - 1;
    for (const char *at = text + from; (at = kernel_text_word(text, at, word)) != NULL; at += length) {
        const char *shared = at + length + strspn(at + length, " \t\n"), *end = shared + strcspn(shared, ";{=");
        if (kernel_text_word(text, shared, "__shared__") != shared || *end != ';')
            continue;
        const char *open = end;
        while (open > shared && isspace((unsigned char)open[-1]))
            open--;
        found->close = (size_t)(open - text);
        if (open[-1] != ']')
            continue;
        for (open--; open > shared && isspace((unsigned char)open[-1]);)
            open--;
        if (open[-1] != '[')
            continue;
        found->external = (size_t)(at - text);
        found->open = (size_t)(open - 1 - text);
        return true;
    }
    return false;
}

/* Takes `text`, and returns it with the arrays' bounds. */
static char *give_bounds(char *text)
{
    struct dynamic_array found;
    for (size_t from = 0; text && find_dynamic(text, from, &found); from = found.open) {
        size_t behind = strlen(text + found.close) + 1;
        char *larger = realloc(text, found.close + behind + sizeof BOUND);
        if (!larger) {
            free(text);
            return NULL;
        }
        text = larger;
        memset(text + found.external, ' ', strlen("extern"));
        memmove(text + found.open + strlen(BOUND), text + found.close, behind);
        memcpy(text + found.open, BOUND, strlen(BOUND));
    }
    return text;
}

/* ---- hints to loops -----------------------------------------------------------------------------------------------
 */

/* "__attribute__((opencl_unroll_hint(4)))": C++ has no attributes before a loop. */
static void blank_hints(char *text)
{
    static const char word[] = "__attribute__";
    for (char *at = text; (at = strstr(at, word)) != NULL;) {
        char *behind = at + strlen(word);
        const size_t opens = strspn(behind, " \t(");
        const bool is_hint = strncmp(behind + opens, "opencl_unroll_hint", strlen("opencl_unroll_hint")) == 0;
        int depth = 0;
        do {
            depth += (*behind == '(') - (*behind == ')');
        } while (*behind && (*behind++ != ')' || depth > 0));
        if (is_hint)
            memset(at, ' ', (size_t)(behind - at));
        at = behind;
    }
}

/* ---- the text --------------------------------------------------------------------------------------------------- */

char *traced_text(const struct program_source *source)
{
    char *code = ptx_words_as_code(source->text);
    size_t lines = 1;
    for (const char *at = code ? code : ""; *at; at++)
        lines += *at == '\n';
    struct output output = {.text = code ? malloc(strlen(code) + lines * sizeof TRACED_FILE + 1) : NULL};
    for (const char *line = code; output.text && *line;) {
        size_t length = strcspn(line, "\n");
        put_line(&output, source, line, length);
        line += length;
        if (*line == '\n')
            put(&output, line++, 1);
    }
    free(code);
    if (!output.text)
        return NULL;
    output.text[output.count] = '\0';
    if (source->language == LANGUAGE_CUDA_C)
        return give_bounds(output.text);
    blank_hints(output.text);
    return output.text;
}

bool traced_text_includes(const char *text, char *name, size_t size)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *behind = directive(line, "include");
        if (behind && quoted(behind, name, size))
            return true;
    }
    return false;
}
