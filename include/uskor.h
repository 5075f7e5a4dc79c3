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

/* What a call returns. */
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

/* Opens a context on a device: "cpu", "opencl:0", "cuda:1" …, as `uskor devices` lists them. NULL and "auto" are
 * the cpu. Every call copies its arrays from host memory and back, which for most problems costs more than a GPU gains;
 * uskor_open_for weighs that.
 *
 * Returns: USKOR_OK, and *context is the caller's until uskor_close. Otherwise *context is NULL, and
 * uskor_message(NULL) gives the reason: USKOR_INVALID (no such name, or context is NULL) or USKOR_UNAVAILABLE (no such
 * device, no driver, no memory). */
USKOR_API enum uskor_status uskor_open(struct uskor **context, const char *device);

/* Opens a context on the device that is expected to be the fastest for a problem whose arrays are in host memory, such
 * as "matmul:m=4096,n=4096,k=4096,f32", "sort:n=1000000,u32", "dot:n=1000,f64" (`uskor list` names the kernels and
 * their sizes). The times are measured ones: of the shipped tuned files, and those of `uskor tune` on this machine,
 * which also measures a device's copies. A device without them is not chosen; else it is the cpu. The context serves
 * any call, also of other sizes. uskor_device gives the device's name.
 *
 * Returns: as uskor_open; USKOR_INVALID for a problem that is not one, or NULL. */
USKOR_API enum uskor_status uskor_open_for(struct uskor **context, const char *problem);

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

/* The element type of an array of numbers. */
enum uskor_number {
    USKOR_FLOAT32,
    USKOR_FLOAT64,
    USKOR_INT32,
    USKOR_INT64,
    USKOR_UINT32,
    USKOR_UINT64,
    USKOR_FLOAT16,
    USKOR_BFLOAT16,
    USKOR_INT8,
    USKOR_UINT8,
    USKOR_INT16,
    USKOR_UINT16
};

/* Transposes a row-major matrix: target[j * rows + i] = source[i * columns + j] for every i < rows and j < columns.
 *
 * source has `rows` rows of `columns` elements of `element_bytes` bytes (1 to 65536; other devices than the CPU: 1, 2,
 * 4, 8 or 16). target has `columns` rows
 * of `rows` elements. Elements are moved, never interpreted. Both arrays are in host memory, of any alignment, and do
 * not overlap. Either size may be 0: then no memory is touched, and the pointers may be NULL.
 *
 * Returns: USKOR_OK; USKOR_INVALID for any other element size, a NULL pointer, overlapping arrays, or arrays whose size
 * overflows; USKOR_UNAVAILABLE without memory (only devices with memory of their own need any). */
USKOR_API enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows,
                                            size_t columns, size_t element_bytes);

/* `batch` such matrices, with gaps. A pitch is the distance of two rows, a step that of two matrices, in elements; a
 * source's pitch is at least columns, a target's at least rows, at most 2^31 more. Matrices of a target follow one
 * another, or lie side by side in the same rows; sources may overlap, and with a step of 0 one serves all. Gaps are
 * neither changed nor looked at. The CPU alone, where there are gaps or several matrices.
 *
 * Planes become pixels with rows = channels, columns = pixels; pixels become planes the other way round.
 *
 * Returns: as uskor_transpose; USKOR_INVALID for a pitch or a step that is not possible, too. */
USKOR_API enum uskor_status uskor_transpose_strided(struct uskor *context, void *target, size_t target_pitch,
                                                    size_t target_step, const void *source, size_t pitch, size_t step,
                                                    size_t rows, size_t columns, size_t element_bytes, size_t batch);

/* The same in the matrices' own memory. A matrix that is not square has no gaps: its pitch is `columns`, and afterwards
 * `rows`. Matrices follow one another. A CUDA or OpenCL context takes one square matrix without gaps, of elements of 1,
 * 2, 4, 8 or 16 bytes.
 *
 * Scratch memory is 16 KiB for each thread where the matrices are square; else a row, or 64 bytes of each row.
 *
 * Returns: as uskor_transpose_strided. */
