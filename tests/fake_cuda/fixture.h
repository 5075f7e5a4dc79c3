/* Shared by the CUDA backend's tests: the backend with the fake driver and compiler, an empty cache folder, and a check
 * after every test that everything was freed. */
#pragma once

#include <dlfcn.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/build_on.h"
#include "backends/all.h"
#include "base/size.h"
#include "fake_cuda.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct fake_cuda *fake;
static char cache[] = "/tmp/uskor-cache-XXXXXX";

static inline struct device *open_device(void)
{
    struct error error = {""};
    struct device *device = NULL;
    if (device_open("cuda", &device, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return device;
}

static inline void assert_refused(enum status got, enum status wanted, const struct error *error, const char *words)
{
    assert_int_equal(got, wanted);
    if (!strstr(error->text, words))
        fail_msg("'%s' does not say '%s'", error->text, words);
}

static inline int reset(void **state)
{
    (void)state;
    unsetenv("USKOR_CACHE");
    fake->failing = NULL;
    fake->capturing = fake->fills = 0;
    fake->major = 9;
    fake->minor = 0;
    fake->compilations = fake->loads = fake->launches = fake->early = fake->waits = fake->rectangles = 0;
    return 0;
}

/* Nothing that a test opened may be left. */
static inline int all_given_back(void **state)
{
    (void)state;
    bool clean = fake->contexts == 0 && fake->streams == 0 && fake->events == 0 && fake->modules == 0 &&
                 fake->allocations == 0 && fake->pinned == 0;
    if (!clean)
        print_error("left: %d contexts, %d streams, %d events, %d modules, %d allocations, %d pinned\n", fake->contexts,
                    fake->streams, fake->events, fake->modules, fake->allocations, fake->pinned);
    return clean ? 0 : -1;
}

static inline int start(void **state)
{
    (void)state;
    void *handle = dlopen(USKOR_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        print_error("%s\n", dlerror());
        return -1;
    }
    fake = dlsym(handle, "fake_cuda");
    setenv("USKOR_NVRTC", USKOR_FAKE_CUDA, 1);
    setenv("USKOR_LIBCUDA", USKOR_FAKE_CUDA, 1);
    return fake && mkdtemp(cache) && setenv("XDG_CACHE_HOME", cache, 1) == 0 ? 0 : -1;
}

static inline int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static inline void remove_tree(const char *path)
{
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int finish(void **state)
{
    (void)state;
    remove_tree(cache);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, all_given_back)
