/* Uskor: data-parallel kernels that run the best code known for this machine.
 *
 *     struct uskor *uskor;
 *     if (uskor_open(&uskor, NULL) != USKOR_OK)
 *         return report(uskor_message(NULL));
 *     if (uskor_transpose(uskor, b, a, rows, columns, sizeof *a) != USKOR_OK)
 *         report(uskor_message(uskor));
 *     uskor_close(uskor);
 *
 * Compile and link with `pkg-config --cflags --libs uskor`.
 *
 * A context belongs to one thread at a time; several contexts may be used by several threads at once. Calls return when
 * the work is done. On the CPU they use OpenMP's threads (OMP_NUM_THREADS). The caller owns all memory it passes; the
 * library keeps no pointer to it. A call that fails may have written a part of its target.
 *
 * Whatever the caller's floating-point environment is (rounding, flushing of subnormal numbers, traps), calls compute
 * in the default one, and leave the caller's as they found it: the calling thread's and those of its OpenMP threads. */
#ifndef USKOR_H
#define USKOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define USKOR_API __attribute__((visibility("default")))
#else
#define USKOR_API
#endif

enum uskor_status {
    USKOR_OK = 0,
    USKOR_FAILED = 1,      /* the library itself is at fault */
    USKOR_INVALID = 2,     /* an argument is wrong */
    USKOR_UNAVAILABLE = 3, /* no such device, no driver, or no memory */
    USKOR_SYSTEM = 4       /* the operating system refused */
};

/* A device, what was prepared for it, and the last message. */
struct uskor;

/* "1.2.3": the version of the library that runs, which need not be the one compiled against. Never NULL. */
USKOR_API const char *uskor_version(void);

/* Opens a context on a device: "cpu", "opencl:0", "cuda:1" …, as `uskor devices` lists them. NULL and "auto" choose: at
 * present always "cpu", because every call takes its arrays from host memory and puts them back there, and for what the
 * library computes so far that transfer costs more than a GPU gains.
 * On success *context is the caller's until uskor_close. On failure *context is NULL and uskor_message(NULL) says why:
 * USKOR_INVALID (no such name) or USKOR_UNAVAILABLE. */
USKOR_API enum uskor_status uskor_open(struct uskor **context, const char *device);

/* Frees the context; NULL is fine. */
USKOR_API void uskor_close(struct uskor *context);

/* Why the last call with this context failed, one line; "" when none has. NULL: why this thread's last uskor_open
 * failed. Valid until the next call. Never NULL. */
USKOR_API const char *uskor_message(const struct uskor *context);

/* The device's name ("cpu"), and the rung that the last call ran ("" before the first). Valid until uskor_close, and
 * until the next call. */
USKOR_API const char *uskor_device(const struct uskor *context);
USKOR_API const char *uskor_rung(const struct uskor *context);

/* target[j * rows + i] = source[i * columns + j] for every i < rows and j < columns: transposes a row-major matrix.
 *
 * source has `rows` rows of `columns` elements of `element_bytes` bytes (1, 2, 4, 8 or 16); target has `columns` rows
 * of `rows` elements. Elements are moved, never interpreted. Both arrays are in host memory, of any alignment, and do
 * not overlap. Either size may be 0: then nothing is touched, and the pointers may be NULL. USKOR_INVALID: an element
 * size that is not listed, a NULL pointer, arrays that overlap or whose size overflows. USKOR_UNAVAILABLE: no memory
 * (only devices with memory of their own need any). */
USKOR_API enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows,
                                            size_t columns, size_t element_bytes);

/* Resizes a picture of `width` by `height` pixels, bilinearly.
 *
 * Both pictures are rows of pixels from the top, without gaps: 4 bytes a pixel, such as red, green, blue and alpha,
 * each of which is interpolated for itself. Pixels are squares, and their values are those of their centres; both
 * pictures cover the same area; beyond the outermost centres the picture goes on unchanged. A smaller picture is made
 * of the pixels around its centres, and nothing is averaged. Each byte is within 1 of the exact result; it is the exact
 * result, rounded (halves up), where both sides are doubled. Sides are 1 to 2^24; both arrays are in host memory, of
 * any alignment, and do not overlap. USKOR_INVALID: a side that is not, a NULL pointer, arrays that overlap
 * or whose size overflows. USKOR_UNAVAILABLE: no memory. */
USKOR_API enum uskor_status uskor_resize(struct uskor *context, void *target, size_t target_width, size_t target_height,
                                         const void *source, size_t width, size_t height);

/* What an array to be sorted holds. */
enum uskor_number { USKOR_FLOAT32, USKOR_FLOAT64, USKOR_INT32, USKOR_INT64, USKOR_UINT32, USKOR_UINT64 };

/* Sorts `count` numbers in place, ascending: -0 before +0, every NaN last; all keep their bits.
 *
 * The array is in host memory at a multiple of its element's size. `count` may be 0, and `data` NULL then.
 * USKOR_INVALID: an unknown type, a NULL or misaligned pointer, a size that overflows. USKOR_UNAVAILABLE: no memory;
 * the fastest sorts need as much again. */
USKOR_API enum uskor_status uskor_sort(struct uskor *context, void *data, size_t count, enum uskor_number type);

#ifdef __cplusplus
}
#endif

#endif
