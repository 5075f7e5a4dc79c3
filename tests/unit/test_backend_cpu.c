/* The cpu device: memory, properties, instruction sets and the streaming copy. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/machine.h"
#include "base/clock.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *device;

static int open_cpu(void **state)
{
    (void)state;
    struct error error;
    return device_open("cpu", &device, &error) == STATUS_OK ? 0 : -1;
}

static int close_cpu(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

static void properties_are_plausible(void **state)
{
    (void)state;
    const struct device_properties *p = &device->properties;
    assert_string_equal(device->id, "cpu");
    assert_true(p->name[0] != 0);
    assert_true(p->version[0] != 0);
    assert_true(p->is_cpu && p->unified_memory && p->has_double);
    assert_true(p->units >= 1);
    assert_true(p->memory_bytes > (uint64_t)64 << 20);
    assert_true(p->cache_bytes >= (uint64_t)64 << 10 && p->cache_bytes < (uint64_t)64 << 30);
    assert_true(p->warp_items == 4 || p->warp_items == 8 || p->warp_items == 16);
}

static void only_the_processors_of_this_process_count(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(machine_processors(), CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(machine_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void the_environment_lowers_the_instruction_set_and_never_raises_it(void **state)
{
    (void)state;
    enum cpu_isa best = cpu_isa();
    assert_int_equal(setenv("USKOR_ISA", "base", 1), 0);
    cpu_isa_forget();
    assert_int_equal(cpu_isa(), CPU_ISA_BASE);
    assert_int_equal(setenv("USKOR_ISA", cpu_isa_name(best), 1), 0);
    cpu_isa_forget();
    assert_int_equal(cpu_isa(), best);
    assert_int_equal(setenv("USKOR_ISA", best == CPU_ISA_NEON ? "avx512" : "neon", 1), 0);
    cpu_isa_forget();
    assert_int_equal(cpu_isa(), best);
    assert_int_equal(setenv("USKOR_ISA", "nonsense", 1), 0);
    cpu_isa_forget();
    assert_int_equal(cpu_isa(), best);
    assert_int_equal(unsetenv("USKOR_ISA"), 0);
    cpu_isa_forget();
}

/* Virtual machines may call it "AMD EPYC". An emulator of another processor shows the host's name without a family. */
static void a_hidden_model_has_its_family_in_the_name(void **state)
{
    (void)state;
#if !defined(__x86_64__)
    skip();
#endif
    const char *name = device->properties.name;
    if (strncmp(name, "AMD", 3) == 0 && !strpbrk(name, "0123456789"))
        fail_msg("%s", name);
}

static void the_designer_of_an_arm_core_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(cpu_implementer("0x41"), "ARM");
    assert_string_equal(cpu_implementer("0xc0"), "Ampere");
    assert_string_equal(cpu_implementer("0x7f"), "0x7f");
    assert_string_equal(cpu_implementer("GenuineIntel"), "GenuineIntel");
}

static void buffers_are_aligned_host_memory(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4096, 4097, 1 << 20, (5 << 20) + 3};
    struct error error;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct buffer buffer;
        assert_int_equal(buffer_allocate(device, sizes[i], &buffer, &error), STATUS_OK);
        assert_non_null(buffer.host);
        assert_int_equal((uintptr_t)buffer.host % BUFFER_ALIGNMENT, 0);
        assert_int_equal(buffer.bytes, sizes[i]);
        memset(buffer.host, 1, sizes[i]);
        buffer_release(&buffer);
        assert_null(buffer.host);
    }
}

static void memory_that_is_not_there_is_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4095, SIZE_MAX / 2, (size_t)1 << 60};
    struct buffer buffer;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_int_equal(buffer_allocate(device, sizes[i], &buffer, &error), STATUS_UNAVAILABLE);
        assert_non_null(strstr(error.text, "of memory, and the device has "));
        assert_null(buffer.device);
    }
}

static void views_share_the_parent_s_memory(void **state)
{
    (void)state;
    struct buffer parent, view;
    struct error error;
    assert_int_equal(buffer_allocate(device, 10000, &parent, &error), STATUS_OK);
    assert_int_equal(buffer_view(&parent, 8192, 1808, &view, &error), STATUS_OK);
    assert_ptr_equal(view.host, (char *)parent.host + 8192);
    assert_int_equal(buffer_fill(&parent, 0, 3, 10000, &error), STATUS_OK);
    assert_int_equal(buffer_fill(&view, 1, 4, 5, &error), STATUS_OK);
    const unsigned char *bytes = parent.host;
    assert_int_equal(bytes[8192], 3);
    assert_int_equal(bytes[8193], 4);
    assert_int_equal(bytes[8197], 4);
    assert_int_equal(bytes[8198], 3);
    assert_int_equal(buffer_copy(&view, 0, &parent, 8192, 16, &error), STATUS_INVALID); /* the same bytes */
    buffer_release(&view);
    buffer_release(&parent);
}