USKOR_API enum uskor_status uskor_transpose_in_place(struct uskor *context, void *data, size_t pitch, size_t step,
                                                     size_t rows, size_t columns, size_t element_bytes, size_t batch);

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

/* The same for pixels of 1 to 4 `channels` of type USKOR_UINT8, USKOR_UINT16 or USKOR_FLOAT32, in rows with gaps: a
 * pitch is the distance of two rows in numbers, at least channels * width, at most 2^31 more. Gaps are neither read nor
 * written. Both arrays are at multiples of a number's size. Other devices than the CPU have pixels of 4 bytes without
 * gaps alone.
 *
 * Accuracy: bytes as above; 16 bits the exact result rounded, halves up, or within 2^-30 of a half; floats within half
 * a last place, and 2^-48 of the largest pixel around. A pixel of weight 0 does not count; otherwise NaN and infinity
 * go where IEEE 754 sends them.
 *
 * Returns: as uskor_resize; USKOR_INVALID for other types, channels and pitches, and misaligned arrays, too. */
USKOR_API enum uskor_status uskor_resize_picture(struct uskor *context, void *target, size_t target_width,
                                                 size_t target_height, size_t target_pitch, const void *source,
                                                 size_t width, size_t height, size_t pitch, size_t channels,
                                                 enum uskor_number type);

/* Flags of the sorts. */
#define USKOR_DESCENDING 1u
#define USKOR_NANS_FIRST 2u /* in either order; without it NaNs are last. The CPU alone */

/* Sorts `count` numbers in place, ascending, or descending with the flag: -0 stands below +0, and every NaN last in
 * both orders, or first with the flag. All keep their bits.
 *
 * The array is in host memory at a multiple of its element's size. `count` may be 0, and `data` NULL then.
 *
 * Returns: USKOR_OK; USKOR_INVALID for an unknown type or flag, a NULL or misaligned pointer, or a size that overflows;
 * USKOR_UNAVAILABLE without memory (the fastest sorts need as much again). */
USKOR_API enum uskor_status uskor_sort(struct uskor *context, void *data, size_t count, enum uskor_number type,
                                       unsigned flags);

/* Sorts keys as uskor_sort does, and moves a value of `value_bytes` bytes (4 or 8) with each. Equal keys (and NaNs)
 * keep their order: the sort is stable. The arrays do not overlap. The CPU, and CUDA with keys of 32 and 64 bits.
 *
 * Returns: as uskor_sort; USKOR_INVALID for other values and for overlapping arrays, too. */
USKOR_API enum uskor_status uskor_sort_pairs(struct uskor *context, void *keys, void *values, size_t count,
                                             enum uskor_number type, size_t value_bytes, unsigned flags);

/* Writes the stable order of the numbers, which stay as they are: indices[i] is where the i-th of them stands. Indices
 * are unsigned integers of `index_bytes` bytes, 4 (for a count below 2^32) or 8. The arrays do not overlap. The CPU,
 * and CUDA with numbers of 32 and 64 bits.
 *
 * Returns: as uskor_sort; USKOR_INVALID for other indices and for overlapping arrays, too. */
USKOR_API enum uskor_status uskor_argsort(struct uskor *context, void *indices, const void *data, size_t count,
                                          enum uskor_number type, size_t index_bytes, unsigned flags);

/* Writes the first `top` indices of the order that uskor_argsort makes: where the least numbers stand, or with
 * USKOR_DESCENDING the greatest. Indices are an array of `top`. A top beyond the count is the count; with 0 nothing is
 * done. A CUDA or OpenCL context finds up to 2048.
 *
 * Returns: as uskor_argsort. */
