/* A listing of SASS run by one warp. Its lane 5 is item (5, 2, 0) of group (7, 3, 1). To be included behind cmocka.h
 * and machine_launch.h. */
#pragma once

#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"

static struct machine_constants constants;

/* Runs it to its end, or for a thousand steps. */
static inline struct machine_warp *run(const char *lines)
{
    static struct machine_warp warp;
    static struct machine_code code;
    static uint32_t words[64];
    static bool is_known[64];
    static struct machine_store shared = {words, is_known, COUNT_OF(words)};
    char text[8192];
    struct error error;
    free(code.instructions);
    snprintf(text, sizeof text, "%s%s", FUNCTION, lines);
    if (machine_code_read(text, "k", "", &code, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    machine_bind(&code);
    memset(is_known, 0, sizeof is_known);
    machine_warp_begin(&warp, MACHINE_ALL);
    warp.code = &code;
    warp.constants = &constants;
    warp.shared = &shared;
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        warp.item[0][l] = l;
        warp.item[1][l] = 2;
    }
    warp.group[0] = 7, warp.group[1] = 3, warp.group[2] = 1;
    for (int steps = 0; steps < 1000 && machine_warp_can_run(&warp); steps++)
        machine_step(&warp);
    return &warp;
}

#define LANE 5

static inline void assert_register(const struct machine_warp *warp, int number, uint32_t value)
{
    assert_true(warp->registers[number].known >> LANE & 1);
    assert_int_equal(warp->registers[number].words[LANE], value);
}

static bool is_known(const struct machine_warp *warp, int number)
{
    return warp->registers[number].known >> LANE & 1;
}

static inline uint32_t predicate(const struct machine_warp *warp, int number)
{
    assert_true(warp->predicates[number].known >> LANE & 1);
    return warp->predicates[number].value >> LANE & 1;
}
