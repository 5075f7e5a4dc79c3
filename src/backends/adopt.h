/* Devices through queues that somebody else has made, and buffers of memory that is there already. */
#pragma once

#include "backends/backend.h"

/* A device whose work goes to the caller's cl_command_queue (in order), or CUstream (NULL: the default stream of the
 * calling thread's context), in its context. The queue must outlive the device; device_close waits for nothing, but for
 * PoCL's launches. STATUS_INVALID for a queue that is none, or out of order; STATUS_UNAVAILABLE without a driver. */
enum status opencl_adopt(void *queue, struct device **device, struct error *error);
enum status cuda_adopt(void *stream, struct device **device, struct error *error);

/* A buffer of the caller's cl_mem or CUdeviceptr, which stays the caller's: it is not to be released. STATUS_INVALID
 * where there is none, or it has fewer bytes or belongs to another context as far as the driver tells. */
enum status opencl_wrap(struct device *device, uintptr_t memory, size_t bytes, struct buffer *buffer,
                        struct error *error);
enum status cuda_wrap(struct device *device, uintptr_t memory, size_t bytes, struct buffer *buffer,
                      struct error *error);