/* Copies `bytes` bytes between these offsets, and looks at every byte and at the ones beside. */
static void expect_copy(size_t target_offset, size_t source_offset, size_t bytes)
{
    size_t room = bytes + 256;
    unsigned char *source = malloc(room), *target = malloc(room);
    assert_non_null(source);
    assert_non_null(target);
    for (size_t i = 0; i < room; i++)
        source[i] = (unsigned char)(i * 2654435761u >> 13);
    memset(target, 0xEE, room);
    cpu_stream_copy(target + target_offset, source + source_offset, bytes);
    assert_memory_equal(target + target_offset, source + source_offset, bytes);
    for (size_t i = 0; i < target_offset; i++)
        assert_int_equal(target[i], 0xEE);
    for (size_t i = target_offset + bytes; i < room; i++)
        assert_int_equal(target[i], 0xEE);
    free(source);
    free(target);
}

static void the_streaming_copy_copies_every_byte(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 4096, 262143, 262144, 1000003};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (size_t offset = 0; offset < 128; offset += 37)
            expect_copy(offset, 127 - offset, sizes[i]);
    expect_copy(5, 64, cpu_cache_bytes() / 4 + 4099 > (size_t)256 << 20 ? 4099 : cpu_cache_bytes() / 4 + 4099);
}

static void every_instruction_set_s_copy_copies_every_byte(void **state)
{
    (void)state;
    static unsigned char source[5000], target[5000];
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (unsigned char)(i * 31 >> 3);
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++) {
        assert_int_equal(setenv("USKOR_ISA", cpu_isa_name((enum cpu_isa)isa), 1), 0);
        cpu_isa_forget();
        if (cpu_isa() != (enum cpu_isa)isa)
            continue; /* not on this processor */
        copy_part *copy = copy_part_streaming((enum cpu_isa)isa);
        for (size_t bytes = 0; bytes < 4800; bytes += 61) {
            size_t offset = bytes % 97;
            memset(target, 0xEE, sizeof target);
            copy((char *)target + offset, (const char *)source + bytes % 64, bytes);
            assert_memory_equal(target + offset, source + bytes % 64, bytes);
            assert_int_equal(target[offset + bytes], 0xEE);
            assert_true(offset == 0 || target[offset - 1] == 0xEE);
        }
    }
    assert_int_equal(unsetenv("USKOR_ISA"), 0);
    cpu_isa_forget();
}

static void marks_measure_the_time_between(void **state)
{
    (void)state;
    struct event *from, *to;
    struct error error;
    double nanoseconds;
    assert_int_equal(event_create(device, &from, &error), STATUS_OK);
    assert_int_equal(event_create(device, &to, &error), STATUS_OK);
    assert_int_equal(event_record(from, &error), STATUS_OK);
    assert_int_equal(event_elapsed(from, to, &nanoseconds, &error), STATUS_INVALID); /* `to` has no time yet */
    clock_sleep(2000000);
    assert_int_equal(event_record(to, &error), STATUS_OK);
    assert_int_equal(event_elapsed(from, to, &nanoseconds, &error), STATUS_OK);
    assert_true(nanoseconds >= 2e6);
    assert_int_equal(device_synchronize(device, &error), STATUS_OK);
    event_destroy(to);
    event_destroy(from);
}

static void programs_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct program_source source = {.name = "mine.cl", .text = "__kernel void f() {}"};
    struct program *program;
    struct error error;
    assert_int_equal(program_build(device, &source, &program, &error), STATUS_UNAVAILABLE);
    assert_null(program);
    assert_non_null(strstr(error.text, "mine.cl"));
    assert_non_null(strstr(error.text, "opencl"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_plausible),
        cmocka_unit_test(only_the_processors_of_this_process_count),
        cmocka_unit_test(the_environment_lowers_the_instruction_set_and_never_raises_it),
        cmocka_unit_test(a_hidden_model_has_its_family_in_the_name),
        cmocka_unit_test(the_designer_of_an_arm_core_has_a_name),
        cmocka_unit_test(buffers_are_aligned_host_memory),
        cmocka_unit_test(memory_that_is_not_there_is_refused),
        cmocka_unit_test(views_share_the_parent_s_memory),
        cmocka_unit_test(the_streaming_copy_copies_every_byte),
        cmocka_unit_test(every_instruction_set_s_copy_copies_every_byte),
        cmocka_unit_test(marks_measure_the_time_between),
        cmocka_unit_test(programs_are_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
