/* CPU rungs recorded from their machine code: operands, known counts, the clocks of known loops; and copied code
 * computes what the original does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "explain/cache/cache_trace.h"
#include "explain/cache/code_copy.h"
#include "explain/cache/core_window.h"
#include "explain/cache/geometry.h"
#include "explain/cache/recorder.h"

#include "x86_text.h"

#include <cmocka.h>

#if defined __x86_64__

/* ---- operands ---- */

#define ROWS(X)                                                                                   \
    X("mov    (%rax),%ecx", X86_PLAIN, 4, true, false, false)                                     \
    X("mov    %ecx,(%rdx)", X86_PLAIN, 4, false, true, false)                                     \
    X("mov    %r8d,0x8(%rdx,%rax,4)", X86_PLAIN, 4, false, true, false)                           \
    X("mov    %r8,(%rdx)", X86_PLAIN, 8, false, true, false)                                      \
    X("movzbl (%rax,%rdx,1),%ecx", X86_PLAIN, 1, true, false, false)                              \
    X("movslq 0x4(%rax),%rdx", X86_PLAIN, 4, true, false, false)                                  \
    X("movb   $0x1,(%rax)", X86_PLAIN, 1, false, true, false)                                     \
    X("addl   $0x1,(%rax,%rdx,4)", X86_PLAIN, 4, true, true, false)                               \
    X("cmp    %rax,0x10(%rsp)", X86_PLAIN, 8, true, false, false)                                 \
    X("cmpl   $0x3,(%rdi)", X86_PLAIN, 4, true, false, false)                                     \
    X("lock xadd %eax,(%rdx)", X86_PLAIN, 4, true, true, false)                                   \
    X("movss  0x10(%rax),%xmm0", X86_PLAIN, 4, true, false, false)                                \
    X("mulsd  0x1234(%rip),%xmm0", X86_PLAIN, 8, true, false, false)                              \
    X("vmovups (%rax,%rdx,4),%ymm0", X86_PLAIN, 32, true, false, false)                           \
    X("vmovups %zmm0,(%rax)", X86_PLAIN, 64, false, true, false)                                  \
    X("vmovups %zmm0,(%rax){%k1}", X86_PLAIN, 64, false, true, false)                             \
    X("vaddps (%rax){1to16},%zmm1,%zmm2", X86_PLAIN, 4, true, false, false)                       \
    X("vmovntps %ymm0,(%rax)", X86_PLAIN, 32, false, true, true)                                  \
    X("vmovntdqa (%rax),%ymm0", X86_PLAIN, 32, true, false, false)                                \
    X("vbroadcastss (%rax),%ymm3", X86_PLAIN, 4, true, false, false)                              \
    X("vpmovzxbw (%rax),%ymm3", X86_PLAIN, 16, true, false, false)                                \
    X("vcvtps2pd (%rdx),%ymm8", X86_PLAIN, 16, true, false, false)                                \
    X("vextractf128 $0x1,%ymm0,(%rax)", X86_PLAIN, 16, false, true, false)                        \
    X("vfmadd231ps (%rax),%ymm1,%ymm2", X86_PLAIN, 32, true, false, false)                        \
    X("vunpcklps (%r12,%rcx,1),%ymm5,%ymm2", X86_PLAIN, 32, true, false, false)                   \
    X("cvtsi2ssl (%rax),%xmm0", X86_PLAIN, 4, true, false, false)                                 \
    X("prefetcht0 0x40(%rax)", X86_PLAIN, 8, false, false, false)                                 \
    X("vgatherdps %ymm0,(%rax,%ymm1,4),%ymm2", X86_OTHER, 0, false, false, false)                 \
    X("rep stos %rax,%es:(%rdi)", X86_OTHER, 0, false, false, false)                              \
    X("mov    %fs:0x28,%rax", X86_THREAD, 0, false, false, false)                                 \
    X("lea    0x8(%rax,%rdx,4),%rcx", X86_NO_MEMORY, 0, false, false, false)                      \
    X("push   %rbx", X86_NO_MEMORY, 0, false, false, false)                                       \
    X("call   *0x8(%rax)", X86_NO_MEMORY, 0, false, false, false)                                 \
    X("nopl   0x0(%rax)", X86_NO_MEMORY, 0, false, false, false)                                  \
    X("add    %rax,%rdx", X86_NO_MEMORY, 0, false, false, false)                                  \
    X("cvtss2sd (%rdx),%xmm1", X86_PLAIN, 4, true, false, false)                                  \
    X("vmovlps (%rax),%xmm1,%xmm2", X86_PLAIN, 8, true, false, false)                             \
    X("vmovlps %xmm1,(%rax)", X86_PLAIN, 8, false, true, false)                                   \
    X("vmovhps %xmm1,(%rax)", X86_PLAIN, 8, false, true, false)                                   \
    X("vcvtph2ps (%rax),%ymm1", X86_PLAIN, 16, true, false, false)                                \
    X(".byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0", X86_NO_MEMORY, 0, false, false, false) \
    X("movsl", X86_OTHER, 0, false, false, false)
