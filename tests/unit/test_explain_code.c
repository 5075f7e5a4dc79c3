/* Machine code of known kernels: registers, spills, local memory, and instructions by class. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/compile.h"
#include "base/size.h"
#include "explain/compiled/cubin.h"
#include "explain/compiled/cuda_code.h"
#include "explain/compiled/sass.h"

#include <cmocka.h>

/* ---- the text of a disassembly ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void release(struct explain_kernel *kernel)
{
    free(kernel->instructions);
    free(kernel->loops);
    free(kernel->skips);
}

/* Counted by hand in the file: a loop of four loads, one of the rest, one multiplication in double precision. */
static void test_listing(void **state)
{
    (void)state;
    struct error error = {{0}};
    struct explain_kernel kernel = {.name = "scale", .file = "scale.cl"};
    char *text = read_text(USKOR_TEST_DATA "/explain/scale.sass");
    assert_int_equal(sass_read(text, "scale.cl", &kernel, &error), STATUS_OK);
    assert_true(kernel.is_disassembled);
    assert_int_equal(kernel.instruction_count, 0x380 / 16); /* without the branch to itself and the padding */
    assert_int_equal(kernel.counts[CODE_LOAD], 5);
    assert_int_equal(kernel.counts[CODE_STORE], 1);
    assert_int_equal(kernel.counts[CODE_FMA], 5);
    assert_int_equal(kernel.counts[CODE_FP64], 1);
    assert_int_equal(kernel.counts[CODE_CONVERT], 2);
    assert_int_equal(kernel.counts[CODE_BRANCH], 6);
    assert_int_equal(kernel.counts[CODE_HALF], 0); /* HFMA2.MMA R5, -RZ, RZ, 0, 0 only sets a register */
    assert_int_equal(kernel.counts[CODE_OTHER], 0);
    assert_int_equal(kernel.loads[2], 5);
    assert_int_equal(kernel.stores[2], 1);
    assert_int_equal(kernel.loop_count, 2);
    assert_int_equal(kernel.loop_counts[CODE_FMA], 4);
    assert_int_equal(kernel.loop_counts[CODE_LOAD], 4);
    assert_int_equal(kernel.fp64_line_count, 1);
    assert_int_equal(kernel.fp64_lines[0].line, 5);
    release(&kernel);

    /* Lines of another file are attributed to no line. */
    struct explain_kernel other = {.name = "scale", .file = "other.cl"};
    assert_int_equal(sass_read(text, "other.cl", &other, &error), STATUS_OK);
    assert_int_equal(other.fp64_lines[0].line, 0);
    release(&other);
    struct explain_kernel none = {.name = "scal", .file = "scale.cl"};
    assert_int_equal(sass_read(text, "scale.cl", &none, &error), STATUS_INVALID);
    free(text);
}

/* Cut off at any place it is read as far as it goes. */
static void test_listing_cut_off(void **state)
{
    (void)state;
    char *text = read_text(USKOR_TEST_DATA "/explain/scale.sass");
    for (size_t length = strlen(text); length > 0; length -= length < 37 ? length : 37) {
        struct error error = {{0}};
        struct explain_kernel kernel = {.name = "scale", .file = "scale.cl"};
        text[length] = '\0';
        sass_read(text, "scale.cl", &kernel, &error);
        assert_true(kernel.instruction_count <= 0x380 / 16 + 20);
        release(&kernel);
    }
    free(text);
}

