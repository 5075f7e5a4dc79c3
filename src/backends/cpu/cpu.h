/* What CPU rungs may ask of the machine: threads and instruction sets. Threads are OpenMP's. */
#ifndef USKOR_BACKENDS_CPU_CPU_H
#define USKOR_BACKENDS_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>

/* Instruction sets, chosen at run time. */
enum cpu_isa {
    CPU_ISA_BASE,
    CPU_ISA_AVX2,   /* with FMA */
    CPU_ISA_AVX512, /* F, BW, DQ, VL */
    CPU_ISA_NEON,
};

/* The best one this processor (and operating system) has; USKOR_ISA=base|avx2|avx512|neon in the environment lowers it.
 */
enum cpu_isa cpu_isa(void);
const char *cpu_isa_name(enum cpu_isa isa);

/* Bytes of the last-level cache; a guess of 32 MiB when the machine does not tell. */
size_t cpu_cache_bytes(void);

/* Copies with as many threads as OpenMP would use, with streaming stores where that pays: the copy whose rate is
 * the CPU's limit for kernels that read one stream and write one. The arrays do not overlap. */
void cpu_stream_copy(void *target, const void *source, size_t bytes);

#endif