#define ROW(text, memory, bytes, is_read, is_written, bypasses) {text, memory, bytes, is_read, is_written, bypasses},

X86_TEXT(operand_code, ROWS(X86_LINE));
X86_TEXT(address_code, "mov -0x10(%r13,%rbx,8),%rax");

static void test_operands(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        enum x86_memory memory;
        unsigned bytes;
        bool is_read, is_written, bypasses;
    } rows[] = {ROWS(ROW)};
    struct x86_operand operand;
    const unsigned char *at = operand_code;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct x86_instruction one = x86_next(&at, operand_code_end);
        enum x86_memory memory = x86_operand_of(&one, &operand);
        if (memory != rows[i].memory)
            fail_msg("%s: %d", rows[i].words, (int)memory);
        if (memory == X86_PLAIN && !operand.is_prefetch &&
            (operand.bytes != rows[i].bytes || operand.is_read != rows[i].is_read ||
             operand.is_written != rows[i].is_written || operand.bypasses != rows[i].bypasses))
            fail_msg("%s: %u bytes, read %d, written %d, past the caches %d", rows[i].words, operand.bytes,
                     operand.is_read, operand.is_written, operand.bypasses);
    }
    assert_ptr_equal(at, operand_code_end);
    at = address_code;
    const struct x86_instruction one = x86_next(&at, address_code_end);
    assert_int_equal(x86_operand_of(&one, &operand), X86_PLAIN);
    assert_int_equal(operand.base, 13);
    assert_int_equal(operand.index, 3);
    assert_int_equal(operand.scale, 8);
    assert_int_equal(operand.displacement, -16);
}

/* ---- clocks of a round ---- */

X86_TEXT(sum_code, "movss  (%rcx,%rax,4),%xmm0\n"
                   "mulss  (%rsi,%rax,4),%xmm0\n"
                   "add    $0x1,%rax\n"
                   "addss  %xmm0,%xmm1");
X86_TEXT(fused_code, "vfmadd231ps (%rax),%ymm1,%ymm2\n"
                     "add    $0x20,%rax");
X86_TEXT(free_of_it_code, "vmovups (%rax),%ymm0\n"
                          "vaddps (%rdx),%ymm0,%ymm1\n"
                          "add    $0x20,%rax");
X86_TEXT(two_code, "vaddps (%rax),%ymm1,%ymm1\n"
                   "vaddps 0x20(%rax),%ymm1,%ymm1\n"
                   "add    $0x40,%rax");
X86_TEXT(chase_code, "mov    (%rax),%rax");
X86_TEXT(permuted_code, "vpermd %ymm0,%ymm1,%ymm0");
X86_TEXT(masked_code, "vpmaskmovd %ymm0,%ymm1,(%rax)");
X86_TEXT(gathers_code, "vpcmpeqd %ymm3,%ymm3,%ymm3\n"
                       "vgatherdps %ymm3,(%rax,%ymm1,4),%ymm2");
