#include "kernels/matmul/matmul.h"

#include "base/translation.h"
#include "kernels/matmul/accuracy.h"
#include "kernels/matmul/fields.h"
#include "kernels/matmul/shape_choice.h"

#define LADDER_KERNEL matmul
#include "kernels/ladder.h"
#include "kernels/streams.h"

#define SIZE_MAXIMUM ((int64_t)1 << 31)
#define PADDING_MAXIMUM ((int64_t)1 << 31)
#define STEP_MAXIMUM ((int64_t)1 << 62)

/* ---- the problem ---------------------------------------------------------------------------------------------- */

static const char *const transpositions[] = {"n", "t", NULL};
static const char *const inputs[] = {"signed", "unit",   "wide",   "special",    "integers", "tiny", "huge",
                                     "normal", "wide17", "wide61", "structured", NULL}; /* enum matmul_input */

static const char *const results[] = {"same", "f32", NULL};

static const char *const precisions[] = {"standard", "high", NULL};

#define STEP(field, text)                                                                                         \
    {                                                                                                             \
        .name = field, .help = text, .kind = FIELD_SIZE, .initial = -1, .minimum = -1, .maximum = STEP_MAXIMUM,   \
        .omitted_by_default = true, .unless_taken = N_("knows batches of matrices that follow one another alone") \
    }

static const struct problem_field fields[] = {
    {.name = "m", .help = "rows of op(A) and C", .kind = FIELD_SIZE, .initial = 1024, .maximum = SIZE_MAXIMUM},
    {.name = "n", .help = "columns of op(B) and C", .kind = FIELD_SIZE, .initial = 1024, .maximum = SIZE_MAXIMUM},
    {.name = "k",
     .help = "columns of op(A), rows of op(B)",
     .kind = FIELD_SIZE,
     .initial = 1024,
     .maximum = SIZE_MAXIMUM},
    {.name = "alpha", .help = "factor of the product", .kind = FIELD_REAL, .initial_real = 1},
    {.name = "beta", .help = "factor of C as it was; with 0 it is not read", .kind = FIELD_REAL, .initial_real = 0},
    {.name = "transa", .help = "op(A): n is A, t its transpose", .kind = FIELD_CHOICE, .choices = transpositions},
    {.name = "transb", .help = "op(B): n is B, t its transpose", .kind = FIELD_CHOICE, .choices = transpositions},
    {.name = "lda_pad", .help = "unused elements behind each row of A", .kind = FIELD_SIZE, .maximum = PADDING_MAXIMUM},
    {.name = "ldb_pad", .help = "unused elements behind each row of B", .kind = FIELD_SIZE, .maximum = PADDING_MAXIMUM},
    {.name = "ldc_pad",
     .help = "untouched elements behind each row of C",
     .kind = FIELD_SIZE,
     .maximum = PADDING_MAXIMUM},
    {.name = "input",
     .help =
         "signed: -1 to 1; unit: 0 to 1; wide: many magnitudes; special: NaN and infinity; integers: every sum is "
         "exact; tiny, huge: the ends of the type's range; normal: the normal distribution; wide17, wide61: "
         "magnitudes over so many powers of two; structured: integers in unit, diagonal, symmetric, sparse and other "
         "matrices",
     .kind = FIELD_CHOICE,
     .choices = inputs,
     .host_only = true},
    {.name = "batch",
     .help = "products, each of its own matrices, which follow one another in memory",
     .kind = FIELD_SIZE,
     .initial = 1,
     .minimum = 1,
     .maximum = SIZE_MAXIMUM,
     .omitted_by_default = true,
     .unless_taken = N_("computes one product, not a batch of them")},
    {.name = "result",
     .help = "type of C: the same as that of A and B, or f32",
     .kind = FIELD_CHOICE,
     .choices = results,
     .omitted_by_default = true,
     .unless_taken = N_("writes C in the type of A and B")},
    STEP("step_a", N_("from one A of a batch to the next, in elements; -1: they follow one another")),
    STEP("step_b", N_("from one B of a batch to the next, in elements; -1: they follow one another")),
    STEP("step_c", N_("from one C of a batch to the next, in elements; -1: they follow one another")),
    {.name = "precision",
     .help = "standard: sums of f64 are f64, all others f32; high: all are f64",
     .kind = FIELD_CHOICE,
     .choices = precisions,
     .omitted_by_default = true,
     .unless_taken = N_("has sums in standard precision")},
};