USKOR_API enum uskor_status uskor_partial_argsort(struct uskor *context, void *indices, const void *data, size_t count,
                                                  size_t top, enum uskor_number type, size_t index_bytes,
                                                  unsigned flags);

/* Puts the first `top` numbers of the order that uskor_sort makes to the array's beginning, sorted; the others follow
 * in any order. A top beyond the count is the count. With 0 nothing is done.
 *
 * Returns: as uskor_sort. */
USKOR_API enum uskor_status uskor_partial_sort(struct uskor *context, void *data, size_t count, size_t top,
                                               enum uskor_number type, unsigned flags);

/* Sorts, and keeps one of each number: the first *distinct_count elements are the result, and what is behind them is of
 * no meaning. -0 and +0 are two numbers, all NaNs are one. The CPU and CUDA.
 *
 * Returns: as uskor_sort; USKOR_INVALID where distinct_count is NULL, misaligned or in the array, too. */
USKOR_API enum uskor_status uskor_sort_unique(struct uskor *context, void *data, size_t count, size_t *distinct_count,
                                              enum uskor_number type, unsigned flags);

/* Puts the first `first` numbers of the order that uskor_sort makes to the array's beginning, the last of them in its
 * place, data[first - 1], and the others in any order (nth element). A number beyond the count is the count. With 0
 * nothing is done. The CPU alone.
 *
 * Returns: as uskor_sort. */
USKOR_API enum uskor_status uskor_partition(struct uskor *context, void *data, size_t count, size_t first,
                                            enum uskor_number type, unsigned flags);

/* Sorts along the middle axis of an array of batch x count x stride numbers: element i of line (b, s) is
 * data[(b * count + i) * stride + s]. The last axis has a stride of 1; the first one a batch of 1. Values and indices
 * are an array of the same shape; indices count within a line. The CPU alone.
 *
 * Returns: as the function of one line. */
USKOR_API enum uskor_status uskor_sort_lines(struct uskor *context, void *data, size_t count, size_t batch,
                                             size_t stride, enum uskor_number type, unsigned flags);
USKOR_API enum uskor_status uskor_sort_pairs_lines(struct uskor *context, void *keys, void *values, size_t count,
                                                   size_t batch, size_t stride, enum uskor_number type,
                                                   size_t value_bytes, unsigned flags);
USKOR_API enum uskor_status uskor_argsort_lines(struct uskor *context, void *indices, const void *data, size_t count,
                                                size_t batch, size_t stride, enum uskor_number type, size_t index_bytes,
                                                unsigned flags);
USKOR_API enum uskor_status uskor_partition_lines(struct uskor *context, void *data, size_t count, size_t first,
                                                  size_t batch, size_t stride, enum uskor_number type, unsigned flags);

/* How uskor_dot adds. */
enum uskor_sum {
    USKOR_SUM_FAST,        /* in double, in an order that depends on the number of threads */
    USKOR_SUM_COMPENSATED, /* as if in twice the precision, rounded once */
    USKOR_SUM_EXACT        /* the exact sum, rounded once: the same bits on any number of threads and any processor */
};

/* The dot product: *result = the sum of a[i] * b[i] for every i < count, in double whatever the elements are
 * (USKOR_FLOAT32, USKOR_FLOAT64, USKOR_FLOAT16 or USKOR_BFLOAT16). 0 for a count of 0.
 *
 * Accuracy: a fast sum's error is at most (count / 8 + 1088) * 2^-53 times the sum of all |a[i] * b[i]|; a compensated
 * one's half of the last place, and 2 * (count * 2^-53)^2 times that sum. The exact one is the nearest double (of two,
 * the even one). NaN and infinity go where IEEE 754 sends them, a finite sum beyond double's range to infinity.
 *
 * Both vectors are in host memory, at multiples of their elements' size, and do not hold *result; they may overlap.
 *
 * Returns: USKOR_OK; USKOR_INVALID for another type or way to add, a NULL or misaligned pointer, or a size that
 * overflows; USKOR_UNAVAILABLE without memory. */