X86_TEXT(loop_code, "movss  (%rcx,%rax,4),%xmm0\n"
                    "mulss  (%rsi,%rax,4),%xmm0\n"
                    "add    $0x1,%rax\n"
                    "addss  %xmm0,%xmm1\n"
                    "cmp    %rdx,%rax\n"
                    "jne    .");
X86_TEXT(moves_code, "movaps %xmm0,%xmm1\n"
                     "movaps %xmm0,%xmm2\n"
                     "movaps %xmm0,%xmm3\n"
                     "movaps %xmm0,%xmm4\n"
                     "movaps %xmm0,%xmm5\n"
                     "movaps %xmm0,%xmm6\n"
                     "movaps %xmm0,%xmm7\n"
                     "movaps %xmm0,%xmm8\n"
                     "movaps %xmm0,%xmm9\n"
                     "movaps %xmm0,%xmm1\n"
                     "movaps %xmm0,%xmm2\n"
                     "jmp    .");
X86_TEXT(halves_code, "movups %xmm0,(%rax)\n"
                      "movups %xmm0,0x10(%rax)\n"
                      "vmovups (%rax),%ymm0");
X86_TEXT(choice_code, "cmp    %rax,%rdx\n"
                      "jne    .");
X86_TEXT(stores_code, "vmovups %ymm0,(%rax)\n"
                      "add    $0x1,%rcx");
X86_TEXT(measured_0, "movss  0x40(%rax,%rcx,4),%xmm0\n"
                     "addss  %xmm1,%xmm0\n"
                     "movss  %xmm0,0x40(%rax,%rcx,4)");
X86_TEXT(measured_1, "movss  0x40(%rax),%xmm0\n"
                     "mulss  0x80(%rax),%xmm0\n"
                     "addss  %xmm0,%xmm1");
X86_TEXT(measured_2, "vfmadd231ps 0x40(%rax),%ymm1,%ymm2");
X86_TEXT(measured_3, "vmovups %ymm0,0x40(%rax)");
X86_TEXT(measured_4, "vmovups %ymm0,0x48(%rax)");
X86_TEXT(measured_5, "vpermd %ymm0,%ymm1,%ymm0");

struct text {
    const unsigned char *at, *end;
};
#define TEXT(name) ((struct text){name, name##_end})

/* The steps of the code, and their number. */
static size_t steps_of(struct text code, const struct cpu_core *core, struct core_step *steps)
{
    size_t count = 0;
    while (code.at < code.end) {
        const struct x86_instruction one = x86_next(&code.at, code.end);
        assert_true(core_step_of(&one, core, &steps[count]));
        steps[count++].flow = one.flow == X86_NEXT ? X86_NEXT : X86_EITHER;
    }
    return count;
}

static double chain(struct text code)
{
    struct core_step steps[9];
    const struct cpu_core *core = cpu_core_by_name("Zen 3");
    const size_t count = steps_of(code, core, steps);
    steps[count] = (struct core_step){.unit = CORE_UNITS};
    struct core_window *window = core_window_create(steps, core, 1);
    double before = 0;
    for (size_t round = 0; round < 300; round++) {
        before = round == 100 ? core_window_clock(window) : before;
        for (size_t i = 0; i < count; i++)
            core_window_step(window, i, i + 1, 0);
    }
    double clocks = (core_window_clock(window) - before) / 200;
    core_window_destroy(window);
    return clocks;
}

/* A sum waits for itself; a product into a sum waits for the sum alone; independent ones do not wait. */
static void test_chains(void **state)
{
    (void)state;
    assert_float_equal(chain(TEXT(sum_code)), 3, 0.01);
    assert_float_equal(chain(TEXT(fused_code)), 4, 0.01);
    assert_float_equal(chain(TEXT(free_of_it_code)), 1, 0.01);
    assert_float_equal(chain(TEXT(two_code)), 6, 0.01);
    assert_float_equal(chain(TEXT(chase_code)), 4, 0.01);
    assert_float_equal(chain(TEXT(permuted_code)), 8, 0.01); /* all three as measured on a Zen 3 */
    assert_float_equal(chain(TEXT(masked_code)), 12, 0.01);
    assert_float_equal(chain(TEXT(gathers_code)), 9.7, 0.3);
}