static const char *const shape[] = {"m", "n", "k", NULL};

static const enum element_type types[] = {ELEMENT_F32, ELEMENT_F64, ELEMENT_F16, ELEMENT_BF16};
#define COMMON_TYPES 2

/* In ascending order of size: empty, one element, one row, one column, no depth; remainders of 1, 2 and 3 of 4; one
 * more and one less than tiles of 8, 16, 32, 64 and 128. Also every transposition with padded rows, factors, every kind
 * of data, and depths beyond 4096. */
static const char *const edge_cases[] = {
    "matmul:m=0,n=5,k=3",
    "matmul:m=1,n=1,k=1,input=integers",
    "matmul:m=3,n=5,k=0",
    "matmul:m=5,n=3,k=0,beta=-2,ldc_pad=1",
    "matmul:m=5,n=7,k=9,batch=3,input=integers",
    "matmul:m=9,n=7,k=5,alpha=0,beta=0.5,input=special",
    "matmul:m=17,n=33,k=19,lda_pad=1,ldb_pad=2,ldc_pad=3,input=integers",
    "matmul:m=33,n=31,k=15,alpha=-1.4142135623730951,beta=0.7390851332151607,transa=t",
    "matmul:m=15,n=17,k=33,alpha=0.5,transb=t,lda_pad=37",
    "matmul:m=23,n=26,k=29,alpha=0.0012345678901234567,beta=-1234.5678901234567,ldc_pad=70",
    "matmul:m=27,n=18,k=35,alpha=-654.3210987654321,beta=0.012345678901234568,transb=t,ldb_pad=130",
    "matmul:m=34,n=35,k=36,beta=1,transa=t,transb=t,lda_pad=3,ldb_pad=1,ldc_pad=2",
    "matmul:m=20,n=40,k=24,input=special",
    "matmul:m=40,n=20,k=31,input=wide",
    "matmul:m=22,n=38,k=42,input=tiny",
    "matmul:m=21,n=39,k=26,transa=t,input=huge",
    "matmul:m=18,n=22,k=4097,input=integers,seed=2",
    "matmul:m=1,n=1,k=100003,input=integers,seed=3",
    "matmul:m=130,n=260,k=0",
    "matmul:m=1,n=4099,k=129,transb=t,ldb_pad=2",
    "matmul:m=2051,n=1,k=77,transa=t,lda_pad=3,input=integers",
    "matmul:m=1025,n=1023,k=1",
    "matmul:m=37,n=2049,k=511,ldb_pad=7",
    "matmul:m=127,n=129,k=257,alpha=2,beta=-1,transa=t,lda_pad=1,ldc_pad=4,input=unit",
    "matmul:m=130,n=67,k=255,alpha=-1,beta=1,transa=t,transb=t,lda_pad=2,ldb_pad=6,ldc_pad=5,input=integers",
    "matmul:m=259,n=131,k=300,transb=t,ldc_pad=1,input=special",
    "matmul:m=66,n=130,k=5000,transb=t,input=tiny",
    "matmul:m=129,n=65,k=321,beta=-1,input=huge",
    "matmul:m=128,n=384,k=1000,input=wide",
    "matmul:m=512,n=512,k=512",
    "matmul:m=640,n=511,k=769,beta=0.25,input=unit",
    "matmul:m=130,n=131,k=5001,alpha=-1,beta=2,input=integers",
    "matmul:m=70,n=93,k=66,beta=0.5,lda_pad=3,ldb_pad=1,ldc_pad=5,input=integers",
    "matmul:m=258,n=290,k=131,alpha=0.010000000000000002,beta=-23.456789,lda_pad=1,ldb_pad=75,ldc_pad=3",
    "matmul:m=70,n=1,k=50,beta=0.5,lda_pad=1,ldb_pad=3,ldc_pad=2,input=integers",
    "matmul:m=1,n=45,k=64,beta=-1,lda_pad=1,ldb_pad=2,ldc_pad=2,input=integers",
    "matmul:m=1030,n=40,k=130,alpha=-1,beta=1,input=integers",
    "matmul:m=128,n=256,k=128,transa=t,beta=1,lda_pad=4,input=integers",
    /* Whole tiles, every transposition, and rows that are longer than needed, by multiples of a vector or not. */
    "matmul:m=32,n=48,k=16,lda_pad=1,ldb_pad=2,ldc_pad=3,beta=1,input=integers",
    "matmul:m=48,n=16,k=32,transa=t,lda_pad=3,ldb_pad=1,ldc_pad=2,beta=1,input=integers",
    "matmul:m=16,n=32,k=48,transb=t,lda_pad=2,ldb_pad=3,ldc_pad=1,beta=1,input=integers",
    "matmul:m=32,n=16,k=48,transa=t,transb=t,lda_pad=1,ldb_pad=3,ldc_pad=2,beta=1,input=integers",
    "matmul:m=64,n=128,k=192,lda_pad=4,ldb_pad=8,ldc_pad=12,beta=-1,input=integers",
    "matmul:m=128,n=64,k=192,transa=t,lda_pad=8,ldb_pad=12,ldc_pad=4,beta=-1,input=integers",
    "matmul:m=192,n=128,k=64,transb=t,lda_pad=12,ldb_pad=4,ldc_pad=8,beta=-1,input=integers",
    "matmul:m=128,n=192,k=64,transa=t,transb=t,lda_pad=4,ldb_pad=12,ldc_pad=8,beta=-1,input=integers",

    "matmul:m=3,n=66003,k=2,beta=1,input=integers",
    "matmul:m=66005,n=2,k=3,alpha=-1,input=integers",
    "matmul:m=2,n=3,k=300007,input=integers",

    /* Floats as the results of elements of 16 bits. */
    "matmul:m=33,n=31,k=47,result=f32,input=integers",
    "matmul:m=65,n=70,k=130,alpha=0.5,beta=-1,transa=t,transb=t,lda_pad=3,ldc_pad=1,result=f32,input=integers",
    "matmul:m=40,n=24,k=200,transb=t,result=f32,input=special",
    "matmul:m=129,n=136,k=300,result=f32,input=huge",
    "matmul:m=70,n=64,k=128,beta=0.75,transa=t,ldb_pad=8,batch=3,result=f32",

    /* Batches: of as many products as there may be threads, and of fewer; sides that are no multiples of tiles, so that
     * products begin anywhere; all transpositions and paddings. */
    "matmul:m=33,n=19,k=21,beta=-1,batch=64,input=integers",
    "matmul:m=3,n=5,k=0,beta=2,batch=2",
    "matmul:m=17,n=35,k=37,alpha=-0.5,beta=0.25,transa=t,lda_pad=1,ldc_pad=3,batch=5",
    "matmul:m=34,n=18,k=31,alpha=0,beta=0.5,batch=3,input=special",
    "matmul:m=65,n=67,k=35,transb=t,ldb_pad=2,batch=3,input=special",
    "matmul:m=30,n=130,k=66,transa=t,transb=t,lda_pad=3,ldb_pad=1,beta=1,batch=4,input=integers",
    "matmul:m=1,n=33,k=130,batch=9,input=structured",
    "matmul:m=12,n=9,k=7,alpha=2,beta=-1,input=structured",
    "matmul:m=129,n=1,k=70,transa=t,batch=3,input=huge",
    "matmul:m=128,n=64,k=96,batch=2",
    "matmul:m=1,n=2,k=3,batch=66003,input=integers",
    "matmul:m=3,n=2,k=4,beta=1,batch=259,input=integers",

    /* Every remainder modulo 16 of the number of products, with every transposition, vectors, factors and paddings. */
    "matmul:m=1,n=9,k=6,alpha=2,beta=-1,batch=17,input=integers",
    "matmul:m=7,n=5,k=3,beta=0.5,transa=t,ldc_pad=1,batch=18,input=integers",
    "matmul:m=6,n=1,k=9,alpha=-1,beta=1,transb=t,lda_pad=2,batch=19,input=integers",
    "matmul:m=4,n=8,k=5,alpha=0.5,transa=t,transb=t,ldb_pad=3,ldc_pad=2,batch=20,input=integers",
    "matmul:m=9,n=7,k=1,beta=-1,lda_pad=1,ldb_pad=2,ldc_pad=3,batch=21,input=integers",
    "matmul:m=8,n=6,k=7,alpha=-1,transa=t,batch=22,input=integers",
    "matmul:m=5,n=9,k=2,beta=1,transb=t,ldc_pad=1,batch=23,input=integers",
    "matmul:m=1,n=9,k=6,alpha=2,beta=-1,transa=t,transb=t,lda_pad=2,batch=24,input=integers",
    "matmul:m=7,n=5,k=3,beta=0.5,ldb_pad=3,ldc_pad=2,batch=25,input=integers",
    "matmul:m=6,n=1,k=9,alpha=-1,beta=1,transa=t,lda_pad=1,ldb_pad=2,ldc_pad=3,batch=26,input=integers",
    "matmul:m=4,n=8,k=5,alpha=0.5,transb=t,batch=27,input=integers",
    "matmul:m=9,n=7,k=1,alpha=-1,beta=0.5,transa=t,transb=t,ldc_pad=1,batch=28,input=integers",
    "matmul:m=8,n=6,k=7,alpha=-1,lda_pad=2,batch=29,input=integers",
    "matmul:m=5,n=9,k=2,beta=1,transa=t,ldb_pad=3,ldc_pad=2,batch=30,input=integers",
    "matmul:m=1,n=9,k=6,alpha=2,beta=-1,transb=t,lda_pad=1,ldb_pad=2,ldc_pad=3,batch=31,input=integers",
    "matmul:m=7,n=5,k=3,beta=0.5,transa=t,transb=t,batch=32,input=integers",

    /* Matrices apart, side by side in the same rows, one for all; sums in double. */
    "matmul:m=5,n=7,k=9,batch=3,step_a=50,step_b=70,step_c=40,input=integers",
    "matmul:m=17,n=9,k=20,batch=4,lda_pad=60,step_a=20,ldb_pad=27,step_b=9,ldc_pad=30,step_c=9,beta=1,input=integers",
    "matmul:m=33,n=35,k=31,batch=5,step_b=0,alpha=0.5,beta=-1,transb=t",
    "matmul:m=30,n=20,k=64,batch=3,step_a=0,step_b=1300,transa=t,input=integers",
    "matmul:m=65,n=66,k=67,batch=2,step_c=5000,beta=0.25",
    "matmul:m=3,n=5,k=0,beta=2,batch=2,step_c=20",
    "matmul:m=20,n=24,k=30,batch=3,step_a=700,step_c=500,result=f32",
    "matmul:m=5,n=7,k=9,precision=high",
    "matmul:m=0,n=5,k=3,precision=high",
    "matmul:m=65,n=70,k=1030,alpha=0.7,beta=-1.3,lda_pad=1,ldb_pad=2,ldc_pad=3,transa=t,precision=high",
    "matmul:m=130,n=67,k=300,transb=t,batch=2,precision=high,input=unit",
    "matmul:m=40,n=50,k=200,precision=high,result=f32,input=integers",
    "matmul:m=33,n=31,k=40,alpha=0,beta=0.5,precision=high",

    /* Factors that code may take for 0, for 1 or for each other; without transpositions, which plain functions lack. */
    "matmul:m=37,n=45,k=41,alpha=1.2345678901234567e-25",
    "matmul:m=41,n=37,k=45,alpha=0,beta=-9.8765432109876543e-27",
    "matmul:m=45,n=41,k=37,alpha=1.0000345678901234,beta=0.0000123456789012345678",
    "matmul:m=43,n=39,k=47,alpha=1.0000000002345678,beta=0.9999999998765432",
    "matmul:m=47,n=43,k=39,alpha=0.0000456789012345678,beta=0.000046912345678901234",
    "matmul:m=39,n=47,k=43,alpha=-12345678901.234567,beta=98765432109.876543",

    /* Every remainder modulo 16 along every side. */
    "matmul:m=16,n=35,k=55,input=integers",
    "matmul:m=33,n=56,k=26,transa=t,lda_pad=3,input=integers",
    "matmul:m=50,n=29,k=45,transb=t,beta=-1,input=integers",
    "matmul:m=19,n=34,k=48,transa=t,transb=t,beta=2,ldc_pad=1,input=integers",
    "matmul:m=36,n=55,k=19,transa=t,lda_pad=3,input=integers",
    "matmul:m=53,n=28,k=38,transb=t,beta=-1,input=integers",
    "matmul:m=22,n=33,k=57,transa=t,transb=t,beta=2,ldc_pad=1,input=integers",
    "matmul:m=39,n=54,k=28,input=integers",
    "matmul:m=56,n=27,k=47,transb=t,beta=-1,input=integers",
    "matmul:m=25,n=32,k=50,transa=t,transb=t,beta=2,ldc_pad=1,input=integers",
    "matmul:m=42,n=53,k=21,input=integers",
    "matmul:m=59,n=26,k=40,transa=t,lda_pad=3,input=integers",
    "matmul:m=28,n=47,k=59,transa=t,transb=t,beta=2,ldc_pad=1,input=integers",
    "matmul:m=45,n=52,k=30,input=integers",
    "matmul:m=62,n=25,k=33,transa=t,lda_pad=3,input=integers",
    "matmul:m=31,n=46,k=52,transb=t,beta=-1,input=integers",
    NULL,
};
#define AWKWARD_SMALL 16

