/* Methods over ranks for programs: one document for all problems. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/ranks_table.h"
#include "report/export/json.h"
#include "store/noise.h"

static json_t *numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_real(values[i]));
    return array;
}

/* The first bytes of the result's SHA-256; null where each rank judged its own part. */
static json_t *digest_or_null(const struct distributed_result *result)
{
    char text[2 * sizeof(uint64_t) + 1] = "";
    uint64_t first;
    memcpy(&first, result->digest, sizeof first);
    snprintf(text, sizeof text, "%016" PRIx64, first);
    return first ? json_string(text) : json_null();
}

static json_t *row_json(const struct ranks_row *row)
{
    const struct distributed_result *result = &row->result;
    const bool is_void = summary_is_void(&result->time);
    char text[PROBLEM_TEXT_MAX];
    return json_pack("{s:s, s:s, s:i, s:s, s:s, s:o, s:o, s:b, s:f, s:f, s:o, s:o, s:o, s:o}", "method",
                     row->method->name, "problem", problem_text(&row->problem, text), "ranks", row->count, "verdict",
                     ranks_verdict(row), "reason", result->reason, "median_ns",
                     result->time.count ? json_real(result->time.median) : json_null(), "rate",
                     is_void ? json_null() : json_real(ranks_rate(row, result->time.median)), "too_noisy", (int)is_void,
                     "mpi_share", result->communication, "bytes_sent", result->sent, "parts_ns",
                     report_positive(result->parts), "predicted_ns", report_positive(row->predicted), "digest",
                     digest_or_null(result), "samples_ns", numbers(result->samples, result->time.count));
}

json_t *ranks_report_json(const struct ranks_report *report)
{
    char text[PROBLEM_TEXT_MAX];
    bool differ;
    json_t *rows = json_array();
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(rows, row_json(&report->rows[i]));
    const bool compared = ranks_same_bits(report, &differ);
    return json_pack("{s:s, s:s, s:o, s:o}", "problem", problem_text(&report->problem, text), "rate_unit",
                     report->problem.kernel->rate_unit, "same_bits", compared ? json_boolean(!differ) : json_null(),
                     "rows", rows);
}

static json_t *links_json(const struct links *links)
{
    static const char *const names[OPERATION_KINDS] = {
        [OPERATION_REDUCE] = "reduce", [OPERATION_EXCHANGE] = "exchange", [OPERATION_NEAR] = "near",
        [OPERATION_FAR] = "far",       [OPERATION_RING] = "ring",         [OPERATION_FAR_RING] = "far_ring"};
    double sizes[LINK_SIZES];
    if (!links || links->ranks < 2)
        return json_null();
    for (size_t i = 0; i < LINK_SIZES; i++)
        sizes[i] = (double)link_sizes[i];
    json_t *object = json_pack("{s:i, s:i, s:f, s:o}", "ranks", links->ranks, "ranks_on_a_host", links->on_host,
                               "progress", links->progress, "bytes", numbers(sizes, LINK_SIZES));
    for (size_t i = 0; i < OPERATION_KINDS; i++)
        json_object_set_new(object, names[i], numbers(links->ns[i], LINK_SIZES));
    return object;
}

bool ranks_document_write(FILE *stream, const struct ranks_report *report, json_t *problems)
{
    json_t *document = json_pack(
        "{s:s, s:s, s:i, s:i, s:b, s:o, s:o, s:O}", "device", report->device ? report->device->id : "", "mpi",
        ranks_version(), "ranks", report->world, "threads", report->threads, "weak", (int)report->weak, "links_ns",
        links_json(report->links), "nccl_links_ns", links_json(report->nccl_links), "problems", problems);
    return report_json_write(stream, "uskor.ranks/1", document);
}