/* Clocks of a round whose accesses go to the same addresses every time, on a core of 6 instructions a clock. `taken`:
 * of the last instruction, by round. */
static double rounds(struct text code, const uint64_t *addresses, const char *core_name, bool (*taken)(size_t round))
{
    struct core_step steps[13];
    const struct cpu_core *core = cpu_core_by_name(core_name);
    const size_t count = steps_of(code, core, steps);
    steps[count] = (struct core_step){.unit = CORE_UNITS};
    struct core_window *window = core_window_create(steps, core, 1);
    double before = 0;
    for (size_t round = 0; round < 3000; round++) {
        before = round == 1000 ? core_window_clock(window) : before;
        for (size_t i = 0; i < count; i++)
            core_window_step(window, i, i + 1 == count && taken && taken(round) ? 0 : i + 1, addresses[i]);
    }
    double clocks = (core_window_clock(window) - before) / 2000;
    core_window_destroy(window);
    return clocks;
}

/* Clocks of a round of a loop of which `first` instructions are in one block of fetched code and the rest in the next
 * one, by a thread that has such a share of the core. */
static double fetched_rounds(struct text code, size_t first, double share)
{
    struct core_step steps[14];
    const struct cpu_core *core = cpu_core_by_name("Zen 3");
    const size_t count = steps_of(code, core, steps);
    for (size_t i = 0; i < count; i++)
        steps[i].fetched = i < first ? 1 : 2;
    struct core_window *window = core_window_create(steps, core, share);
    double before = 0;
    for (size_t round = 0; round < 600; round++) {
        before = round == 200 ? core_window_clock(window) : before;
        for (size_t i = 0; i < count; i++)
            core_window_step(window, i, i + 1 == count ? 0 : i + 1, 0);
    }
    double clocks = (core_window_clock(window) - before) / 400;
    core_window_destroy(window);
    return clocks;
}

/* A sum of products waits three clocks for itself. A thread with half of a core fetches every second clock: where the
 * loop's code is in two blocks, four clocks a round; in one, two, and the sum counts. Measured so on a Zen 3 whose
 * cores other programs shared: 3.0 and 4.3. Thirteen instructions are two entries of eight, and of half a core, which
 * issues three a clock, more than four clocks. */
static void test_fetch(void **state)
{
    (void)state;
    const struct cpu_core *core = cpu_core_by_name("Zen 3");
    assert_float_equal(fetched_rounds(TEXT(loop_code), 6, 1), 3, 0.01);
    assert_float_equal(fetched_rounds(TEXT(loop_code), 3, 1), 3, 0.01);
    assert_float_equal(fetched_rounds(TEXT(loop_code), 6, 0.5), 3, 0.01);
    assert_float_equal(fetched_rounds(TEXT(loop_code), 3, 0.5), 4, 0.01);
    assert_float_equal(fetched_rounds(TEXT(moves_code), 12, 1), 2, 0.01);
    assert_float_equal(fetched_rounds(TEXT(moves_code), 12, 0.5), 4, 0.01);
    assert_float_equal(cache_core_share(core, 3, 18), 1, 1e-9);
    assert_float_equal(cache_core_share(core, 3, 9), 0.5, 1e-9);
    assert_float_equal(cache_core_share(core, 3, 20), 1, 1e-9);
    assert_float_equal(cache_core_share(core, 3, 0), 1, 1e-9);
}

static bool third(size_t round)
{
    return round % 3 == 0;
}

static bool anyhow(size_t round)
{
    return (uint64_t)round * round * 2654435761u >> 13 & 1;
}