static bool needs_subnormals(const struct problem *problem)
{
    enum matmul_input input = (enum matmul_input)problem_size(problem, "input");
    return problem->type != ELEMENT_F64 && (input == INPUT_TINY || input == INPUT_HUGE);
}

struct product product_of(const struct problem *problem, const void *a, const void *b, void *c)
{
    const union field_value *values = problem->values;
    struct product product = {
        .a = a,
        .b = b,
        .c = c,
        .m = (size_t)values[M].size,
        .n = (size_t)values[N].size,
        .k = (size_t)values[K].size,
        .transa = values[TRANSA].size != 0,
        .transb = values[TRANSB].size != 0,
        .alpha = values[ALPHA].real,
        .beta = values[BETA].real,
        .batch = (size_t)values[BATCH].size,
        .high = values[PRECISION].size != 0,
        .type = problem->type,
        .result = values[RESULT].size ? ELEMENT_F32 : problem->type,
    };
    product.lda = (product.transa ? product.m : product.k) + (size_t)values[LDA_PAD].size;
    product.ldb = (product.transb ? product.k : product.n) + (size_t)values[LDB_PAD].size;
    product.ldc = product.n + (size_t)values[LDC_PAD].size;
    product.step_a = layout_step(values[STEP_A].size, product.transa ? product.k : product.m, product.lda);
    product.step_b = layout_step(values[STEP_B].size, product.transb ? product.n : product.k, product.ldb);
    product.step_c = layout_step(values[STEP_C].size, product.m, product.ldc);
    return product;
}

