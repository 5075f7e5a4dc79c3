/* OpenCL without a driver: the loader is told, before its first call, to look where there is none. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/opencl/library.h"

#include <cmocka.h> /* last: it has a macro called fail */

static void no_driver_is_a_reason_with_what_to_install(void **state)
{
    (void)state;
    struct device *device;
    struct error error;
    if (opencl_library_open(&error) != STATUS_OK) {
        assert_non_null(strstr(error.text, "install ocl-icd-libopencl1"));
        skip();
    }
    if (dlsym(RTLD_DEFAULT, "clGetPlatformIDs"))
        skip();                               /* an OpenCL that was preloaded has its own driver */
    for (int round = 0; round < 2; round++) { /* the answer may be asked for again */
        assert_int_equal(device_open("opencl:0", &device, &error), STATUS_UNAVAILABLE);
        assert_null(device);
        assert_non_null(strstr(error.text, "no driver is registered"));
        assert_non_null(strstr(error.text, "pocl-opencl-icd"));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(no_driver_is_a_reason_with_what_to_install)};
    setenv("OCL_ICD_VENDORS", "/nowhere/", 1); /* ocl-icd and the Khronos loader */
    setenv("OPENCL_VENDOR_PATH", "/nowhere/", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