/* Loops of tests/hardware/core_clocks.c, and the clocks of a round that it measured on a Zen 4. */
static void test_measured_loops(void **state)
{
    (void)state;
    const struct {
        struct text code;
        uint64_t addresses[5];
        double clocks;
    } rows[] = {
        {TEXT(measured_0), {4160, 0, 4160}, 12}, {TEXT(measured_1), {4160, 4224}, 3}, {TEXT(measured_2), {4160}, 4},
        {TEXT(measured_3), {4160}, 1},           {TEXT(measured_4), {4168}, 2},       {TEXT(measured_5), {0}, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_float_equal(rounds(rows[i].code, rows[i].addresses, "Zen 4", NULL), rows[i].clocks, 0.1);
}

/* A load of two stores waits until both are in the cache. A branch with a pattern is learned, one without is
 * mispredicted half of the time: at least 13 clocks on a Zen 3 (AMD's optimisation guide for family 19h), more on a
 * Skylake. */
static void test_core(void **state)
{
    (void)state;
    const uint64_t split[] = {4096, 4112, 4096}, none[] = {0, 0};
    assert_true(rounds(TEXT(halves_code), split, "Zen 3", NULL) > 15); /* 21 on a Zen 4 */
    const uint64_t aligned[] = {4096, 0}, within[] = {4104, 0}, crossing[] = {4136, 0};
    assert_float_equal(rounds(TEXT(stores_code), aligned, "Zen 3", NULL), 1, 0.01); /* both as measured on one */
    assert_float_equal(rounds(TEXT(stores_code), within, "Zen 3", NULL), 2, 0.01);
    assert_float_equal(rounds(TEXT(stores_code), within, "Skylake server", NULL), 1, 0.01);
    assert_float_equal(rounds(TEXT(stores_code), crossing, "Skylake server", NULL), 2, 0.01);
    double learned = rounds(TEXT(choice_code), none, "Zen 3", third),
           random = rounds(TEXT(choice_code), none, "Zen 3", anyhow);
    assert_true(learned < 2);
    assert_float_equal(random, 13 / 2.0, 13 * 0.2);
    assert_true(rounds(TEXT(choice_code), none, "Skylake server", anyhow) > random);
    for (size_t i = 0; i < cpu_cores_count; i++)
        assert_non_null(cpu_core_by_name(cpu_cores[i].name));
}

#endif

#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__

/* ---- copied code ---- */

#define CHANCES 200000

static int table[64];

/* Jumps through a table, calls itself, and changes what is in memory. */
int test_subject_switch(int value, int depth);
__attribute__((noinline)) int test_subject_switch(int value, int depth)
{
    table[value & 63] += depth;
    switch (value % 7) {
    case 0:
        return depth > 0 ? test_subject_switch(value / 7 + 1, depth - 1) + 3 : 5;
    case 1:
        return value * 3 + table[depth & 63];
    case 2:
        return value ^ 0x55;
    case 3:
        return depth > 0 ? test_subject_switch(value + 11, depth - 1) * 2 : -value;
    case 4:
        return table[value & 31] - depth;
    case 5:
        return value << 2;
    default:
        return depth > 0 ? test_subject_switch(3 * value, depth - 1) ^ depth : 1;
    }
}

/* Chooses a way by chance and accesses nothing: only the blocks themselves tell which way it took. */
uint32_t test_subject_chance(int count);
__attribute__((noinline)) uint32_t test_subject_chance(int count)
{
    uint32_t random = 1, sum = 0;
    for (int i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        if (random >> 31) {
            sum += 3;
            __asm__ volatile("" : "+r"(sum));
        } else {
            sum = (sum ^ random) * 5 - 7;
            __asm__ volatile("" : "+r"(sum)::"memory");
        }
    }
    return sum;
}

double test_subject(const float *in, float *out, int count);
__attribute__((noinline)) double test_subject(const float *in, float *out, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        out[i] = 2.5f * in[i] + (float)(i % 3);
    for (int i = 0; i < count; i++)
        sum += (double)out[count - 1 - i] * (i & 1 ? -1 : 1);
    for (int i = 0; i < count; i++)
        sum += test_subject_switch(i, 6);
    return sum + test_subject_chance(CHANCES);
}

#define COUNT 5000

/* In a process of its own: before and after its functions became their copies, the same result. */
static int compare(const struct recording_request *request, struct recording *recording)
{
    static float in[COUNT], out[COUNT], again[COUNT];
    static const struct recorder_place places[PLACES_MOST] = {{.start = (uintptr_t)0, .bytes = 0, .page_bytes = 4096}};
    struct recorder_place own[PLACES_MOST];
    memcpy(own, places, sizeof own);
    own[0] = (struct recorder_place){(uintptr_t)in, sizeof in, 4096};
    own[1] = (struct recorder_place){(uintptr_t)again, sizeof again, 4096};
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)(i * 37 % 101) - 50;
    double (*volatile call)(const float *, float *, int) = test_subject;
    double before = call(in, out, COUNT);
    memset(table, 0, sizeof table);
    double first = call(in, out, COUNT);
    memset(table, 0, sizeof table);
    if (!recorder_begin(request, recording, own) || !code_copy_enter(request->copy))
        return 2;
    double second = call(in, again, COUNT);
    recorder_end();
    (void)before;
    return first == second && memcmp(out, again, sizeof out) == 0 ? 0 : 1;
}

/* The windows' instructions are those that were executed, and chance is mispredicted half of the time. */
static void check_ways(const struct code_copy *copy, struct recording *recording)
{
    double executed = 0;
    for (size_t i = 0; i < copy->instruction_count; i++)
        executed += (double)recording_executed(recording, 0)[copy->instructions[i].block];
    const struct core_total *core = &recording->core[0];
    assert_float_equal(core->instructions / executed, 1, 0.05);
    assert_true(core->mispredicted > 0.35 * CHANCES && core->mispredicted < 0.65 * CHANCES + COUNT);
    assert_true(core->clocks > core->mispredicted * 13);
}

static void test_copy(void **state)
{
    (void)state;
    struct error error;
    struct code_copy copy;
    struct cache_geometry geometry;
    double (*function)(const float *, float *, int) = test_subject;
    const void *start;
    int code = 0;
    memcpy(&start, &function, sizeof start);
    if (code_copy_make(&start, 1, "", &copy, &error) != STATUS_OK) {
        print_message("%s\n", error.text);
        code_copy_free(&copy);
        skip();
    }
    copy.group_count = 1;
    cache_geometry_of(cpu_caches_by_name("Zen 3"), 1, &geometry);
    struct recording *recording = cache_recording_create(&copy);
    assert_non_null(recording);
    struct recording_request request = {
        .geometry = &geometry, .copy = &copy, .threads = 1, .limits = {1 << 30, 1 << 30, 60}};
    pid_t child = fork();
    if (child == 0)
        _exit(compare(&request, recording));
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), 0);
    uint64_t read = 0, written = 0;
    for (size_t i = 0; i < recording->sites; i++) {
        const struct cache_counts *counts = &recording_counts(recording)[i];
        read += recording_places(recording)[i] == 0 ? counts->bytes : 0;
        written += recording_places(recording)[i] == 1 && copy.accesses[i].operand.is_written ? counts->bytes : 0;
    }
    assert_int_equal(read, sizeof(float) * COUNT);
    assert_int_equal(written, sizeof(float) * COUNT);
    check_ways(&copy, recording);
    cache_recording_free(recording);
    code_copy_free(&copy);
}

