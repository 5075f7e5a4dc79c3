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
 * Sections: version; context API (open, close, messages); simple API (one call per problem: host arrays in, host
 * arrays out).
 *
 * Threads: a context belongs to one thread at a time. Several threads may use several contexts at once. Calls return
 * when the work is done. On the CPU they use OpenMP's threads (OMP_NUM_THREADS).
 *
 * Memory: the caller owns all memory it passes; the library stores no pointer to it. A failed call may have written a
 * part of its target.
 *
 * Floating-point environment: calls compute in the default one, whatever the caller's is (rounding, flushing of
 * subnormal numbers, traps). They restore the caller's: that of the calling thread and of its OpenMP threads. */
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
    USKOR_FAILED = 1,      /* a fault of the library itself */
    USKOR_INVALID = 2,     /* an argument is wrong */
    USKOR_UNAVAILABLE = 3, /* no such device, no driver, or no memory */
    USKOR_SYSTEM = 4       /* the operating system refused */
};

/* ---- Version ---- */

/* The version of the running library, such as "1.2.3". It may differ from the version compiled against.
 *
 * Returns: a string that lives as long as the program; never NULL. */
USKOR_API const char *uskor_version(void);

/* ---- Context API ---- */

/* A device, its prepared kernels, and the last message. */
struct uskor;

/* Opens a context on a device: "cpu", "opencl:0", "cuda:1" …, as `uskor devices` lists them. NULL and "auto" choose: at
 * present always "cpu". Every call copies its arrays from host memory and back, and for the library's operations so far
 * these transfers cost more than a GPU gains.
 *
 * Returns: USKOR_OK, and *context is the caller's until uskor_close. Otherwise *context is NULL, and
 * uskor_message(NULL) gives the reason: USKOR_INVALID (no such name) or USKOR_UNAVAILABLE (no such device, no driver,
 * no memory). */
USKOR_API enum uskor_status uskor_open(struct uskor **context, const char *device);

/* Frees the context. NULL is allowed.
 *
 * Returns: nothing. */
USKOR_API void uskor_close(struct uskor *context);

/* The reason why the last call with this context failed. NULL: why this thread's last uskor_open failed.
 *
 * Returns: one line, or "" when nothing failed; never NULL. Valid until the next call with this context (with NULL: the
 * thread's next uskor_open), and until uskor_close. */
USKOR_API const char *uskor_message(const struct uskor *context);

/* The name of the context's device. The context must not be NULL.
 *
 * Returns: a name such as "cpu"; never NULL. Valid until uskor_close. */
USKOR_API const char *uskor_device(const struct uskor *context);

/* The rung (implementation) that the last call ran. The context must not be NULL.
 *
 * Returns: a name such as "simd", or "" before the first call; never NULL. Valid until the next call. */
USKOR_API const char *uskor_rung(const struct uskor *context);

/* ---- Simple API: one call per problem ---- */

/* Transposes a row-major matrix: target[j * rows + i] = source[i * columns + j] for every i < rows and j < columns.
 *
 * source has `rows` rows of `columns` elements of `element_bytes` bytes (1, 2, 4, 8 or 16). target has `columns` rows
 * of `rows` elements. Elements are moved, never interpreted. Both arrays are in host memory, of any alignment, and do
 * not overlap. Either size may be 0: then no memory is touched, and the pointers may be NULL.
 *
 * Returns: USKOR_OK; USKOR_INVALID for any other element size, a NULL pointer, overlapping arrays, or arrays whose size
 * overflows; USKOR_UNAVAILABLE without memory (only devices with memory of their own need any). */
USKOR_API enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows,
                                            size_t columns, size_t element_bytes);

/* Resizes a picture of `width` by `height` pixels, bilinearly.
 *
 * Layout: both pictures are rows of pixels from the top, without gaps, 4 bytes per pixel, such as red, green, blue and
 * alpha. Each channel is interpolated by itself. Both arrays are in host memory, of any alignment, and do not overlap.
 * Sides are 1 to 2^24.
 *
 * Convention: pixels are squares, and their values are those of their centres. Both pictures cover the same area.
 * Beyond the outermost centres the edge pixels are repeated. A smaller picture interpolates between the pixels around
 * its centres, without averaging.
 *
 * Accuracy: each byte is within 1 of the exact result. Where both sides are doubled, it is the exact result, rounded
 * (halves up).
 *
 * Returns: USKOR_OK; USKOR_INVALID for a side out of range, a NULL pointer, overlapping arrays, or arrays whose size
 * overflows; USKOR_UNAVAILABLE without memory. */
USKOR_API enum uskor_status uskor_resize(struct uskor *context, void *target, size_t target_width, size_t target_height,
                                         const void *source, size_t width, size_t height);

/* The element type of an array to be sorted. */
enum uskor_number { USKOR_FLOAT32, USKOR_FLOAT64, USKOR_INT32, USKOR_INT64, USKOR_UINT32, USKOR_UINT64 };

/* Sorts `count` numbers in place, ascending: -0 before +0, every NaN last. All keep their bits.
 *
 * The array is in host memory at a multiple of its element's size. `count` may be 0, and `data` NULL then.
 *
 * Returns: USKOR_OK; USKOR_INVALID for an unknown type, a NULL or misaligned pointer, or a size that overflows;
 * USKOR_UNAVAILABLE without memory (the fastest sorts need as much again). */
USKOR_API enum uskor_status uskor_sort(struct uskor *context, void *data, size_t count, enum uskor_number type);

#ifdef __cplusplus
}
#endif

#endif
