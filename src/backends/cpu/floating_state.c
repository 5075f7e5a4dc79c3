#include "backends/cpu/floating_state.h"

#include <omp.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/translation.h"

/* ---- one thread ----------------------------------------------------------------------------------------------- */

#if defined __x86_64__
#include <immintrin.h>

#define ALL_TRAPS_MASKED 0x1F80u
#define SCALAR_DEFAULT 0x037Fu /* of x87: long double's full precision */
#define FLAGS 0x3Fu            /* what happened so far: not an environment */
#define FLUSH_RESULTS 0x8000u
#define FLUSH_OPERANDS 0x0040u
#define ROUNDING 0x6000u
#define TRAPS 0x1F80u

/* The x87 registers that hold a value, two bits each; between functions there are none. */
static uint32_t read_occupied(void)
{
    uint32_t environment[7];                                         /* control, status, tags, … */
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment)); /* storing it masks the traps */
    return ~environment[2] & 0xFFFF;
}

struct floating_control floating_control_read(void)
{
    uint16_t scalar;
    __asm__ volatile("fnstcw %0" : "=m"(scalar));
    return (struct floating_control){.vector = _mm_getcsr() & ~FLAGS, .scalar = scalar | read_occupied() << 16};
}

void floating_control_write(struct floating_control control)
{
    uint16_t scalar = (uint16_t)control.scalar;
    _mm_setcsr(control.vector);
    __asm__ volatile("emms"); /* a register that was left occupied makes the next function's long double NaN */
    __asm__ volatile("fldcw %0" : : "m"(scalar));
}

struct floating_control floating_control_default(void)
{
    return (struct floating_control){.vector = ALL_TRAPS_MASKED, .scalar = SCALAR_DEFAULT};
}

static bool traps_differ(uint32_t vector)
{
    return (vector & TRAPS) != ALL_TRAPS_MASKED;
}
#elif defined __aarch64__
#define FLUSH_RESULTS (1u << 24)
#define FLUSH_OPERANDS (1u << 19 | 1u << 0) /* of half precision, and of operands alone */
#define ROUNDING (3u << 22)
#define TRAPS 0x9F00u
#define CONTROL (FLUSH_RESULTS | FLUSH_OPERANDS | ROUNDING | TRAPS | 1u << 25 | 1u << 26 | 1u << 1)

struct floating_control floating_control_read(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return (struct floating_control){.vector = (uint32_t)value & CONTROL};
}

void floating_control_write(struct floating_control control)
{
    uint64_t value = control.vector;
    __asm__ volatile("msr fpcr, %0" : : "r"(value));
}

struct floating_control floating_control_default(void)
{
    return (struct floating_control){0};
}

static bool traps_differ(uint32_t vector)
{
    return (vector & TRAPS) != 0;
}
#else
#define FLUSH_RESULTS 0u
#define FLUSH_OPERANDS 0u
#define ROUNDING 0u

struct floating_control floating_control_read(void)
{
    return (struct floating_control){0};
}

void floating_control_write(struct floating_control control)
{
    (void)control;
}

struct floating_control floating_control_default(void)
{
    return (struct floating_control){0};
}

static bool traps_differ(uint32_t vector)
{
    (void)vector;
    return false;
}
#endif

static bool equal(struct floating_control a, struct floating_control b)
{
    return a.vector == b.vector && a.scalar == b.scalar;
}

/* ---- all threads ---------------------------------------------------------------------------------------------- */

bool floating_scope_begin(struct floating_scope *scope)
{
    fegetenv(&scope->own);
    scope->threads = omp_get_max_threads();
    scope->saved = calloc((size_t)scope->threads, sizeof *scope->saved);
    if (!scope->saved) {
        floating_control_write(floating_control_default());
        return false;
    }
    for (int i = 0; i < scope->threads; i++) /* a team may be smaller than requested */
        scope->saved[i] = floating_control_default();
#pragma omp parallel num_threads(scope->threads)
    {
        scope->saved[omp_get_thread_num()] = floating_control_read();
        floating_control_write(floating_control_default());
    }
    floating_control_write(floating_control_default()); /* LLVM's OpenMP gives the first thread its own state back */
    return true;
}

void floating_scope_end(struct floating_scope *scope)
{
    if (scope->saved) {
#pragma omp parallel num_threads(scope->threads)
        {
            feclearexcept(FE_ALL_EXCEPT); /* one that is pending would be a trap, where the caller has traps */
            floating_control_write(scope->saved[omp_get_thread_num()]);
        }
    }
    fesetenv(&scope->own);
    free(scope->saved);
    scope->saved = NULL;
}

static const char *difference(struct floating_control control)
{
    struct floating_control usual = floating_control_default();
    uint32_t differs = control.vector ^ usual.vector;
    if (differs & FLUSH_RESULTS)
        return "flush-to-zero";
    if (differs & FLUSH_OPERANDS)
        return "denormals-are-zero";
    if (differs & ROUNDING)
        return N_("another rounding mode");
    if (traps_differ(control.vector))
        return N_("floating-point traps");
    return N_("another floating-point environment");
}

bool floating_state_is_default(char *text, size_t size)
{
    const struct floating_control usual = floating_control_default();
    struct floating_control found = usual;
    int thread = -1;
#pragma omp parallel num_threads(omp_get_max_threads())
    {
        struct floating_control mine = floating_control_read();
        if (!equal(mine, usual)) {
            floating_control_write(usual);
#pragma omp critical
            if (thread < 0 || omp_get_thread_num() < thread) {
                thread = omp_get_thread_num();
                found = mine;
            }
        }
    }
    if (thread < 0)
        return true;
    floating_control_write(usual); /* as in floating_scope_begin */
    explain(text, size, "left %s set in OpenMP thread %d", difference(found), thread);
    return false;
}