/* ---- rungs ---- */

static bool trace(const char *text, const char *name, int threads, struct explain_caches *caches)
{
    struct error error;
    struct problem problem;
    struct parameters parameters;
    struct cache_geometry geometry;
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    const struct rung *rung = rung_by_name(problem.kernel, name, &error);
    assert_non_null(rung);
    assert_int_equal(rung_defaults(rung, &problem, &parameters, &error), STATUS_OK);
    cache_geometry_of(cpu_caches_by_name("Zen 3"), threads, &geometry);
    struct cache_trace_request request = {
        .rung = rung, .problem = &problem, .parameters = &parameters, .geometry = &geometry, .threads = threads};
    enum status status = explain_caches_trace(&request, caches, &error);
    if (status == STATUS_OK)
        return true;
    assert_int_equal(status, STATUS_UNAVAILABLE);
    print_message("%s %s: %s\n", text, name, error.text);
    return false;
}

/* All accesses of one kind to one array. */
static struct cache_counts sum_of(const struct explain_caches *caches, const char *array, enum cache_access kind)
{
    struct cache_counts sum = {.accesses = 0};
    for (size_t i = 0; i < caches->site_count; i++)
        if (strcmp(caches->sites[i].array, array) == 0 && caches->sites[i].kind == kind)
            cache_counts_add(&sum, &caches->sites[i].counts);
    return sum;
}

