#include "judge/user_tokens.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/user_code.h"
#include "judge/user_file.h"
#include "walls/program.h"

#define SECONDS 10
#define BYTES_MOST ((off_t)64 << 20)

/* What a memory file has; NULL where there is nothing, or too much. The caller frees it. */
static char *read_all(int file)
{
    struct stat facts;
    char *text = fstat(file, &facts) == 0 && facts.st_size > 0 && facts.st_size < BYTES_MOST
                     ? calloc(1, (size_t)facts.st_size + 1)
                     : NULL;
    if (text && pread(file, text, (size_t)facts.st_size, 0) != (ssize_t)facts.st_size) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Its text behind the preprocessor, with the lines that name each part's file; NULL where it fails. */
static char *preprocess(const char *path)
{
    const char *const arguments[] = {"cc", "-E", "-x", "c", "-DELEMENT=float", path, NULL};
    const char *const readable[] = {path, NULL};
    int output = memfd_create("tokens", MFD_CLOEXEC);
    char *text = NULL;
    if (output >= 0 && program_run(
                           &(struct confined_program){
                               .arguments = arguments, .readable = readable, .output = output, .seconds = SECONDS},
                           NULL) == 0)
        text = read_all(output);
    if (output >= 0)
        close(output);
    return text;
}

/* Blanks out what came from other files, and the lines that say so: # 1 "file". */
static void keep_own(char *text, const char *path)
{
    bool is_own = true;
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        const char *name = line[0] == '#' && line[1] == ' ' ? memchr(line, '"', length) : NULL;
        if (name)
            is_own = strncmp(name + 1, path, strlen(path)) == 0 && name[1 + strlen(path)] == '"';
        if (name || !is_own)
            memset(line, ' ', length);
        line += length + (line[length] == '\n');
    }
}

/* Words and signs, each behind a blank, in place: a sign is one character, so that no space between two matters. */
static void squeeze(const char *code, char *tokens)
{
    while (*code) {
        const size_t word = user_code_word(code);
        const size_t length = word ? word : 1;
        if (!isspace((unsigned char)*code)) {
            *tokens++ = ' ';
            memcpy(tokens, code, length);
            tokens += length;
        }
        code += length;
    }
    *tokens = '\0';
}

char *user_tokens_read(const char *path)
{
    struct error unused;
    char *text = preprocess(path);
    if (text)
        keep_own(text, path);
    else if (user_file_read(path, &text, &unused) != STATUS_OK)
        return NULL;
    char *code = user_code_blank(text, true), *tokens = code ? malloc(2 * strlen(code) + 1) : NULL;
    if (tokens)
        squeeze(code, tokens);
    free(code);
    free(text);
    return tokens;
}

void user_tokens_hash(const char *path, char hash[65])
{
    char *tokens = user_tokens_read(path);
    hash[0] = '\0';
    if (tokens)
        user_file_hash(tokens, hash);
    free(tokens);
}