USKOR_API enum uskor_status uskor_dot(struct uskor *context, double *result, const void *a, const void *b, size_t count,
                                      enum uskor_number type, enum uskor_sum sum);

/* The matrix product C = alpha * op(A) * op(B) + beta * C, row-major; op(X) is X, or its transpose where transpose_x is
 * not 0. op(A) is m x k, op(B) k x n, C m x n. With column-major matrices exchange A and B, m and n.
 *
 * Elements are USKOR_FLOAT32 or USKOR_FLOAT64; USKOR_FLOAT16 or USKOR_BFLOAT16, whose sums are floats. A leading
 * dimension is the distance of two stored rows, in elements: at least their length (k, or m where A is transposed, and
 * so on), at most 2^31 more. What lies between rows keeps its values; on the CPU it is neither read nor written.
 *
 * As the BLAS has it: with beta = 0 C is not read, with alpha = 0 or k = 0 A and B are not, and may be NULL then. m, n
 * and k are at most 2^31; where m or n is 0, nothing is done. alpha and beta are finite; for floats they are rounded to
 * floats. C overlaps neither A nor B; all are at multiples of their elements' size, in host memory.
 *
 * n = 1 is a matrix times a vector. On the CPU the result's bits do not depend on the number of threads.
 *
 * Accuracy: the error of an element is at most (k + 3) * u times (|alpha| * |op(A)| * |op(B)| + |beta * C|) at that
 * place; u is 2^-24, or 2^-53 for USKOR_FLOAT64; and a result in half precision is rounded once more.
 *
 * Returns: USKOR_OK; USKOR_INVALID for another type, a leading dimension or a factor that is not possible, a NULL or
 * misaligned pointer, overlap, or a size that overflows; USKOR_UNAVAILABLE without memory. */
USKOR_API enum uskor_status uskor_gemm(struct uskor *context, enum uskor_number type, int transpose_a, int transpose_b,
                                       size_t m, size_t n, size_t k, double alpha, const void *a, size_t lda,
                                       const void *b, size_t ldb, double beta, void *c, size_t ldc);

/* `batch` such products, at most 2^31, of matrices that follow one another: each of the arrays has the stored rows of
 * all of its matrices. c_type is the type of C: `type`, or USKOR_FLOAT32 where `type` is one of 16 bits.
 *
 * Returns: as uskor_gemm. */
USKOR_API enum uskor_status uskor_gemm_batched(struct uskor *context, enum uskor_number type, enum uskor_number c_type,
                                               int transpose_a, int transpose_b, size_t m, size_t n, size_t k,
                                               double alpha, const void *a, size_t lda, const void *b, size_t ldb,
                                               double beta, void *c, size_t ldc, size_t batch);

/* Flags of uskor_gemm_strided. */
#define USKOR_SAME_BITS 1u     /* the same bits on any number of threads */
#define USKOR_HIGH_ACCURACY 2u /* sums, alpha and beta are doubles. The CPU alone; not for USKOR_FLOAT64 */

/* `batch` products of matrices that are so many elements apart: step_a and step_b are any, with 0 one matrix serves all
 * products. The matrices of C follow one another, or lie side by side in the same rows. Steps are of no matter where
 * batch is 1. The CPU alone, unless matrices follow one another.
 *
 * Accuracy with USKOR_HIGH_ACCURACY: half of a last place of the result, and (k + 3) * 2^-53 times the sum that
 * uskor_gemm names.
 *
 * Returns: as uskor_gemm; USKOR_INVALID for matrices of C that overlap and for unknown flags, too. */
