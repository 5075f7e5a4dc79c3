/* Instruction sets, chosen at run time. */
#pragma once

#include <stdbool.h>

enum cpu_isa {
    CPU_ISA_BASE,
    CPU_ISA_AVX2,   /* with FMA */
    CPU_ISA_AVX512, /* F, BW, DQ, VL */
    CPU_ISA_NEON,
};

/* The best one this processor (and operating system) has; USKOR_ISA=base|avx2|avx512|neon in the environment lowers it.
 * Determined once. */
enum cpu_isa cpu_isa(void);
/* Determines it again at the next call: for tests that change the environment. */
void cpu_isa_forget(void);
const char *cpu_isa_name(enum cpu_isa isa);
/* Whether this processor and operating system have it. */
bool cpu_isa_has(enum cpu_isa isa);
/* Whether cpu_isa() is AVX-512 and the processor multiplies pairs of bfloat16 (AVX-512 BF16). */
bool cpu_has_bfloat16(void);
/* Whether Intel made the processor. */
bool cpu_is_intel(void);
