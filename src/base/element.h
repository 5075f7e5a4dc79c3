/* The element types a problem can be made of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum element_type {
    ELEMENT_U8,
    ELEMENT_I8,
    ELEMENT_U16,
    ELEMENT_I16,
    ELEMENT_F16,
    ELEMENT_BF16,
    ELEMENT_U32,
    ELEMENT_I32,
    ELEMENT_F32,
    ELEMENT_U64,
    ELEMENT_I64,
    ELEMENT_F64,
    ELEMENT_C64,  /* two f32 */
    ELEMENT_C128, /* two f64 */
    ELEMENT_TYPE_COUNT,
};

struct element_info {
    const char *name;        /* as problems spell it: "f32" */
    size_t bytes;            /* 1, 2, 4, 8 or 16 */
    const char *device_type; /* OpenCL C's name for it: "float" */
    const char *device_bits; /* OpenCL C's type that moves it unseen: "uint" */
};

const struct element_info *element_info(enum element_type type);

/* 0: unsigned integers; 1: signed ones; 2: floating-point numbers; 3: complex ones. */
int element_kind(enum element_type type);

/* Half a unit in the last place of 1: the largest relative error of one rounded operation. 0 for integers; of a complex
 * type, its components'. */
double element_epsilon(enum element_type type);

/* Whether it is a floating-point number of 16 bits, whose sums are floats. */
bool element_is_half(enum element_type type);

/* Element `index` of an array of floating-point numbers; and writes it there, rounded to the nearest, ties to even. */
double element_number(enum element_type type, const void *data, size_t index);
void element_put(enum element_type type, void *data, size_t index, double number);

/* Element `index` of an array as a message shows it: "3", "0.1", "1+2i"; floats so that they read back the same.
 * Returns `text`. */
#define ELEMENT_TEXT_BYTES 64
const char *element_text(enum element_type type, const void *data, size_t index, char text[ELEMENT_TEXT_BYTES]);

/* … as its bits: "0x3f800000". */
const char *element_bits_text(enum element_type type, const void *data, size_t index, char text[ELEMENT_TEXT_BYTES]);

/* The type called `name`, or ELEMENT_TYPE_COUNT when there is none. */
enum element_type element_by_name(const char *name);

/* The type that moves elements of `bytes` bytes unseen (u8, u16, u32, u64, c128), or ELEMENT_TYPE_COUNT. */
enum element_type element_by_size(size_t bytes);