USKOR_API enum uskor_status uskor_gemm_strided(struct uskor *context, enum uskor_number type, enum uskor_number c_type,
                                               int transpose_a, int transpose_b, size_t m, size_t n, size_t k,
                                               double alpha, const void *a, size_t lda, size_t step_a, const void *b,
                                               size_t ldb, size_t step_b, double beta, void *c, size_t ldc,
                                               size_t step_c, size_t batch, unsigned flags);

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

/* Plans uskor_transpose_strided.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_transpose_strided(struct uskor *context, struct uskor_plan **plan,
                                                         size_t target_pitch, size_t target_step, size_t pitch,
                                                         size_t step, size_t rows, size_t columns, size_t element_bytes,
                                                         size_t batch);

/* Plans uskor_transpose_in_place, whose array is uskor_run's target.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_transpose_in_place(struct uskor *context, struct uskor_plan **plan, size_t pitch,
                                                          size_t step, size_t rows, size_t columns,
                                                          size_t element_bytes, size_t batch);

/* Plans uskor_resize.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_resize(struct uskor *context, struct uskor_plan **plan, size_t target_width,
                                              size_t target_height, size_t width, size_t height);

/* Plans uskor_resize_picture.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_resize_picture(struct uskor *context, struct uskor_plan **plan,
                                                      size_t target_width, size_t target_height, size_t target_pitch,
                                                      size_t width, size_t height, size_t pitch, size_t channels,
                                                      enum uskor_number type);

/* Plans uskor_sort.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_sort(struct uskor *context, struct uskor_plan **plan, size_t count,
                                            enum uskor_number type, unsigned flags);

/* Plans uskor_sort_lines.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_sort_lines(struct uskor *context, struct uskor_plan **plan, size_t count,
                                                  size_t batch, size_t stride, enum uskor_number type, unsigned flags);

/* Plans uskor_sort_unique. `second` is the place for the number of distinct elements; with uskor_run_device it is on
 * the device.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_sort_unique(struct uskor *context, struct uskor_plan **plan, size_t count,
                                                   enum uskor_number type, unsigned flags);

/* Plans uskor_argsort.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_argsort(struct uskor *context, struct uskor_plan **plan, size_t count,
                                               enum uskor_number type, size_t index_bytes, unsigned flags);

/* Plans uskor_partial_argsort.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_partial_argsort(struct uskor *context, struct uskor_plan **plan, size_t count,
                                                       size_t top, enum uskor_number type, size_t index_bytes,
                                                       unsigned flags);

/* Plans uskor_dot.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_dot(struct uskor *context, struct uskor_plan **plan, size_t count,
                                           enum uskor_number type, enum uskor_sum sum);

/* Plans uskor_gemm_batched; uskor_gemm with c_type = type and batch = 1.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_gemm(struct uskor *context, struct uskor_plan **plan, enum uskor_number type,
                                            enum uskor_number c_type, int transpose_a, int transpose_b, size_t m,
                                            size_t n, size_t k, double alpha, size_t lda, size_t ldb, double beta,
                                            size_t ldc, size_t batch);

/* Plans uskor_gemm_strided.
 *
 * Returns: as uskor_plan_transpose. */
USKOR_API enum uskor_status uskor_plan_gemm_strided(struct uskor *context, struct uskor_plan **plan,
                                                    enum uskor_number type, enum uskor_number c_type, int transpose_a,
                                                    int transpose_b, size_t m, size_t n, size_t k, double alpha,
                                                    size_t lda, size_t step_a, size_t ldb, size_t step_b, double beta,
                                                    size_t ldc, size_t step_c, size_t batch, unsigned flags);

/* Runs a plan on arrays in host memory: a transpose and a resize on target and first; a sort on
 * target; an argsort on indices and numbers; a dot product on
 * its result, a and b; a matrix product on C, A and B. An array that the operation does not have is NULL.
 *
 * Returns: as the function that the plan is of; USKOR_INVALID where the plan is NULL. */
USKOR_API enum uskor_status uskor_run(struct uskor_plan *plan, void *target, const void *first, const void *second);

