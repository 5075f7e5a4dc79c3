/* What the process that wants a kernel's code and its child tell each other. Both are the same program, so structures
 * are sent as bytes. */
#pragma once

#include "backends/opencl/kernel_code.h"
#include "base/message.h"

enum kernel_code_message {
    KERNEL_CODE_REQUEST = 1, /* to the child: struct kernel_code_job; the source's texts follow, each with its 0 */
    KERNEL_CODE_DONE,        /* from the child: struct kernel_code_done; the image follows */
};

struct kernel_code_job {
    char device[32], device_name[sizeof((struct device_properties *)NULL)->name], entry[128];
    int rank;
    size_t group[3], groups[3];
    struct kernel_code_argument arguments[KERNEL_CODE_ARGUMENTS_MOST];
    size_t argument_count;
    size_t text_count; /* the source's name, its text, its definitions */
};

struct kernel_code_done {
    enum status status;
    enum kernel_code_origin origin;
    struct error error;
    char message_origin[MESSAGE_ORIGIN_BYTES];
};