/* Where the matrices of a batch follow one another, each array has the stored rows of all products; else it is one row.
 * Neither factor of that number exceeds 2^31. C is filled, not only poisoned, if it is read or has gaps: a run must not
 * change these. */
static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    static const char *const names[] = {"a", "b", "c"};
    const struct product p = product_of(problem, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        const struct layout layout = product_layout(&p, i);
        const bool follows = problem->values[STEP_A + i].size < 0;
        const bool restored = i == 2 && (p.beta != 0 || layout_has_gaps(&layout));
        arrays[i] = (struct array){.name = names[i],
                                   .direction = i < 2      ? ARRAY_IN
                                                : restored ? ARRAY_INOUT
                                                           : ARRAY_OUT,
                                   .type = i < 2 ? p.type : p.result,
                                   .rows = follows ? p.batch * layout.rows : 1,
                                   .cols = follows ? layout.pitch : layout_elements(&layout)};
    }
    return 3;
}

static enum status imply(struct problem *problem, const bool *given, struct error *error)
{
    (void)given;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const struct layout c = product_layout(&p, 2);
    if (problem->type == ELEMENT_F64 && problem->values[RESULT].size != 0)
        return fail(error, STATUS_INVALID, "matmul: result=f32 goes with f16 and bf16; the product of f64 is f64");
    if (problem->type == ELEMENT_F64 && p.high)
        return fail(error, STATUS_INVALID, "matmul: the sums of f64 have no higher precision");
    if (!layout_is_apart(&c))
        return fail(error, STATUS_INVALID, "matmul: with step_c=%zu the results overlap", p.step_c);
    return STATUS_OK;
}

