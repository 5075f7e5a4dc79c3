/* The functions that an OpenCL loader looks up in a driver. With FAULT=list-refuse a platform never lists its devices;
 * with list-busy it refuses twice and then has none. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "harm.h"

#define EXPORT __attribute__((visibility("default")))

/* A loader calls through the table that an object's first word points to. */
static void *dispatch[256];
static struct {
    void **dispatch;
} platform = {dispatch};

static cl_int list_platforms(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    if (count)
        *count = 1;
    if (platforms && capacity > 0)
        platforms[0] = (cl_platform_id)&platform;
    return CL_SUCCESS;
}

static cl_int tell_platform(cl_platform_id which, cl_platform_info what, size_t size, void *value, size_t *needed)
{
    (void)which;
    const char *text = what == CL_PLATFORM_NAME         ? "Faulty"
                       : what == CL_PLATFORM_VERSION    ? "OpenCL 3.0 faulty"
                       : what == 0x0920 /* suffix */    ? "FAULTY"
                       : what == CL_PLATFORM_EXTENSIONS ? "cl_khr_icd"
                                                        : "";
    if (needed)
        *needed = strlen(text) + 1;
    if (value && size > strlen(text))
        strcpy(value, text);
    return CL_SUCCESS;
}

static cl_int list_devices(cl_platform_id which, cl_device_type type, cl_uint capacity, cl_device_id *devices,
                           cl_uint *count)
{
    static int calls;
    (void)which, (void)type, (void)capacity, (void)devices;
    if (count)
        *count = 0;
    return strcmp(getenv("FAULT"), "list-busy") == 0 && ++calls > 2 ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void *address_of_list, *address_of_tell, *address_of_devices;

/* memcpy, because ISO C has no conversion from a function pointer to void *. */
static void fill_table(void)
{
    cl_int (*list)(cl_uint, cl_platform_id *, cl_uint *) = list_platforms;
    cl_int (*tell)(cl_platform_id, cl_platform_info, size_t, void *, size_t *) = tell_platform;
    cl_int (*devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *) = list_devices;
    memcpy(&address_of_list, &list, sizeof list);
    memcpy(&address_of_tell, &tell, sizeof tell);
    memcpy(&address_of_devices, &devices, sizeof devices);
    dispatch[0] = address_of_list;
    dispatch[1] = address_of_tell;
    dispatch[2] = address_of_devices;
}

EXPORT void *clGetExtensionFunctionAddress(const char *name)
{
    const char *fault = getenv("FAULT");
    harm("init");
    if (!fault || strncmp(fault, "list-", 5) != 0)
        return NULL;
    fill_table();
    return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? address_of_list
           : strcmp(name, "clGetPlatformInfo") == 0    ? address_of_tell
                                                       : NULL;
}
