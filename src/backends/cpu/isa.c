/* Which instruction sets the processor and the operating system both have. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/isa.h"

static const char *const names[] = {
    [CPU_ISA_BASE] = "base",
    [CPU_ISA_AVX2] = "avx2",
    [CPU_ISA_AVX512] = "avx512",
    [CPU_ISA_NEON] = "neon",
};

const char *cpu_isa_name(enum cpu_isa isa)
{
    return names[isa];
}

#if defined(__x86_64__)
/* __builtin_cpu_supports reads cpuid and XCR0: an instruction set whose registers the system does not save is absent.
 */
bool cpu_isa_has(enum cpu_isa isa)
{
    __builtin_cpu_init();
    switch (isa) {
    case CPU_ISA_BASE:
        return true;
    case CPU_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case CPU_ISA_AVX512:
        return cpu_isa_has(CPU_ISA_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    case CPU_ISA_NEON:
        return false;
    }
    return false;
}
#elif defined(__aarch64__)
/* NEON is part of every aarch64 processor. */
bool cpu_isa_has(enum cpu_isa isa)
{
    return isa == CPU_ISA_BASE || isa == CPU_ISA_NEON;
}
#else
bool cpu_isa_has(enum cpu_isa isa)
{
    return isa == CPU_ISA_BASE;
}
#endif

static enum cpu_isa best(void)
{
    static const enum cpu_isa order[] = {CPU_ISA_AVX512, CPU_ISA_AVX2, CPU_ISA_NEON};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (cpu_isa_has(order[i]))
            return order[i];
    return CPU_ISA_BASE;
}

static enum cpu_isa wished(void)
{
    const char *wish = getenv("USKOR_ISA");
    if (wish)
        for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++)
            if (strcmp(names[isa], wish) == 0 && cpu_isa_has((enum cpu_isa)isa))
                return (enum cpu_isa)isa;
    return best();
}

static atomic_int known = -1;

enum cpu_isa cpu_isa(void)
{
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa < 0)
        atomic_store_explicit(&known, isa = (int)wished(), memory_order_relaxed);
    return (enum cpu_isa)isa;
}

void cpu_isa_forget(void)
{
    atomic_store(&known, -1);
}

bool cpu_has_bfloat16(void)
{
#if defined(__x86_64__)
    return cpu_isa() == CPU_ISA_AVX512 && __builtin_cpu_supports("avx512bf16");
#else
    return false;
#endif
}

bool cpu_is_intel(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_is("intel");
#else
    return false;
#endif
}
