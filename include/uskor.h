/* Uskor: data-parallel kernels that run the best code known for this machine.
 *
 *     struct uskor *uskor;
 *     if (uskor_open(&uskor, NULL) != USKOR_OK)
 *         return report(uskor_message(NULL));
 *     if (uskor_transpose(uskor, b, a, rows, columns, sizeof *a) != USKOR_OK)
 *         report(uskor_message(uskor));
 *     uskor_close(uskor);
 *
 * Compile and link with `pkg-config --cflags --libs uskor`, or with CMake: find_package(uskor), uskor::uskor.
 *
 * Sections: version; context API (open, close, messages); threads; simple API (one call per problem: host arrays in,
 * host arrays out); plans (a problem prepared once, run often).
 *
 * Cost: a context remembers its last 64 problems. A call of one of these allocates, parses and formats nothing. The
 * first call of a problem chooses the code that serves it, in less than a millisecond on the CPU.
 *
 * Threads: a context serves one thread at a time; a call with a context that another thread is using returns
 * USKOR_BUSY. Several threads may use several contexts at once. Calls return when the work is done. On the CPU they
 * share threads of the library's own (see Threads below). The library uses no OpenMP.
 *
 * Fork: a child process may go on using its contexts on the CPU, and open others. Other devices' drivers do not survive
 * a fork: their contexts are the parent's alone.
 *
 * Memory: the caller owns all memory it passes; the library stores no pointer to it. A failed call may have written a
 * part of its target.
 *
 * Floating-point environment: calls compute in the default one, whatever the caller's is (rounding, flushing of
 * subnormal numbers, traps), and restore the caller's, its exception flags included. */
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
    USKOR_SYSTEM = 4,      /* the operating system refused */
    USKOR_BUSY = 5         /* another thread is using the context */
};

/* ---- Version ---- */

/* The version of this header: 10000 * major + 100 * minor + patch. */
#define USKOR_VERSION_MAJOR 0
#define USKOR_VERSION_MINOR 1
#define USKOR_VERSION_PATCH 0
#define USKOR_VERSION_NUMBER (USKOR_VERSION_MAJOR * 10000 + USKOR_VERSION_MINOR * 100 + USKOR_VERSION_PATCH)

/* The version of the running library, such as "1.2.3". It may differ from the version compiled against.
 *
 * Returns: a string that lives as long as the program; never NULL. */
USKOR_API const char *uskor_version(void);

/* The version of the running library.
 *
 * Returns: a number as USKOR_VERSION_NUMBER. */
USKOR_API unsigned uskor_version_number(void);

/* ---- Context API ---- */

/* A device, its plans, and the last message. */
struct uskor;

/* Opens a context on a device: "cpu", "opencl:0", "cuda:1" …, as `uskor devices` lists them. NULL and "auto" choose: at
 * present always "cpu". Every call copies its arrays from host memory and back, and for the library's operations so far
 * these transfers cost more than a GPU gains.
 *
 * Returns: USKOR_OK, and *context is the caller's until uskor_close. Otherwise *context is NULL, and
 * uskor_message(NULL) gives the reason: USKOR_INVALID (no such name, or context is NULL) or USKOR_UNAVAILABLE (no such
 * device, no driver, no memory). */
USKOR_API enum uskor_status uskor_open(struct uskor **context, const char *device);

/* Frees the context; its plans are to be freed before (uskor_plan_free). NULL is allowed. No other thread may be using
 * it.
 *
 * Returns: nothing. */
USKOR_API void uskor_close(struct uskor *context);

/* The reason why the last call with this context failed. NULL: why this thread's last call failed that had no context
 * to leave its reason in: uskor_open, a call with a NULL context, or USKOR_BUSY.
 *
 * Returns: one line, or "" when nothing failed; never NULL. Valid until the next call with this context (with NULL: the
 * thread's next such failure), and until uskor_close. */
USKOR_API const char *uskor_message(const struct uskor *context);

/* The name of the context's device.
 *
 * Returns: a name such as "cpu", or "" for NULL; never NULL. Valid until uskor_close. */
USKOR_API const char *uskor_device(const struct uskor *context);

/* The rung (implementation) that the last call ran.
 *
 * Returns: a name such as "simd", or "" before the first call and for NULL; never NULL. Lives as long as the program.
 */
USKOR_API const char *uskor_rung(const struct uskor *context);

/* ---- Threads ----
 *
 * On the CPU a call uses as many threads as its work is worth, at most uskor_threads(). They are the library's own,
 * shared by all contexts of the process: while one call uses them, calls in other threads run on their own thread
 * alone. So do calls in a parallel region of OpenMP. A call waits for no thread that has not yet begun to work for it:
 * on a busy machine it is as fast as on one thread. The library's threads sleep some microseconds after a call. */

/* Sets the upper bound for all calls of the process that begin from now on. 0: as at the start, which is the number in
 * USKOR_NUM_THREADS, else in OMP_NUM_THREADS, else of the processors in the affinity mask (before OpenMP bound its
 * threads, if it does). The CPU quota of the control group (cgroup) limits all of these.
 *
 * Returns: nothing. */
USKOR_API void uskor_set_threads(unsigned threads);

/* The upper bound.
 *
 * Returns: at least 1. */
USKOR_API unsigned uskor_threads(void);

/* ---- Simple API: one call per problem ----
 *
 * Each also returns USKOR_INVALID where the context is NULL, and USKOR_BUSY where another thread is using it. */

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

/* ---- Plans: a problem prepared once, run often ----
 *
 * A plan is a problem without its arrays. The functions above make plans, too, and keep the last 64; a plan of the
 * caller's stays until it is freed, and is found without a search. It belongs to its context: the thread rule is the
 * context's, and messages are there. All sizes and types are those of the functions above. */

/* A prepared problem. */
struct uskor_plan;

/* Plans uskor_transpose.
 *
 * Returns: USKOR_OK, and *plan is the caller's until uskor_plan_free. Otherwise *plan is NULL: USKOR_INVALID for wrong
 * sizes or a NULL `plan` or context, USKOR_UNAVAILABLE without memory, USKOR_BUSY. */
USKOR_API enum uskor_status uskor_plan_transpose(struct uskor *context, struct uskor_plan **plan, size_t rows,
                                                 size_t columns, size_t element_bytes);

/* Plans uskor_resize.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_resize(struct uskor *context, struct uskor_plan **plan, size_t target_width,
                                              size_t target_height, size_t width, size_t height);

/* Plans uskor_sort.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_sort(struct uskor *context, struct uskor_plan **plan, size_t count,
                                            enum uskor_number type);

/* Runs a plan on arrays in host memory: a transpose and a resize on target and first, a sort on target. An array that
 * the operation does not have is NULL.
 *
 * Returns: as the function that the plan is of; USKOR_INVALID where the plan is NULL. */
USKOR_API enum uskor_status uskor_run(struct uskor_plan *plan, void *target, const void *first, const void *second);

/* Frees a plan. NULL is allowed.
 *
 * Returns: USKOR_OK; USKOR_BUSY, and the plan stays, where another thread is using the context. */
USKOR_API enum uskor_status uskor_plan_free(struct uskor_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
