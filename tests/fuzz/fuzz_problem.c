/* Any text as a problem: refused with a reason, or the same problem again when its canonical text is read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/fake_kernel.h"

const struct kernel *const kernels[] = {&kernel_mix, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_canonical(const struct problem *problem)
{
    char text[PROBLEM_TEXT_MAX], again_text[PROBLEM_TEXT_MAX];
    struct problem again;
    if (problem_parse(problem_text(problem, text), &again, NULL) != STATUS_OK ||
        strcmp(problem_text(&again, again_text), text) != 0)
        abort();
}

static void read_one(const char *text)
{
    struct problem problem;
    struct error error = {""};
    if (problem_parse(text, &problem, &error) == STATUS_OK)
        check_canonical(&problem);
    else if (error.text[0] == '\0')
        abort();
}

static void read_range(const char *text)
{
    struct problem *problems;
    size_t count;
    struct error error = {""};
    if (problem_parse_range(text, &problems, &count, &error) != STATUS_OK) {
        if (error.text[0] == '\0' || problems || count)
            abort();
        return;
    }
    if (count == 0)
        abort();
    check_canonical(&problems[0]);
    check_canonical(&problems[count - 1]);
    free(problems);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    read_one(text);
    read_range(text);
    free(text);
    return 0;
}