static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        enum code_class class;
        enum code_space space;
        int bits;
    } rows[] = {
        {"FFMA R9, R9, 2, R6 ", CODE_FMA, CODE_NO_SPACE, 0},
        {"FADD.FTZ R1, R2, R3 ", CODE_FLOAT, CODE_NO_SPACE, 0},
        {"DFMA R4, R4, 1.5, R6 ", CODE_FP64, CODE_NO_SPACE, 0},
        {"DSETP.GT.AND P0, PT, R2, R4, PT ", CODE_FP64, CODE_NO_SPACE, 0},
        {"F2F.F64.F32 R2, R6 ", CODE_CONVERT, CODE_NO_SPACE, 0},
        {"HMMA.16816.F32.BF16 R4, R8, R12, R4 ", CODE_TENSOR, CODE_NO_SPACE, 0},
        {"HGMMA.64x256x16.F32 R24, gdesc[UR4], R24 ", CODE_TENSOR, CODE_NO_SPACE, 0},
        {"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ", CODE_MOVE, CODE_NO_SPACE, 0},
        {"IMAD.WIDE R2, R0, 0x4, R2 ", CODE_INTEGER, CODE_NO_SPACE, 0},
        {"MUFU.RCP R3, R4 ", CODE_SPECIAL, CODE_NO_SPACE, 0},
        {"SHFL.BFLY PT, R2, R3, 0x10, 0x1f ", CODE_SHUFFLE, CODE_NO_SPACE, 0},
        {"LDG.E.128 R4, desc[UR4][R2.64] ", CODE_LOAD, CODE_GLOBAL, 128},
        {"LDG.E R4, desc[UR4][R2.64] ", CODE_LOAD, CODE_GLOBAL, 32},
        {"LDG.E.U8 R4, [R2.64] ", CODE_LOAD, CODE_GLOBAL, 8},
        {"LDG.E.64.CONSTANT R4, [R2.64] ", CODE_LOAD, CODE_GLOBAL, 64},
        {"STG.E.EF.64 desc[UR4][R2.64], R4 ", CODE_STORE, CODE_GLOBAL, 64},
        {"LDS.U.128 R4, [R2] ", CODE_LOAD, CODE_SHARED, 128},
        {"STS.U16 [R2], R4 ", CODE_STORE, CODE_SHARED, 16},
        {"LDSM.16.M88.4 R4, [R2] ", CODE_LOAD, CODE_SHARED, 128},
        {"LDL.LU R4, [R1] ", CODE_LOAD, CODE_STACK, 32},
        {"STL.64 [R1+0x8], R4 ", CODE_STORE, CODE_STACK, 64},
        {"RED.E.ADD.STRONG.GPU [R2.64], R5 ", CODE_ATOMIC, CODE_GLOBAL, 32},
        {"ATOMS.ADD R4, [R2], R5 ", CODE_ATOMIC, CODE_SHARED, 32},
        {"TEX.SCR.LL R0, R2, R0, 0x0, 2D ", CODE_LOAD, CODE_IMAGE, 32},
        {"LDC R1, c[0x0][0x28] ", CODE_CONSTANT, CODE_NO_SPACE, 0},
        {"BAR.SYNC.DEFER_BLOCKING 0x0 ", CODE_BARRIER, CODE_NO_SPACE, 0},
        {"EXIT ", CODE_BRANCH, CODE_NO_SPACE, 0},
        {"WHATEVER R1 ", CODE_OTHER, CODE_NO_SPACE, 0},
        {"", CODE_OTHER, CODE_NO_SPACE, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct explain_instruction instruction = sass_classify(rows[i].words);
        if (instruction.class != rows[i].class || instruction.space != rows[i].space ||
            instruction.bits != rows[i].bits)
            fail_msg("%s: class %s, space %d, %d bits", rows[i].words, code_classes[instruction.class].key,
                     instruction.space, instruction.bits);
    }
}

/* Scoreboards and stalls, as 9.0 has them: "S2R R0, SR_TID.X" sets the first, "IMAD …" waits for it. */
static void test_controls(void **state)
{
    (void)state;
    struct code_control plain = sass_control(0x000fe20000000800), sets = sass_control(0x000e2e0000002100),
                        waits = sass_control(0x002fcc000f8e003f);
    assert_true(plain.stall == 1 && plain.result == -1 && plain.read == -1 && plain.wait == 0);
    assert_true(sets.stall == 7 && sets.result == 0 && sets.read == -1 && sets.wait == 0);
    assert_true(waits.stall == 6 && waits.wait == 2);
}

/* A division calls a function for operands that hardly occur; a branch jumps over the call. */
static void test_slow_path(void **state)
{
    (void)state;
    struct error error = {{0}};
    struct explain_kernel kernel = {.name = "k", .file = "k.cl"};
    static const char text[] = "\n.text.k:\n"
                               "        /*0000*/                   MUFU.RCP R3, R4 ;\n"
                               "        /*0010*/              @!P0 BRA `(.L_x_1) ;\n"
                               "        /*0020*/                   MOV R4, 0x40 ;\n"
                               "        /*0030*/                   CALL.REL.NOINC `($__internal_0_$__cuda_div) ;\n"
                               ".L_x_1:\n"
                               "        /*0040*/                   STG.E [R2.64], R3 ;\n"
                               "        /*0050*/                   EXIT ;\n"
                               "$__internal_0_$__cuda_div:\n"
                               "        /*0060*/                   FFMA R3, R3, R3, R3 ;\n"
                               "        /*0070*/                   RET.REL.NODEC R6 `(k) ;\n"
                               ".L_x_2:\n"
                               "        /*0080*/                   BRA `(.L_x_2) ;\n";
    static const bool slow[] = {false, false, true, true, false, false, true, true};
    assert_int_equal(sass_read(text, "k.cl", &kernel, &error), STATUS_OK);
    assert_int_equal(kernel.instruction_count, COUNT_OF(slow));
    for (size_t i = 0; i < COUNT_OF(slow); i++)
        if (kernel.instructions[i].is_slow_path != slow[i])
            fail_msg("instruction %zu: %s", i, slow[i] ? "executed" : "passed over");
    assert_int_equal(kernel.skip_count, 1);
    assert_true(kernel.skips[0].first == 2 && kernel.skips[0].last == 3);
    assert_int_equal(kernel.instructions[0].pipe, PIPE_XU);
    release(&kernel);
}

