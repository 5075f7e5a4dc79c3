/* The exercises, in the order of a course, ladder by ladder. */
#include "base/size.h"
#include "base/translation.h"
#include "exercises/exercise.h"

#define NAMED(own_kernel, rung) .name = own_kernel ":" rung, .kernel = own_kernel

static const char tile_drawing[] = "    in (rows x cols)              out (cols x rows)\n"
                                   "    +----+----+----+              +----+----+----+\n"
                                   "    |    | T> |    |  one group   |    |    |    |\n"
                                   "    +----+----+----+  ========>   +----+----+----+\n"
                                   "    |    |    |    |  local tile  | Tv |    |    |\n"
                                   "    +----+----+----+              +----+----+----+\n"
                                   "    rows of T are read            columns of T are written,\n"
                                   "    along memory                  along memory too\n";

static const char bank_drawing[] = "    a column of a tile of 32 x 32 words, and the bank of each word\n"
                                   "    rows of 32 words:  0  0  0  0 ...   32 words from one bank\n"
                                   "    rows of 33 words:  0  1  2  3 ...   32 words from 32 banks\n";

static const char sum_drawing[] = "    a*b:  0 1 2 3 | 4 5 6 7 | 8 9 ...      memory, in order\n"
                                  "          | | | |   | | | |   | |\n"
                                  "    sums: s0 s1 s2 s3  +=  (a register of lanes, several of them)\n"
                                  "    threads: one stretch each; at the end: s0 + s1 + s2 + s3\n";

static const char radix_drawing[] = "    keys:    170  045  075  090  802  024  002  066\n"
                                    "    digit 0: 170  090  802  002  024  045  075  066   count, add up, move\n"
                                    "    digit 1: 802  002  024  045  066  170  075  090   stable: order is kept\n"
                                    "    digit 2: 002  024  045  066  075  090  170  802\n";

static const char product_drawing[] = "               B: a tile goes down\n"
                                      "                  +---+\n"
                                      "                  | b | |\n"
                                      "                  +---+ v\n"
                                      "    A: across     +---+\n"
                                      "    +---+ -->     | c |   a group makes one tile of C: for each step\n"
                                      "    | a |         +---+   a and b go to local memory, then c += a * b\n"
                                      "    +---+\n";

static const char register_drawing[] = "    an item makes 4 x 4 elements of C in registers\n"
                                       "         b0 b1 b2 b3     8 loads from local memory\n"
                                       "     a0   .  .  .  .     16 multiply-adds\n"
                                       "     a1   .  .  .  .     (one element an item: 2 loads for\n"
                                       "     a2   .  .  .  .      1 multiply-add)\n"
                                       "     a3   .  .  .  .\n";

static const char pixel_drawing[] = "    source, 4 bytes a pixel         result\n"
                                    "    [RGBA][RGBA]                    [RGBA]\n"
                                    "       \\    /     weights 1-x, x      ^\n"
                                    "    [RGBA][RGBA]  ------------------>  one store of 4 bytes,\n"
                                    "    four loads of 4 bytes, not 16 of one\n";

static const char stencil_drawing[] = "          o            13 points: 2 on either side along x, y and z\n"
                                      "          o            a group loads its patch of a plane and a halo of 2:\n"
                                      "      o o X o o          +-----------+\n"
                                      "          o              | h h h h h |   h is read by two groups,\n"
                                      "          o              | h X X X h |   X by one, from memory once\n"
                                      "                         | h h h h h |   instead of 5 times\n"
                                      "                         +-----------+\n";

#define EFFECT_TILED                                                                                               \
    N_("The time of one transpose of 4096 x 4096 floats on the device, caches warm. Its ceiling is a copy of the " \
       "same "                                                                                                     \
       "bytes.")

