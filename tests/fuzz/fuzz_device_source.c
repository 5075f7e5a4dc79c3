/* Any text as a device rung's file: read or refused with one clear line that names a line of it, never a crash; what is
 * read can be asked everything that the lab asks. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/fake_kernel.h"
#include "kernels/rung_header.h"

const struct kernel *const kernels[] = {&kernel_mix, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Messages for the user are printable, on one line, and begin with "f.cl:LINE: ". */
static void check_message(const struct error *error)
{
    const char *at = error->text;
    if (strncmp(at, "f.cl:", 5) != 0 && strncmp(at, "f.cu:", 5) != 0)
        abort();
    at += 5 + strspn(at + 5, "0123456789");
    if (at[-1] == ':' || strncmp(at, ": ", 2) != 0 || at[2] == '\0')
        abort();
    for (; *at; at++)
        if (iscntrl((unsigned char)*at))
            abort();
}

static void check_text(const char *text, size_t size)
{
    if (!memchr(text, '\0', size) || text[0] == '\0')
        abort();
}

static const struct backend null_backend = {.name = "null", .kind = BACKEND_NULL};

static void ask(const struct rung *rung, const char *problem_words)
{
    const struct device device = {.id = "null", .backend = &null_backend};
    struct problem problem;
    struct parameters parameters;
    struct error error;
    char reason[256], **defines;
    size_t bytes, count;
    if (problem_parse(problem_words, &problem, &error) != STATUS_OK)
        abort();
    if (rung_defaults(rung, &problem, &parameters, &error) != STATUS_OK)
        return;
    reason[0] = '\0';
    if (rung_refuses(rung, &problem, &device, &parameters, reason, sizeof reason) && reason[0] == '\0')
        abort();
    rung_scratch(rung, &problem, &device, &parameters, &bytes, &error);
    if (device_rung_defines(rung, &problem, &parameters, &defines, &count, &error) == STATUS_OK)
        device_rung_defines_free(defines, count);
}

static void read_rung(const char *path, const char *text)
{
    struct rung *rung;
    struct error error = {""};
    if (device_rung_read(&kernel_mix, path, text, NULL, &rung, &error) != STATUS_OK) {
        check_message(&error);
        return;
    }
    check_text(rung->name, sizeof rung->name);
    check_text(rung->idea, sizeof rung->idea);
    check_text(rung->source->entry, sizeof rung->source->entry);
    if (rung->source->rank < 1 || rung->source->rank > 3)
        abort();
    ask(rung, "mix");
    ask(rung, "mix:rows=0,cols=1,alpha=0,f64");
    ask(rung, "mix:rows=2^30,cols=2^30,mode=transposed,u8");
    device_rung_free(rung);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    read_rung("f.cl", text);
    read_rung("f.cu", text);
    free(text);
    return 0;
}