static void expect_skips(const char *text, const struct explain_skip *skips, size_t count)
{
    struct error error = {{0}};
    struct explain_kernel kernel = {.name = "k", .file = "k.cl"};
    assert_int_equal(sass_read(text, "k.cl", &kernel, &error), STATUS_OK);
    assert_int_equal(kernel.skip_count, count);
    for (size_t i = 0; i < count; i++)
        if (kernel.skips[i].first != skips[i].first || kernel.skips[i].last != skips[i].last ||
            kernel.skips[i].other_last != skips[i].other_last)
            fail_msg("skip %zu: %zu to %zu, other side to %zu", i, kernel.skips[i].first, kernel.skips[i].last,
                     kernel.skips[i].other_last);
    release(&kernel);
}

/* An early exit skips all that follows; a first side that ends with a jump or an exit has a second one behind it. */
static void test_skips(void **state)
{
    (void)state;
    static const struct explain_skip sides[] = {{2, 12, 0}, {3, 5, 7}, {6, 7, 0}, {9, 10, 12}};
    expect_skips("\n.text.k:\n"
                 "        /*0000*/                   ISETP.GE.AND P0, PT, R0, R1, PT ;\n"
                 "        /*0010*/               @P0 EXIT ;\n"
                 "        /*0020*/               @P1 BRA `(.L_x_1) ;\n"
                 "        /*0030*/                   LDG.E R2, [R4.64] ;\n"
                 "        /*0040*/                   STG.E [R4.64], R2 ;\n"
                 "        /*0050*/                   BRA `(.L_x_2) ;\n"
                 ".L_x_1:\n"
                 "        /*0060*/                   LDG.E R3, [R4.64] ;\n"
                 "        /*0070*/                   STG.E [R4.64], R3 ;\n"
                 ".L_x_2:\n"
                 "        /*0080*/              @!P2 BRA `(.L_x_3) ;\n"
                 "        /*0090*/                   STG.E [R6.64], R3 ;\n"
                 "        /*00a0*/                   EXIT ;\n"
                 ".L_x_3:\n"
                 "        /*00b0*/                   STG.E [R6.64], R2 ;\n"
                 "        /*00c0*/                   EXIT ;\n"
                 ".L_x_4:\n"
                 "        /*00d0*/                   BRA `(.L_x_4) ;\n",
                 sides, COUNT_OF(sides));
    /* Warps that took the branch come behind the exit without having come by. */
    static const struct explain_skip joined[] = {{1, 2, 0}, {2, 2, 0}};
    expect_skips("\n.text.k:\n"
                 "        /*0000*/               @P0 BRA `(.L_x_1) ;\n"
                 "        /*0010*/               @P1 EXIT ;\n"
                 "        /*0020*/                   LDG.E R2, [R4.64] ;\n"
                 ".L_x_1:\n"
                 "        /*0030*/                   STG.E [R4.64], R2 ;\n"
                 "        /*0040*/                   EXIT ;\n",
                 joined, COUNT_OF(joined));
}

/* ---- what the compiler makes here ---- */

/* 48 live sums in 32 registers: they must spill. */
static const char spilling[] = "extern \"C\" __global__ void __launch_bounds__(1024, 2) crowd(float *a, int n)\n"
                               "{\n"
                               "    float r[48];\n"
                               "    for (int i = 0; i < 48; i++) r[i] = a[i * n + threadIdx.x];\n"
                               "    for (int j = 0; j < n; j++)\n"
                               "        for (int i = 0; i < 48; i++) r[i] = r[i] * r[(i + 7) % 48] + a[j];\n"
                               "    for (int i = 0; i < 48; i++) a[i * n + threadIdx.x] = r[i];\n"
                               "}\n";

/* 100 words of local memory; line 6 is in double precision, and only it. */
static const char doubled[] = "extern \"C\" __global__ void twice(float *a, float b)\n"
                              "{\n"
                              "    __shared__ float kept[100];\n"
                              "    kept[threadIdx.x] = a[threadIdx.x] * b;\n"
                              "    __syncthreads();\n"
                              "    float x = kept[99 - threadIdx.x] * 1.1;\n"
                              "    a[threadIdx.x] = x + b;\n"
                              "}\n";

struct built {
    void *image;
    size_t bytes;
    char *log, *text;
};

static void skip_without_nvrtc(void)
{
    struct error error = {{0}};
    if (cuda_nvrtc_available(&error) == STATUS_OK)
        return;
    print_message("skipped: %s\n", error.text);
    skip();
}

