#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/pci_bus.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

static char root[] = "/tmp/uskor-pci-XXXXXX";

#define ADDRESS "0000:1b:00.0"

static void path_of(char path[128], const char *rest)
{
    snprintf(path, 128, "%s/bus/pci/devices%s", root, rest);
}

static void tell(const char *file_name, const char *text)
{
    char path[128];
    path_of(path, file_name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void rates_are_the_standards(void **state)
{
    (void)state;
    static const struct {
        double gigatransfers;
        int lanes;
        const char *generation;
        double gigabytes; /* as tables of PCI Express give them */
    } cases[] = {{2.5, 16, "1.0", 4.0},     {5.0, 16, "2.0", 8.0},    {8.0, 16, "3.0", 15.754},
                 {16.0, 16, "4.0", 31.508}, {32.0, 8, "5.0", 31.508}, {64.0, 16, "6.0", 121.0}};
    struct pci_link link;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(pci_link_rate(cases[i].gigatransfers, cases[i].lanes, &link));
        assert_string_equal(link.generation, cases[i].generation);
        double difference = link.bytes_per_second / 1e9 - cases[i].gigabytes;
        assert_true(difference > -0.01 && difference < 0.01);
    }
    assert_false(pci_link_rate(7.0, 16, &link));
    assert_false(pci_link_rate(8.0, 0, &link));
}

static void every_generation_has_its_row(void **state)
{
    (void)state;
    struct pci_link link, before = {0};
    struct nvlink nvlink;
    size_t count = 0, links = 0;
    for (; pci_generation(count, 16, &link); count++) {
        assert_true(link.bytes_per_second > before.bytes_per_second);
        before = link;
    }
    assert_int_equal(count, 6);
    assert_string_equal(before.generation, "6.0");
    assert_false(pci_generation(0, 0, &link));
    while (nvlink_generation(links, &nvlink))
        links++;
    assert_int_equal(links, 6);
    assert_true(nvlink_generation(3, &nvlink));
    assert_true(nvlink.links * nvlink.bytes_per_second == 450e9); /* an H100's, each way: NVIDIA says 900 both ways */
    assert_int_equal(pci_rate(root, "0000:02:00.0"), 0);
}

static void the_slower_of_device_and_slot_counts(void **state)
{
    (void)state;
    char text[64];
    tell("/" ADDRESS "/max_link_speed", "32.0 GT/s PCIe\n");
    tell("/" ADDRESS "/current_link_speed", "2.5 GT/s PCIe\n"); /* asleep */
    tell("/" ADDRESS "/current_link_width", "8\n");
    assert_string_equal(pci_describe(root, "0000:1B:00.0", text, sizeof text), "PCIe 5.0 x8, 31.5 GB/s each way");
    tell("/max_link_speed", "16.0 GT/s PCIe\n");
    assert_string_equal(pci_describe(root, "0000:1B:00.0", text, sizeof text), "PCIe 4.0 x8, 15.8 GB/s each way");
}

static void what_is_not_told_is_not_guessed(void **state)
{
    (void)state;
    char text[64];
    assert_string_equal(pci_describe(root, "0000:02:00.0", text, sizeof text), "PCI 0000:02:00.0");
    static const char *const widths[] = {"", "0\n", "nan\n", "-4\n", "1000\n"};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        tell("/" ADDRESS "/current_link_width", widths[i]);
        assert_string_equal(pci_describe(root, ADDRESS, text, sizeof text), "PCI " ADDRESS);
    }
    tell("/" ADDRESS "/current_link_width", "8\n");
    tell("/" ADDRESS "/max_link_speed", "Unknown\n");
    assert_string_equal(pci_describe(root, ADDRESS, text, sizeof text), "PCI " ADDRESS);
}

static int start(void **state)
{
    (void)state;
    static const char *const folders[] = {"/bus", "/bus/pci", "/bus/pci/devices", ("/bus/pci/devices/" ADDRESS)};
    char path[128];
    if (!mkdtemp(root))
        return -1;
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        if (mkdir(path, 0700) != 0)
            return -1;
    }
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static int finish(void **state)
{
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_the_standards),
        cmocka_unit_test(every_generation_has_its_row),
        cmocka_unit_test(the_slower_of_device_and_slot_counts),
        cmocka_unit_test(what_is_not_told_is_not_guessed),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
