// Hopper's instructions (compute capability 9.0): barriers in shared memory, bulk copies, wgmma's operands.

// ---- barriers and copies ------------------------------------------------------------------------------------------

static __device__ void barrier_create(uint barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

static __device__ void barrier_arrive(uint barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

static __device__ void barrier_expect(uint barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

static __device__ void barrier_wait(uint barrier, int parity)
{
    asm volatile("{.reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

static __device__ void copy_bulk(uint to, const char *from, int bytes, uint barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

// ---- operands of wgmma ---------------------------------------------------------------------------------------------

// Operand lists "+f"(sum[0]) … and %0 …, of 64, 96 or 128 operands.
#define FOUR(sum, i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SIXTEEN(sum, i) FOUR(sum, i), FOUR(sum, i + 4), FOUR(sum, i + 8), FOUR(sum, i + 12)
#define SIXTY_FOUR(sum) SIXTEEN(sum, 0), SIXTEEN(sum, 16), SIXTEEN(sum, 32), SIXTEEN(sum, 48)
#define TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9, "
#define NAMES_64 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60, %61, %62, %63"
#define NAMES_96                                                                                \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) \
        TEN(8) "%90, "                                                                          \
               "%91, %92, %93, %94, %95"
#define NAMES_128                                                                                                     \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) \
        TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127"