static bool build(const char *name, const char *source, const char *architecture, struct built *built)
{
    struct error error = {{0}};
    struct program_source program = {name, source, LANGUAGE_CUDA_C, NULL, 0};
    *built = (struct built){.image = NULL};
    enum status status =
        cuda_compile_described(&program, architecture, &built->image, &built->bytes, &built->log, &error);
    if (status == STATUS_UNAVAILABLE) /* another NVRTC does not know every architecture */
        return false;
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
    sass_disassemble(built->image, built->bytes, &built->text, &error); /* text stays NULL where there is no nvdisasm */
    return true;
}

static void discard(struct built *built)
{
    free(built->image);
    free(built->log);
    free(built->text);
}

static const char *const architectures[] = {"sm_75", "sm_90", "sm_120"};

static void test_spills(void **state)
{
    (void)state;
    skip_without_nvrtc();
    for (size_t i = 0; i < COUNT_OF(architectures); i++) {
        struct built built;
        struct error error = {{0}};
        struct explain_kernel kernel = {.name = "crowd", .file = "crowd.cu"};
        bool two_fit = strcmp(architectures[i], "sm_90") == 0; /* 2048 items; elsewhere the wish for two is ignored */
        if (!build("crowd.cu", spilling, architectures[i], &built))
            continue;
        assert_int_equal(cuda_code_read(built.image, built.bytes, built.log, NULL, &kernel, &error), STATUS_OK);
        assert_int_equal(kernel.registers > 0 && kernel.registers <= (two_fit ? 32 : 64), 1);
        if (two_fit) {
            assert_int_equal(kernel.registers, 32);
            assert_true(kernel.spill_store_bytes > 0 && kernel.spill_load_bytes > 0);
            assert_true(kernel.stack_bytes > 0);
        }
        assert_int_equal(kernel.shared_bytes, 0);
        discard(&built);
    }
}

static void test_double_and_local(void **state)
{
    (void)state;
    skip_without_nvrtc();
    for (size_t i = 0; i < COUNT_OF(architectures); i++) {
        struct built built;
        struct error error = {{0}};
        struct explain_kernel kernel = {.name = "twice", .file = "twice.cu"};
        if (!build("twice.cu", doubled, architectures[i], &built))
            continue;
        if (strcmp(architectures[i], "sm_90") != 0) { /* the disassembler takes a while: one is enough */
            free(built.text);
            built.text = NULL;
        }
        assert_int_equal(cuda_code_read(built.image, built.bytes, built.log, built.text, &kernel, &error), STATUS_OK);
        assert_int_equal(kernel.shared_bytes, 400);
        assert_int_equal(kernel.spill_store_bytes, 0);
        assert_int_equal(kernel.spill_load_bytes, 0);
        assert_true(kernel.registers > 0 && kernel.registers < 40);
        if (built.text) {
            assert_int_equal(kernel.counts[CODE_FP64], 1);
            assert_int_equal(kernel.fp64_lines[0].line, 6);
            assert_int_equal(kernel.loads[2], 1);
            assert_int_equal(kernel.stores[2], 1);
            assert_int_equal(kernel.shared_loads[2], 1);
            assert_int_equal(kernel.shared_stores[2], 1);
            assert_int_equal(kernel.counts[CODE_OTHER], 0);
        }
        release(&kernel);
        discard(&built);
    }
}

/* Whatever the file says of itself, nothing beyond its end is read (the sanitizers watch). */
static void test_damaged_cubin(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct built built;
    struct error error = {{0}};
    struct cubin_kernel facts;
    if (!build("twice.cu", doubled, "sm_90", &built))
        skip();
    assert_int_equal(cubin_read(built.image, built.bytes, "twice", &facts, &error), STATUS_OK);
    assert_int_equal(cubin_read(built.image, built.bytes, "thrice", &facts, &error), STATUS_INVALID);
    assert_int_equal(cubin_read("ELF", 3, "twice", &facts, &error), STATUS_INVALID);
    for (size_t bytes = 0; bytes < built.bytes; bytes += 61) {
        void *cut = malloc(bytes + 1);
        assert_non_null(cut);
        memcpy(cut, built.image, bytes);
        cubin_read(cut, bytes, "twice", &facts, &error);
        free(cut);
    }
    unsigned char *bytes = built.image;
    for (size_t at = 0; at < built.bytes; at += 5) {
        unsigned char kept = bytes[at];
        bytes[at] = 0xff;
        cubin_read(built.image, built.bytes, "twice", &facts, &error);
        bytes[at] = kept;
    }
    discard(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listing), cmocka_unit_test(test_controls),         cmocka_unit_test(test_slow_path),
        cmocka_unit_test(test_skips),   cmocka_unit_test(test_listing_cut_off),  cmocka_unit_test(test_classes),
        cmocka_unit_test(test_spills),  cmocka_unit_test(test_double_and_local), cmocka_unit_test(test_damaged_cubin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
