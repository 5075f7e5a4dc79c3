/* A .npy file's floats in this machine's byte order, for commands that compute with them. */
#pragma once

#include "files/npy.h"

/* A zeroed one is empty. */
struct floats {
    struct npy_array file;
    void *swapped; /* NULL: the file's own bytes serve */
    enum element_type type;
};

/* Opens a file of float16, float32 or float64 numbers with `least` to `most` axes, which the message calls `kind` ("a
 * vector (one axis)"). Errors are npy_open's; STATUS_INVALID: another type or shape. Close it in any case. */
enum status floats_open(const char *path, int least, int most, const char *kind, struct floats *floats,
                        struct error *error);
/* Its half after the opening: checks floats->file, and sets the type. The bytes stay as the file has them. */
enum status floats_check(struct floats *floats, int least, int most, const char *kind, struct error *error);
void floats_close(struct floats *floats);

/* All elements as they are stored, for reading. */
void *floats_data(const struct floats *floats);

/* STATUS_INVALID when the two are not of one type. */
enum status floats_same_type(const struct floats *a, const struct floats *other, struct error *error);