/* Bytes of scratch memory that a run of the plan needs on the CPU, at most; 0 for NULL and on other devices. They
 * depend on uskor_threads() when the plan was made.
 *
 * Returns: bytes. */
USKOR_API size_t uskor_plan_scratch(const struct uskor_plan *plan);

/* As uskor_run, in the caller's own scratch memory of `scratch_bytes` bytes, at least uskor_plan_scratch, which
 * overlaps no array. Without it (NULL, or with uskor_run) plans share memory of their context's, taken with the first
 * run.
 *
 * Returns: as uskor_run; USKOR_INVALID where the scratch memory is too small or misaligned (64 bytes). */
USKOR_API enum uskor_status uskor_run_within(struct uskor_plan *plan, void *target, const void *first,
                                             const void *second, void *scratch, size_t scratch_bytes);

/* Does now what the plan's first run would do: takes memory of the context's or on the device. The plan's code has been
 * compiled since the plan was made.
 *
 * Returns: USKOR_OK; USKOR_UNAVAILABLE without memory, USKOR_INVALID for NULL, USKOR_BUSY. */
USKOR_API enum uskor_status uskor_prepare(struct uskor_plan *plan);

/* Frees a plan. NULL is allowed.
 *
 * Returns: USKOR_OK; USKOR_BUSY, and the plan stays, where another thread is using the context. */
USKOR_API enum uskor_status uskor_plan_free(struct uskor_plan *plan);

/* ---- Devices: arrays that are there already, on the caller's queue ----
 *
 *     uskor_open_opencl(&uskor, queue);
 *     uskor_plan_transpose(uskor, &plan, rows, columns, 4);
 *     uskor_run_device(plan, target, source, NULL);           cl_mem; enqueued, not waited for
 *     clFinish(queue);
 */

/* The devices that uskor_open can open, the CPU first, as they were when this was first asked.
 *
 * Returns: at least 1. */
USKOR_API size_t uskor_device_count(void);

/* The name of one of them, for uskor_open: "cpu", "opencl:0", "cuda:0".
 *
 * Returns: the name, or "" for an index beyond the last; never NULL. Lives as long as the program. */
USKOR_API const char *uskor_device_name(size_t index);

/* Opens a context on the caller's own cl_command_queue (in order), in its cl_context. The queue must outlive the
 * context, whose work all goes there. Functions for host memory work, too, and wait for the queue.
 *
 * Returns: as uskor_open; USKOR_INVALID for a queue that is NULL, none, or out of order. */
USKOR_API enum uskor_status uskor_open_opencl(struct uskor **context, void *queue);

/* Opens a context on the caller's own CUstream, in its CUcontext, which is the calling thread's current one after each
 * call with the context. NULL is the default stream of the thread's current CUcontext.
 *
 * Returns: as uskor_open; USKOR_INVALID for a stream that is none, or NULL without a current context. */
USKOR_API enum uskor_status uskor_open_cuda(struct uskor **context, void *stream);

/* Runs a plan of such a context on arrays on the device: cl_mem (of the queue's cl_context), or addresses (CUdeviceptr)
 * at multiples of 256. Nothing is copied. The work is enqueued, and may not have begun on return: what is enqueued in
 * the queue afterwards waits for it, as does the next run; arrays and plan must stay until it has ended. Arrays do not
 * overlap. The result of a dot product is a double on the device. A function in place takes what is at `first`,
 * which stays, instead of what is in `target`; NULL: it takes the latter.
 *
 * Returns: as uskor_run; USKOR_INVALID where the context has no queue of the caller's, for NULL, one array twice, a
 * cl_mem that is too small or of another cl_context. Faults of the work itself come with a later call or the queue's
 * own functions. */
USKOR_API enum uskor_status uskor_run_device(struct uskor_plan *plan, void *target, const void *first,
                                             const void *second);

#ifdef __cplusplus
}
#endif

#endif
