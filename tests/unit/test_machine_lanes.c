/* Instructions of SASS over lanes with words of their own: each beside the arithmetic of PTX, written down here for one
 * lane, for pairs of edge values; and what a lane does not know changes no word that it claims to know. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "machine_lanes.h"
#include "machine_launch.h"

/* ---- running them ---- */

static const uint32_t integer_edges[16] = {
    0, 1, 5, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0xdeadbeef, 255, 0x4321, 0xba98fedc};
static const float real_edges[16] = {0,    -3e-39f, 1,       -1.5f,  2.25f,  0.5f,     2.5f,      -0.25f,
                                     3e9f, -3e9f,   1.5e19f, -1e20f, 1e-40f, INFINITY, -INFINITY, NAN};
static const float division_edges[16] = {0,          1,         -2,          0x1p-126f, -0x1.8p-126f, 0x1p126f,
                                         0x1.8p125f, 0x1p-100f, 0x1.1p-100f, 0x1p127f,  INFINITY,     NAN,
                                         0x1p-127f,  1.5f,      0x1p100f,    0x1p-27f};
static const float *reals_used = real_edges;
#define EDGES 16
#define ROUNDS (EDGES * EDGES / MACHINE_LANES)

/* Every pair of edges is that of a lane in one of the rounds. */
static struct operands lane_of(unsigned round, unsigned l, bool is_real)
{
    const unsigned i = round * MACHINE_LANES + l, first = i % EDGES, second = i / EDGES,
                   third = (i * 7 + i / 5) % EDGES, bits = i * 0x9e3779b9u >> 13;
    struct operands lane = {.p = bits & 1, .q = bits & 2, .r = bits & 4};
    if (is_real) {
        lane.a = as_bits(reals_used[first]), lane.b = as_bits(reals_used[second]), lane.c = as_bits(reals_used[third]);
        lane.wide = as_wide((double)reals_used[first] * 1.0000000001);
        lane.other = as_wide((double)reals_used[second] * (second % 2 ? 1 : 1.0000000001));
    } else {
        lane.a = integer_edges[first], lane.b = integer_edges[second], lane.c = integer_edges[third];
        lane.wide = PAIR(integer_edges[third], integer_edges[(first + 3 * second) % EDGES]);
        lane.other = PAIR(lane.a, lane.b);
    }
    lane.d = 0xabcdef01;
    return lane;
}

static void give(struct machine_warp *warp, int number, unsigned l, uint32_t word)
{
    warp->registers[number].words[l] = word;
}

static void give_bit(struct machine_warp *warp, int number, unsigned l, bool bit)
{
    warp->predicates[number].value |= (uint32_t)bit << l;
}

/* Which lanes know the words of R1, R2, R3, R6, R8, P1, P2 and P3. The last lane may know none of them. */
static const uint32_t all_known[8] = {MACHINE_ALL, MACHINE_ALL, MACHINE_ALL, MACHINE_ALL,
                                      MACHINE_ALL, MACHINE_ALL, MACHINE_ALL, MACHINE_ALL};
static const uint32_t some_known[8] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff,
                                       0x0000ffff, 0x66666666, 0x5a5a5a5a, 0x3cc33cc3};
static const char *const names[8] = {"R1", "R2", "R3", "R6", "R8", "P1", "P2", "P3"};

