#include "cli/commands/bench_parts.h"

#include <inttypes.h>

#include "base/translation.h"
#include "lab/bench/runner.h"
#include "report/terminal/folded.h"

static void print_element(FILE *stream, enum element_type type, const void *data, size_t index)
{
    switch (type) {
    case ELEMENT_F32:
        fprintf(stream, " %.9g", (double)((const float *)data)[index]);
        return;
    case ELEMENT_F64:
        fprintf(stream, " %.17g", ((const double *)data)[index]);
        return;
    case ELEMENT_I32:
        fprintf(stream, " %" PRId32, ((const int32_t *)data)[index]);
        return;
    case ELEMENT_I64:
        fprintf(stream, " %" PRId64, ((const int64_t *)data)[index]);
        return;
    default: { /* the others as their bits */
        size_t bytes = element_info(type)->bytes;
        const unsigned char *at = (const unsigned char *)data + index * bytes;
        fputc(' ', stream);
        for (size_t i = bytes; i-- > 0;)
            fprintf(stream, "%02x", at[i]);
    }
    }
}

static void print_array(FILE *stream, const struct array *array, const void *data, const char *when)
{
    fprintf(stream, "  %s %s:\n", array->name, tr(when));
    for (size_t row = 0; row < array->rows; row++) {
        fputs("   ", stream);
        for (size_t col = 0; col < array->cols; col++)
            print_element(stream, array->type, data, row * array->cols + col);
        fputc('\n', stream);
    }
}

static void print_arrays(FILE *stream, const struct dataset *data, const struct host_arrays *host, const char *when)
{
    for (int i = 0; i < data->array_count; i++)
        if (host->data[i])
            print_array(stream, &data->arrays[i], host->data[i], when);
}

static enum status run_and_print(FILE *stream, struct dataset *data, const struct candidate *candidate,
                                 struct error *error)
{
    struct workspace workspace;
    struct runner runner = {0};
    struct check_result result;
    enum status status = workspace_create(data, candidate->device, &workspace, error);
    if (status != STATUS_OK)
        return status;
    status = runner_prepare(&runner, &workspace, candidate, error);
    if (status == STATUS_OK) {
        status = runner_verify(&runner, &result, error);
        print_arrays(stream, data, &data->output, N_("after"));
        runner_finish(&runner);
    }
    workspace_destroy(&workspace);
    return status;
}

enum status show_run(FILE *stream, const struct problem *problem, const struct candidate *candidate,
                     struct error *error)
{
    struct dataset data;
    char text[PROBLEM_TEXT_MAX];
    enum status status = dataset_create(problem, &data, error);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; status == STATUS_OK && i < data.array_count; i++)
        if (data.arrays[i].rows * data.arrays[i].cols > SHOW_ELEMENTS)
            status = fail(error, STATUS_INVALID, "--show prints arrays of at most %d elements; '%s' has %zu",
                          SHOW_ELEMENTS, data.arrays[i].name, data.arrays[i].rows * data.arrays[i].cols);
    if (status == STATUS_OK) {
        FILE *folded = folded_begin(stream, style_for(stream));
        fprintf(folded, tr("\n%s, seed %u, %s on %s\n"), problem_heading(problem, text), problem->seed,
                candidate->rung->name, candidate->device->id);
        print_arrays(folded, &data, &data.input, N_("before"));
        status = run_and_print(folded, &data, candidate, error);
        folded_end(folded, stream);
    }
    dataset_destroy(&data);
    return status;
}
