/* The headers that files without one get, whole: tests/data/tables/assumed. Groups count the results: 16 x 16 items of
 * a textbook's kernel, or those that the user, or the file's own launch, says. */
#include "base/size.h"
#include "judge/user_assumed.h"
#include "judge/user_c_header.h"
#include "kernels/kernel.h"
#include "tables.h"

struct file {
    const char *kernel, *path, *text, *whole, *left_out, *requires;
    struct user_rung_options options;
};

static const char naive[] =
    "__kernel void k(__global const float *in, __global float *out, int rows, int cols)\n"
    "{ int c = get_global_id(0), r = get_global_id(1); out[c * rows + r] = in[r * cols + c]; }\n";
static const char flat[] = "__kernel void k(__global const float *in, __global float *out, int rows, int cols)\n"
                           "{ int i = get_global_id(0); }\n";
static const char turned[] =
    "__kernel void k(__global const float *in, __global float *out, int rows, int cols)\n"
    "{ int r = get_global_id(0), c = get_global_id(1); if (r < rows && c < cols) out[0] = in[0]; }\n";
static const char cuda[] =
    "__global__ void k(const float *in, float *out, int rows, int cols) { int x = blockIdx.y; }\n";
static const char launched[] =
    "__global__ void k(const float *in, float *out, int rows, int cols) { int x = blockIdx.y; }\n"
    "int main() { dim3 b(32, 8); k<<<dim3((cols + 31) / 32, (rows + 7) / 8), b, 4 * 32>>>(in, out, rows, cols); }\n";

static const struct file files[] = {
    {"transpose", "a.cl", naive, naive, "", NULL, {0}},
    {"transpose", "a.cl", flat, flat, "", NULL, {0}},
    {"transpose", "a.cl", turned, turned, "", NULL, {0}},
    {"transpose", "dir/b.cu", cuda, cuda, "", NULL, {0}},
    {"transpose", "b.cu", cuda, launched, "main", NULL, {0}},
    {"transpose", "a.cl", naive, naive, "", "rows == cols, square ones only\n", {0}},
    {"transpose", "a.cl", naive, naive, "", NULL, {.group = "32, 8"}},
    {"transpose", "a.cl", naive, naive, "", NULL, {.group = "64"}},
    {"transpose", "a.cl", naive, naive, "", NULL, {.group = "64", .groups = "rows"}},
    {"transpose", "a.cl", naive, naive, "", NULL, {.groups = "rows, cols"}},
    {"transpose", "a.cl", naive, naive, "", NULL, {.arguments = "in, out, int(cols), int(rows)"}},
    {"transpose", "a.cl", naive, naive, "", NULL, {.entry = "nothing"}},
    {"transpose", "a.cl", "void k(int n) { }\n", "void k(int n) { }\n", "", NULL, {0}},
    {"transpose", "a.cl", "__kernel void k(__global float *in, __global float *out) { }\n", "", "", NULL, {0}},
    {"sort", "a.cl", "__kernel void k(__global float *data, int n) { get_global_id(0); }\n", "", "", NULL, {0}},
    {"dot",
     "a.cl",
     "__kernel void k(__global const float *a, __global const float *b, __global float *sum, int n) { "
     "get_global_id(0); }\n",
     "",
     "",
     NULL,
     {0}},
    {"matmul",
     "a.cl",
     "__kernel void k(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)\n"
     "{ get_global_id(1); }\n",
     "",
     "",
     NULL,
     {0}},
    {"matmul",
     "a.cl",
     "__kernel void k(__global const float *a, __global const float *b, __global float *c, int n) { get_global_id(1); "
     "}\n",
     "",
     "",
     NULL,
     {.group = "256"}},
    {"matmul",
     "a.cu",
     "__global__ void k(const __half *a, const __half *b, __half *c, int m, int n, int k) { int x = blockIdx.y; }\n",
     "",
     "",
     NULL,
     {0}},
    {"dot",
     "a.cl",
     "__kernel void k(__global const bfloat16 *a, __global const bfloat16 *b, __global float *sum, int n) { "
     "get_global_id(0); }\n",
     "",
     "",
     NULL,
     {0}},
    {"wave",
     "a.cl",
     "__kernel void k(__global const float *u, __global const float *v, __global float *w, int nx, int ny, int nz, "
     "float c)\n"
     "{ get_global_id(2); }\n",
     "",
     "",
     NULL,
     {0}},
    {"wave",
     "a.cl",
     "__kernel void k(__global const float *u, __global const float *v, __global float *w, int nx, int ny, int nz, "
     "float c)\n"
     "{ get_global_id(2); }\n",
     "",
     "",
     NULL,
     {.group = "64"}},
    {"wave",
     "a.cl",
     "__kernel void k(__global const float *u, __global const float *v, __global float *w, int nx, int ny, int nz, "
     "float c)\n"
     "{ get_global_id(1); }\n",
     "",
     "",
     NULL,
     {0}},
    {"resize",
     "a.cl",
     "__kernel void k(__global const uchar *in, __global uchar *out, int width, int height, int out_width, int "
     "out_height)\n"
     "{ get_global_id(1); }\n",
     "",
     "",
     NULL,
     {0}},
};

static void print_file(FILE *stream, const struct file *file)
{
    struct error error = {""};
    char *text = strdup(file->text), assumed[1024] = "";
    const struct user_source source = {.signature = kernel_by_name(file->kernel, &error)->plain,
                                       .kernel_name = file->kernel,
                                       .path = file->path,
                                       .is_cuda = strstr(file->path, ".cu") != NULL,
                                       .whole = *file->whole ? file->whole : file->text,
                                       .left_out = file->left_out,
                                       .requires = file->requires};
    const enum status status = user_header_assume(&source, &file->options, &text, assumed, &error);
    fprintf(stream, "---- %zu: %s, %s\n%s\n%s\n", (size_t)(file - files), file->kernel, file->path,
            status == STATUS_OK ? text : error.text, assumed);
    free(text);
}

static void headers(void **state)
{
    (void)state;
    SHOWS("assumed", for (size_t i = 0; i < COUNT_OF(files); i++) print_file(stream, &files[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(headers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