/* One instruction. Lanes that do not know a word hold its complement where `others`. */
static void run(struct machine_warp *warp, const struct machine_code *code, unsigned round, bool is_real,
                const uint32_t known[8], bool others)
{
    static const int numbers[8] = {1, 2, 3, 6, 8, 1, 2, 3};
    machine_warp_begin(warp, MACHINE_ALL);
    warp->code = code;
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        const struct operands lane = lane_of(round, l, is_real);
        give(warp, 1, l, lane.a), give(warp, 2, l, lane.b), give(warp, 3, l, lane.c);
        give(warp, 6, l, (uint32_t)lane.wide), give(warp, 7, l, (uint32_t)(lane.wide >> 32));
        give(warp, 8, l, (uint32_t)lane.other), give(warp, 9, l, (uint32_t)(lane.other >> 32));
        give(warp, 20, l, lane.d), give(warp, 21, l, lane.d);
        give_bit(warp, 1, l, lane.p), give_bit(warp, 2, l, lane.q), give_bit(warp, 3, l, lane.r);
    }
    for (int i = 0; i < 8; i++) {
        const bool is_pair = i == 3 || i == 4;
        for (int more = 0; i < 5 && more <= is_pair; more++) {
            struct machine_register *to = &warp->registers[numbers[i] + more];
            to->known = known[i];
            for (unsigned l = 0; others && l < MACHINE_LANES; l++)
                to->words[l] ^= known[i] >> l & 1 ? 0 : UINT32_MAX;
        }
        if (i >= 5) {
            warp->predicates[numbers[i]].known = known[i];
            warp->predicates[numbers[i]].value ^= others ? ~known[i] : 0;
        }
    }
    warp->registers[20].known = warp->registers[21].known = MACHINE_ALL;
    warp->predicates[4] = warp->predicates[5] = (struct machine_predicate){0, MACHINE_ALL};
    machine_step(warp);
}

/* A register or predicate among the operands, not part of another's name. */
static bool reads(const char *instruction, const char *name)
{
    for (const char *at = strstr(instruction, name); at; at = strstr(at + 1, name)) {
        const char before = at[-1], after = at[strlen(name)];
        if (!(after >= '0' && after <= '9') && before != 'U')
            return true;
    }
    return false;
}

