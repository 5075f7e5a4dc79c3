/* The code of the process: the program's and its libraries' instructions, and the tables of the functions they call. */
#include "lab/verification/process_code.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define AREAS_MOST 256
#define LIBRARY_MOST (UINT64_C(64) << 20) /* a driver's compiler: too large to be read each time */

static struct area {
    uintptr_t from, to;
    uint64_t sum;
} areas[AREAS_MOST];

static size_t area_count;

typedef uint64_t __attribute__((may_alias)) mapped_word; /* whatever the program keeps there */

/* Order counts: exchanged words have another sum. A mapping is whole pages; the address sanitizer's zones between
 * variables are a part of it. */
__attribute__((no_sanitize("address"))) static uint64_t sum_of(const struct area *area)
{
    uint64_t sum = 0;
    for (uintptr_t at = area->from; at < area->to; at += sizeof(mapped_word)) {
        sum = (sum ^ *(const mapped_word *)at) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

/* What is never written to, of files and of the system's page of fast calls. */
static bool is_code(const char *line, struct area *area)
{
    char rights[5], name[256] = "";
    uint64_t from, to;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %255[^\n]", &from, &to, rights, name) < 3)
        return false;
    *area = (struct area){.from = (uintptr_t)from, .to = (uintptr_t)to};
    bool is_named = name[0] == '/' || strcmp(name, "[vdso]") == 0;
    return is_named && rights[0] == 'r' && rights[1] == '-' && to - from < LIBRARY_MOST;
}

void process_code_note(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    area_count = 0;
    while (maps && area_count < AREAS_MOST && fgets(line, sizeof line, maps))
        if (is_code(line, &areas[area_count]))
            area_count++;
    if (maps)
        fclose(maps);
    for (size_t i = 0; i < area_count; i++)
        areas[i].sum = sum_of(&areas[i]);
}

/* Whether all of it may still be read: a page without rights would end the process. */
static bool is_there(const struct area *wanted)
{
    char line[512];
    uintptr_t at = wanted->from;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && at < wanted->to && fgets(line, sizeof line, maps)) {
        uint64_t from, to;
        char right;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &from, &to, &right) == 3 && from <= at && at < to)
            at = right == 'r' ? (uintptr_t)to : wanted->to + 1;
    }
    if (maps)
        fclose(maps);
    return at == wanted->to || (at > wanted->to && at != wanted->to + 1);
}

enum status process_code_check(struct error *error)
{
    for (size_t i = 0; i < area_count; i++)
        if (!is_there(&areas[i]) || sum_of(&areas[i]) != areas[i].sum)
            return fail(error, STATUS_FAILED, "changed the code of the process that judges it");
    return STATUS_OK;
}