const struct exercise exercises[] = {
    {NAMED("transpose", "tiled"), .heading = N_("A transpose through a tile in local memory"),
     .task =
         N_("The skeleton reads along rows and writes along columns: one of the two is scattered over memory. Let a "
            "group carry a square tile through local memory, so that both are contiguous. Any number of rows and "
            "columns must be right, also where a tile hangs over the edge."),
     .measured = EFFECT_TILED,
     .hint = N_("Place a barrier between filling the tile and reading it. Some GPUs hide the scattered access in their "
                "caches: then this step alone gains little, and the next exercise shows why."),
     .drawing = tile_drawing, .ending = ".cl", .steps = {"naive", "tiled"}, .problem = "transpose:rows=4096,cols=4096",
     .cpu_problem = "transpose:rows=1024,cols=1024"},
    {NAMED("transpose", "padded"), .heading = N_("A tile without bank conflicts"),
     .task = N_("Reading a column of a tile of 32 x 32 words asks one bank of local memory for 32 words, one after the "
                "other. Lay the tile out so that a column lies in 32 banks."),
     .measured = EFFECT_TILED,
     .hint = N_("'uskor explain transpose --rung tiled' counts the conflicts. One word more in each row is enough."),
     .drawing = bank_drawing, .ending = ".cl", .steps = {"naive", "padded"}, .problem = "transpose:rows=4096,cols=4096",
     .cpu_problem = "transpose:rows=1024,cols=1024"},
    {NAMED("sort", "radix"), .heading = N_("A radix sort"),
     .task =
         N_("Sort floats in place, ascending, on the CPU. The skeleton compares; a radix sort counts digits instead "
            "and moves each key a fixed number of times. Turn a float into an unsigned number of the same order "
            "first. Negative numbers, both zeros and infinities must be in order."),
     .measured = N_("The time of sorting 1048576 random floats on all cores. qsort is where you start."),
     .hint =
         N_("Three passes over digits of 11 bits beat four over 8. A buffer of your own may be static or malloc'ed, "
            "and must be freed."),
     .drawing = radix_drawing, .ending = ".c", .steps = {"qsort", "radix"}, .problem = "sort:n=1048576",
     .on_cpu = true},
    {NAMED("dot", "parallel-simd"), .heading = N_("A dot product at the speed of memory"),
     .task = N_("A plain loop adds to one sum, and each addition waits for the one before. Keep several sums in vector "
                "registers, and give each thread a stretch of its own. The result is a double."),
     .measured = N_("The time of a dot product of 16777216 floats on all cores. Its ceiling is reading both vectors "
                    "once."),
     .hint = N_("OpenMP's 'parallel for simd reduction(+ : sum)' is a beginning. Sums of floats lose digits: the check "
                "allows what rounding explains, and no more."),
     .drawing = sum_drawing, .ending = ".c", .steps = {"serial", "simd", "parallel-simd"}, .problem = "dot:n=2^24",
     .on_cpu = true},
    {NAMED("matmul", "tiled"), .heading = N_("A matrix product through tiles"),
     .task = N_("Each element of C reads a row of A and a column of B: 2 loads for every multiply-add. Let a group "
                "load a tile of each into local memory and use it for all of its elements. Also right must be alpha, "
                "beta, transposed factors and sizes that no tile divides."),
     .measured = N_("The rate of a product of 800 x 800 floats on the device. Its ceiling is the multiply-adds of the "
                    "ordinary units."),
     .hint = N_("Two barriers: one after the tiles are filled, one before they are filled again. Fill with zeros what "
                "lies outside."),
     .drawing = product_drawing, .ending = ".cl", .steps = {"global-accumulate", "naive", "tiled"},
     .problem = "matmul:m=800,n=800,k=800", .cpu_problem = "matmul:m=192,n=192,k=192"},
    {NAMED("matmul", "register-tiles"), .heading = N_("A matrix product in registers"),
     .task = N_("With tiles in local memory, its bandwidth is the limit. Let each item make a small block of C in "
                "registers, so that every value it loads from local memory is used several times."),
     .measured = N_("The rate of a product of 2048 x 2048 floats on the device. Its ceiling is the multiply-adds of "
                    "the ordinary units."),
     .hint = N_("'uskor explain matmul --rung tiled' says what binds it. Watch registers and spills there as the block "
                "grows."),
     .drawing = register_drawing, .ending = ".cl", .steps = {"naive", "tiled", "register-tiles"},
     .problem = "matmul:m=2048,n=2048,k=2048", .cpu_problem = "matmul:m=192,n=192,k=192"},
    {NAMED("resize", "vector"), .heading = N_("A picture, one pixel an access"),
     .task = N_("The skeleton loads each byte of a pixel by itself. Load and store whole pixels, and keep double "
                "precision out of the arithmetic."),
     .measured = N_("The time of doubling a picture of 2048 x 2048 pixels on the device. Its ceiling is a copy of the "
                    "same bytes."),
     .hint = N_("uchar4 is a pixel; convert_float4 makes four floats of it. A constant without f is a double."),
     .drawing = pixel_drawing, .ending = ".cl", .steps = {"plain", "fp32", "vector"},
     .problem = "resize:width=2048,height=2048", .cpu_problem = "resize:width=512,height=512"},
    {NAMED("wave", "tiled"), .heading = N_("A stencil with a halo"),
     .task = N_("A step of the wave equation reads 13 points for each result. Let a group load its patch of a plane "
                "with a halo into local memory, so that neighbours share what they read. The grid is periodic, and a "
                "side may be shorter than the stencil."),
     .measured = N_("The time of four steps on 512 x 256 x 256 points on the device. Its ceiling is reading two fields "
                    "and writing one."),
     .hint = N_("The halo's corners are not needed. Caches do much of this by themselves: see how far the naive rung "
                "is from the ceiling first."),
     .drawing = stencil_drawing, .ending = ".cl", .steps = {"naive", "tiled"},
     .problem = "wave:nx=512,ny=256,nz=256,steps=4", .cpu_problem = "wave:nx=128,ny=64,nz=64,steps=4"},
};

const size_t exercise_count = COUNT_OF(exercises);
