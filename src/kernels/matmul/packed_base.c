/* Vectors of 16 bytes, which every supported processor has. With NEON, fused multiply-add and 32 registers are used;
 * for other processors the compiler chooses the instructions. */
#include "kernels/matmul/packed.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#define ROWS 8
#define VECTORS 3
#define FMA_FLOAT(x, y, z) vfmaq_f32(z, x, y)
#define FMA_DOUBLE(x, y, z) vfmaq_f64(z, x, y)
#else
#define ROWS 4
#define VECTORS 2
#define FMA_FLOAT(x, y, z) ((x) * (y) + (z))
#define FMA_DOUBLE(x, y, z) ((x) * (y) + (z))
#endif
#define TARGET
#define STEPS 4
#define DEPTH 320
#define VECTOR_BYTES 16

#define LEVEL packed_base_float
#define NAME(x) x##_float
#define ELEMENT float
#define TURNED 4
#define BROADCAST(x) ((vector_float){x, x, x, x})
#define FMA FMA_FLOAT
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef ELEMENT
#undef TURNED
#undef BROADCAST
#undef FMA

#define LEVEL packed_base_double
#define NAME(x) x##_double
#define ELEMENT double
#define TURNED 4
#define BROADCAST(x) ((vector_double){x, x})
#define FMA FMA_DOUBLE
#include "kernels/matmul/packed_tiles.h"