/* Pieces of another seed may be mixed into these inputs. Other inputs have special rows and columns, or a bound on the
 * whole. */
static bool mixes(const struct problem *problem)
{
    const int64_t input = problem_size(problem, "input");
    return input <= INPUT_WIDE || (input >= INPUT_NORMAL && input <= INPUT_WIDE_61);
}

/* Each input is read once and the result written once; each of the m·n·k products costs a multiplication and an
 * addition. */
static struct cost cost(const struct problem *problem)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    double m = (double)p.m, n = (double)p.n, k = m * n > 0 ? (double)product_depth(&p) : 0;
    double bytes = (double)p.batch * (double)element_info(p.type)->bytes;
    double outcome = (double)p.batch * (double)element_info(p.result)->bytes * m * n;
    struct cost cost = {
        .bytes_read = bytes * (m * k + k * n) + (p.beta != 0 ? outcome : 0),
        .bytes_written = outcome,
        .operations = 2 * (double)p.batch * m * n * k,
    };
    cost_choose_streams(&cost);
    return cost;
}

static double work(const struct problem *problem)
{
    return cost(problem).operations;
}

/* ---- the kernel ----------------------------------------------------------------------------------------------- */

static const struct ladder_view views[] = {
    {"M13", "uskor bench matmul --technologies"},
    {NULL, NULL},
};