/* 1024 × 256 floats: each of 16384 lines is read once; a column of the result is 256 rows 4 KiB apart, all in one set.
 */
static void test_transpose(void **state)
{
    (void)state;
    struct explain_caches caches;
    if (!trace("transpose:rows=1024,cols=256", "serial", 1, &caches))
        skip();
    struct cache_counts in = sum_of(&caches, "in", CACHE_LOAD), out = sum_of(&caches, "out", CACHE_STORE);
    assert_int_equal(in.accesses, 1024 * 256);
    assert_int_equal(out.accesses, 1024 * 256);
    assert_int_equal(in.misses[0], 1024 * 256 / 16);
    assert_int_equal(out.misses[0], 1024 * 256);
    assert_int_equal(in.lines, 1024 * 256 / 16);
    assert_int_equal(out.lines, 1024 * 256 / 16);
    assert_int_equal(in.pages, 256);
    assert_int_equal(out.used, 1024 * 256 * 4);
    assert_int_equal(in.misses[2] + out.misses[2], 0); /* a run before has left both in L3 */
    assert_true(caches.was_warm);
    assert_true(caches.sites[0].line > 0);
    assert_true(caches.busiest.core_clocks >= 1024 * 256 / 2); /* two stores a clock at most */
    explain_caches_free(&caches);
}

/* Vectors as they are, and all bytes, whatever the instruction set. */
static void test_vectors(void **state)
{
    (void)state;
    struct explain_caches caches;
    if (!trace("dot:n=65536", "simd", 1, &caches))
        skip();
    struct cache_counts x = sum_of(&caches, "a", CACHE_LOAD), y = sum_of(&caches, "b", CACHE_LOAD);
    assert_int_equal(x.bytes, 4 * 65536);
    assert_int_equal(y.bytes, 4 * 65536);
    assert_int_equal(x.lines, 4096);
    assert_int_equal(x.used, 4 * 65536);
    explain_caches_free(&caches);
}

/* Every CPU rung of every ladder (a third of them unless USKOR_LONG is set), on two threads: traced, or with a reason.
 * What is read and written is what the problem has at least. */
static void test_every_rung(void **state)
{
    (void)state;
    static const char *const problems[] = {"transpose:64", "dot:n=5000",   "matmul:48",
                                           "sort:n=3000",  "resize:64x48", "wave:nx=32,ny=16,nz=16,steps=2"};
    size_t traced = 0;
    for (size_t p = 0; p < COUNT_OF(problems); p++) {
        struct error error;
        struct problem problem;
        const struct rung *const *rungs;
        size_t count;
        assert_int_equal(problem_parse(problems[p], &problem, &error), STATUS_OK);
        assert_int_equal(kernel_rungs(problem.kernel, &rungs, &count, &error), STATUS_OK);
        for (size_t r = 0; r < count; r++) {
            struct explain_caches caches;
            if (rungs[r]->kind != RUNG_HOST || (!getenv("USKOR_LONG") && (r + p) % 3 != 0) ||
                !trace(problems[p], rungs[r]->name, 2, &caches))
                continue;
            assert_true(caches.accesses > 0 && caches.site_count > 0);
            assert_true(caches.threads >= 1 && caches.threads <= 2);
            assert_true(caches.all.instructions >= caches.accesses / 2 && caches.busiest.core_clocks > 0);
            for (size_t i = 0; i < caches.site_count; i++)
                assert_true(caches.sites[i].counts.misses[0] >= caches.sites[i].counts.misses[1]);
            traced++;
            explain_caches_free(&caches);
        }
    }
    print_message("%zu rungs traced\n", traced);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined __x86_64__
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_measured_loops),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_fetch),
#endif
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_every_rung),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
