/* Contexts of the library for calls that enter without one. */
#pragma once

#include <stdbool.h>

#include "uskor.h"

/* The device of USKOR_BLAS_DEVICE; NULL: none is named, or it cannot be opened, of which a message tells once. */
const char *blas_device_name(void);

/* A context that no other thread has, on the CPU, or on the named device; NULL: none can be opened. */
struct uskor *blas_context_take(bool on_device);
void blas_context_give(struct uskor *context, bool on_device);