const struct kernel kernel_matmul = {.name = "matmul",
                                     .heading = "Matrix product",
                                     .title = "C = alpha·op(A)·op(B) + beta·C, row-major; op(X): X or transposed",
                                     .fields = fields,
                                     .field_count = COUNT_OF(fields),
                                     .shape = shape,
                                     .types = types,
                                     .type_count = COUNT_OF(types),
                                     .common_types = COMMON_TYPES,
                                     .rate_unit = "GFLOP/s",
                                     .describe = describe,
                                     .imply = imply,
                                     .needs_subnormals = needs_subnormals,
                                     .mixes = mixes,
                                     .cost = cost,
                                     .work = work,
                                     .choose = matmul_choose,
                                     .ladder = ladder,
                                     .ladder_count = COUNT_OF(ladder),
                                     .views = views,
                                     .edge_cases = edge_cases,
                                     .edge_cases_small = AWKWARD_SMALL,
                                     /* The size is not a power of two: the naive rung's columns would then share few
                                      * cache sets, and the rung would take 10 s. */
                                     .bench = "matmul:m=800,n=800,k=800",
                                     .large = "matmul:m=46349,n=46341,k=4",
                                     .cpu_opencl_bench = "matmul:m=192,n=192,k=192",
                                     LAB_ONLY(.fill = matmul_fill, .fill_unread = matmul_fill_unread,
                                              .check = matmul_check, .split = matmul_split,
                                              .accuracy = &matmul_accuracy, .plain = &matmul_plain)};