static struct machine_code read_code(const char *guard, const char *instruction)
{
    char text[256];
    struct machine_code code;
    struct error error;
    snprintf(text, sizeof text, FUNCTION "/*0000*/ %s%s ;\n/*0010*/ EXIT ;\n", guard, instruction);
    if (machine_code_read(text, "k", "", &code, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    machine_bind(&code);
    return code;
}

struct result {
    uint64_t value;
    bool p[2];
};

static struct result result_of(const struct machine_warp *warp, unsigned l, enum form form)
{
    const bool is_long = form == LONG || form == DOUBLE;
    return (struct result){PAIR(is_long ? warp->registers[21].words[l] : 0, warp->registers[20].words[l]),
                           {warp->predicates[4].value >> l & 1, warp->predicates[5].value >> l & 1}};
}

static bool is_number(uint64_t value, enum form form)
{
    return form == FLOAT ? !isnan(as_float((uint32_t)value)) : form != DOUBLE || !isnan(as_double(value));
}

static void compare(const struct row *row, unsigned round, unsigned l, const struct operands *lane, struct result found)
{
    struct result wanted = {0, {false, false}};
    wanted.value = row->reference(lane, wanted.p);
    const bool has_word = strstr(row->instruction, "R20"), is_nothing = !is_number(wanted.value, row->form);
    for (int i = 0; i < 2; i++)
        if (strstr(row->instruction, i ? "P5" : "P4") && found.p[i] != wanted.p[i])
            fail_msg("%s: round %u, lane %u: P%d is %d", row->instruction, round, l, 4 + i, found.p[i]);
    if (has_word && (is_nothing ? is_number(found.value, row->form) : found.value != wanted.value))
        fail_msg("%s: round %u, lane %u: 0x%llx, not 0x%llx", row->instruction, round, l,
                 (unsigned long long)found.value, (unsigned long long)wanted.value);
}

/* The lanes that know the instruction's results: all of them, or fail. */
static uint32_t known_of(const struct row *row, const struct machine_warp *warp)
{
    uint32_t known = MACHINE_ALL;
    if (strstr(row->instruction, "R20"))
        known &= warp->registers[20].known;
    if (row->form == LONG || row->form == DOUBLE)
        known &= warp->registers[21].known;
    if (strstr(row->instruction, "P4"))
        known &= warp->predicates[4].known;
    return strstr(row->instruction, "P5") ? known & warp->predicates[5].known : known;
}

static void expect_results(const struct row *rows, size_t count, bool is_real)
{
    static struct machine_warp warp;
    for (size_t i = 0; i < count; i++) {
        struct machine_code code = read_code("", rows[i].instruction);
        for (unsigned round = 0; round < ROUNDS; round++) {
            run(&warp, &code, round, is_real, all_known, false);
            assert_int_equal(known_of(&rows[i], &warp), MACHINE_ALL);
            for (unsigned l = 0; l < MACHINE_LANES; l++) {
                const struct operands lane = lane_of(round, l, is_real);
                compare(&rows[i], round, l, &lane, result_of(&warp, l, rows[i].form));
            }
        }
        free(code.instructions);
    }
}

static void lanes_compute_as_ptx_says(void **state)
{
    (void)state;
    expect_results(integers, COUNT_OF(integers), false);
    expect_results(reals, COUNT_OF(reals), true);
    reals_used = division_edges;
    expect_results(divisions, COUNT_OF(divisions), true);
    reals_used = real_edges;
}

/* Lanes whose guard is false keep what they have. */
static void others_keep_their_words(void **state)
{
    (void)state;
    static struct machine_warp warp;
    for (size_t i = 0; i < COUNT_OF(integers); i++) {
        struct machine_code code = read_code("@P3 ", integers[i].instruction);
        run(&warp, &code, 3, false, all_known, false);
        for (unsigned l = 0; l < MACHINE_LANES; l++) {
            const struct operands lane = lane_of(3, l, false);
            const struct result found = result_of(&warp, l, integers[i].form);
            if (lane.r)
                compare(&integers[i], 3, l, &lane, found);
            else if ((uint32_t)found.value != lane.d || found.p[0] || found.p[1])
                fail_msg("%s: lane %u is written", integers[i].instruction, l);
        }
        free(code.instructions);
    }
}

static void expect_soundness(const struct row *row, bool is_real)
{
    static struct machine_warp warp, other;
    struct machine_code code = read_code("", row->instruction);
    uint32_t all = MACHINE_ALL, any = 0;
    for (int i = 0; i < 8; i++)
        if (reads(row->instruction, names[i])) {
            all &= some_known[i];
            any |= some_known[i];
        }
    for (unsigned round = 0; round < ROUNDS; round++) {
        run(&warp, &code, round, is_real, some_known, false);
        run(&other, &code, round, is_real, some_known, true);
        const uint32_t known = known_of(row, &warp);
        if (known != known_of(row, &other) || (all & ~known) || (known & ~any) ||
            (!row->is_known_by_parts && known != all))
            fail_msg("%s: round %u: lanes 0x%x know it; 0x%x know all, 0x%x some of its operands", row->instruction,
                     round, (unsigned)known, (unsigned)all, (unsigned)any);
        for (unsigned l = 0; l < MACHINE_LANES; l++) {
            const struct result a = result_of(&warp, l, row->form), b = result_of(&other, l, row->form);
            if (known >> l & 1 && is_number(a.value, row->form) &&
                (a.value != b.value || a.p[0] != b.p[0] || a.p[1] != b.p[1]))
                fail_msg("%s: round %u: lane %u does not know it", row->instruction, round, l);
        }
    }
    free(code.instructions);
}

static void unknown_words_change_no_known_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(integers); i++)
        expect_soundness(&integers[i], false);
    for (size_t i = 0; i < COUNT_OF(reals); i++)
        expect_soundness(&reals[i], true);
    expect_soundness(&divisions[0], true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_compute_as_ptx_says),
        cmocka_unit_test(others_keep_their_words),
        cmocka_unit_test(unknown_words_change_no_known_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
