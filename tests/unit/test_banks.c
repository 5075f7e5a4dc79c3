/* Passes over the banks of shared memory: strides, whose conflicts are a greatest common divisor; wide words; parts of
 * a warp; atomic operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "explain/memory/lane.h"
#include "explain/memory/rules.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* Lane i of `mask` accesses `bytes` from word i * stride on. */
static struct access_counts count(enum banking banking, unsigned kind, unsigned bytes, unsigned stride, uint32_t mask)
{
    struct access_counts counts = {0};
    struct warp_access access = {.is_shared = true, .kind = kind, .bytes = bytes, .mask = mask};
    for (unsigned i = 0; i < WARP_LANES; i++)
        access.at[i] = (uint64_t)4 * i * stride;
    banks_count(banking, &access, &counts);
    return counts;
}

static unsigned divisor(unsigned a, unsigned b)
{
    return b ? divisor(b, a % b) : a;
}

static void expect(struct access_counts counts, unsigned requests, unsigned transactions, unsigned conflicts,
                   unsigned moved, unsigned used)
{
    assert_int_equal(counts.requests, requests);
    assert_int_equal(counts.transactions, transactions);
    assert_int_equal(counts.conflicts, conflicts);
    assert_int_equal(counts.bytes_moved, moved);
    assert_int_equal(counts.bytes_used, used);
}

#define ALL UINT32_MAX

/* Lanes that are 32 / gcd apart meet in a bank. Of 16 banks each half of the warp is a request. */
static void strides(void **state)
{
    (void)state;
    for (unsigned stride = 1; stride <= 66; stride++) {
        const unsigned of32 = divisor(stride, 32), of16 = divisor(stride, 16);
        expect(count(BANKS_32, EVENT_LOAD, 4, stride, ALL), 1, of32, of32 - 1, 128 * of32, 128);
        expect(count(BANKS_32, EVENT_STORE, 4, stride, ALL), 1, of32, of32 - 1, 128 * of32, 128);
        expect(count(BANKS_32_2X, EVENT_LOAD, 4, stride, ALL), 1, of32, of32 - 1, 128 * of32, 128);
        expect(count(BANKS_16, EVENT_LOAD, 4, stride, ALL), 2, 2 * of16, 2 * (of16 - 1), 64 * 2 * of16, 128);
    }
}

/* One word for all lanes is one pass, of atomic operations one for each lane. */
static void one_word(void **state)
{
    (void)state;
    expect(count(BANKS_32, EVENT_LOAD, 4, 0, ALL), 1, 1, 0, 128, 4);
    expect(count(BANKS_16, EVENT_LOAD, 4, 0, ALL), 2, 2, 0, 128, 8);
    expect(count(BANKS_32, EVENT_ATOMIC, 4, 0, ALL), 1, 32, 31, 128 * 32, 4);
    expect(count(BANKS_16, EVENT_ATOMIC, 4, 0, ALL), 2, 32, 30, 64 * 32, 8);
    expect(count(BANKS_32, EVENT_ATOMIC, 4, 1, ALL), 1, 1, 0, 128, 128);
    expect(count(BANKS_32, EVENT_ATOMIC, 4, 16, ALL), 1, 16, 15, 128 * 16, 128);
    expect(count(BANKS_16, EVENT_ATOMIC, 4, 8, ALL), 2, 16, 14, 64 * 16, 128);
}

/* Words of 8 bytes take halves of a warp, of 16 bytes quarters; 2.x takes one pass more for each of these. A bank
 * of 3.x delivers words 32 apart at once, or 8 bytes. */
static void wide_words(void **state)
{
    (void)state;
    expect(count(BANKS_32, EVENT_STORE, 8, 2, ALL), 1, 2, 0, 256, 256);
    expect(count(BANKS_32, EVENT_STORE, 16, 4, ALL), 1, 4, 0, 512, 512);
    expect(count(BANKS_32, EVENT_LOAD, 8, 2, ALL), 1, 2, 0, 256, 256);
    expect(count(BANKS_32, EVENT_LOAD, 16, 4, ALL), 1, 4, 0, 512, 512);
    expect(count(BANKS_32, EVENT_STORE, 8, 4, ALL), 1, 4, 2, 512, 256); /* 16 lanes, every second pair of banks */
    expect(count(BANKS_32_2X, EVENT_LOAD, 8, 2, ALL), 1, 2, 0, 256, 256);
    expect(count(BANKS_32_2X, EVENT_LOAD, 16, 4, ALL), 1, 8, 4, 1024, 512);
    expect(count(BANKS_32_3X_4, EVENT_LOAD, 4, 2, ALL), 1, 1, 0, 256, 128);
    expect(count(BANKS_32_3X_4, EVENT_LOAD, 4, 4, ALL), 1, 2, 1, 512, 128);
    expect(count(BANKS_32_3X_8, EVENT_LOAD, 8, 2, ALL), 1, 1, 0, 256, 256);
    expect(count(BANKS_32_3X_8, EVENT_LOAD, 4, 1, ALL), 1, 1, 0, 256, 128);
    expect(count(BANKS_32_3X_8, EVENT_LOAD, 16, 4, ALL), 1, 2, 0, 512, 512);
    expect(count(BANKS_16, EVENT_LOAD, 8, 2, ALL), 4, 8, 4, 512, 256); /* two words, each with every second bank */
}

/* Two halves whose words are the same share a pass. */
static void shared_parts(void **state)
{
    (void)state;
    expect(count(BANKS_32, EVENT_LOAD, 8, 0, ALL), 1, 1, 0, 128, 8);
    expect(count(BANKS_32, EVENT_LOAD, 16, 0, ALL), 1, 2, 0, 256, 32);
    expect(count(BANKS_32, EVENT_STORE, 8, 0, ALL), 1, 2, 0, 256, 16);
}

/* Lanes that are off do nothing, and parts without lanes are no requests. */
static void masks(void **state)
{
    (void)state;
    expect(count(BANKS_32, EVENT_LOAD, 4, 32, 0xf), 1, 4, 3, 512, 16);
    expect(count(BANKS_32, EVENT_LOAD, 4, 32, 0x80000001), 1, 2, 1, 256, 8);
    expect(count(BANKS_16, EVENT_LOAD, 4, 1, 0xffff), 1, 1, 0, 64, 64);
    expect(count(BANKS_16, EVENT_LOAD, 4, 1, 0xffff0000), 1, 1, 0, 64, 64);
    expect(count(BANKS_32, EVENT_STORE, 16, 4, 0xff), 1, 1, 0, 128, 128);
    expect(count(BANKS_32, EVENT_LOAD, 8, 2, 0xffff0000), 1, 1, 0, 128, 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides),      cmocka_unit_test(one_word), cmocka_unit_test(wide_words),
        cmocka_unit_test(shared_parts), cmocka_unit_test(masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
