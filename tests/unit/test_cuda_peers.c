/* Several GPUs of the CUDA backend, on a driver of host memory (fake_cuda/): access, copies between them, events of one
 * that another waits for. */
#include "backends/peer.h"
#include "distributed/group.h"
#include "distributed/nccl.h"
#include "fixture.h"

static struct device_group open_group(const char *text)
{
    struct error error = {""};
    struct device_group group;
    fake->device_count = 4;
    fake->separated = fake->peers = fake->peer_copies = 0;
    if (group_open(text, &group, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return group;
}

static void every_device_reaches_every_other(void **state)
{
    (void)state;
    struct device_group group = open_group("cuda:0..2");
    assert_int_equal(group.count, 3);
    assert_string_equal(group.name, "cuda:0..2");
    assert_true(group.has_peers);
    assert_false(group.is_one_device);
    assert_int_equal(fake->peers, 6);
    group_close(&group);
}

static void separated_devices_have_a_reason(void **state)
{
    (void)state;
    struct error error = {""};
    struct device_group group;
    fake->device_count = 2;
    fake->separated = 1;
    assert_int_equal(group_open("cuda", &group, &error), STATUS_OK);
    assert_false(group.has_peers);
    assert_non_null(strstr(group.why_no_peers.text, "cuda:0 cannot reach the memory of cuda:1"));
    group_close(&group);
    fake->separated = 0;
}

static void bytes_travel_as_they_are(void **state)
{
    (void)state;
    struct error error = {""};
    struct device_group group = open_group("cuda:0,cuda:1");
    struct buffer from = {0}, to = {0};
    unsigned char sent[64], seen[64];
    for (int i = 0; i < 64; i++)
        sent[i] = (unsigned char)(i * 7 + 1);
    assert_int_equal(buffer_allocate(group.devices[0], sizeof sent, &from, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(group.devices[1], sizeof seen, &to, &error), STATUS_OK);
    assert_int_equal(buffer_write(&from, 0, sent, sizeof sent, &error), STATUS_OK);
    assert_int_equal(buffer_fill(&to, 0, 0xEE, sizeof seen, &error), STATUS_OK);

    struct peer_copy copy = {&from, &to, .source_offset = 4, .target_offset = 8, .width = 20, .rows = 1};
    assert_int_equal(peer_copy(group.devices[0], &copy, &error), STATUS_OK);
    assert_int_equal(fake->peer_copies, 1);
    assert_ptr_equal(fake->last_stream, group.devices[0]->native_queue);
    assert_int_equal(buffer_read(&to, 0, seen, sizeof seen, &error), STATUS_OK);
    assert_memory_equal(seen + 8, sent + 4, 20);
    assert_int_equal(seen[7], 0xEE);
    assert_int_equal(seen[28], 0xEE);

    /* A rectangle, by the receiver: 3 rows of 5 bytes, 16 apart there and 20 here. */
    copy = (struct peer_copy){&from, &to, 1, 16, 2, 20, 5, 3};
    assert_int_equal(peer_copy(group.devices[1], &copy, &error), STATUS_OK);
    assert_ptr_equal(fake->last_stream, group.devices[1]->native_queue);
    assert_int_equal(buffer_read(&to, 0, seen, sizeof seen, &error), STATUS_OK);
    for (int row = 0; row < 3; row++)
        assert_memory_equal(seen + 2 + 20 * row, sent + 1 + 16 * row, 5);
    assert_int_equal(seen[41], 0xEE);
    assert_int_equal(seen[47], 0xEE);

    /* Out of bounds, on either side. */
    copy = (struct peer_copy){&from, &to, .source_offset = 45, .width = 20, .rows = 1};
    assert_refused(peer_copy(group.devices[0], &copy, &error), STATUS_INVALID, &error, "do not fit the source");
    copy = (struct peer_copy){&from, &to, 0, 16, 0, 24, 5, 4};
    assert_refused(peer_copy(group.devices[0], &copy, &error), STATUS_INVALID, &error, "do not fit the target");
    buffer_release(&from);
    buffer_release(&to);
    group_close(&group);
}

static void devices_wait_for_each_other(void **state)
{
    (void)state;
    struct error error = {""};
    struct device_group group = open_group("cuda:0..3");
    fake->waits = 0;
    assert_int_equal(group_barrier(&group, &error), STATUS_OK);
    assert_int_equal(fake->waits, 12);
    assert_ptr_equal(fake->last_stream, group.devices[3]->native_queue);
    group_close(&group);
}

static void no_nccl_is_a_reason(void **state)
{
    (void)state;
    struct error error = {""};
    struct nccl *nccl;
    struct device_group group = open_group("cuda:0,cuda:0");
    assert_true(group.is_one_device);
    assert_string_equal(group.labels[1], "cuda:0#2");
    assert_refused(nccl_open(&group, &nccl, &error), STATUS_UNAVAILABLE, &error, "no device twice");
    assert_null(nccl);
    group_close(&group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_device_reaches_every_other),
        TEST(separated_devices_have_a_reason),
        TEST(bytes_travel_as_they_are),
        TEST(devices_wait_for_each_other),
        TEST(no_nccl_is_a_reason),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
