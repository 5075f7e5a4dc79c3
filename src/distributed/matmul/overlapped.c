/* The product in two panels of B's columns. A device multiplies with the first panel while the second one travels. The
 * first panel is only as wide as its product needs to hide the rest of the links' time. Panels of the depth instead
 * would let a device begin with its own rows of B, but C would be read once more for each. */
#include <math.h>

#include "base/size.h"
#include "base/translation.h"
#include "distributed/carrier.h"
#include "distributed/matmul/matmul.h"

#define PANELS 2

/* All rows of B, one after another without gaps, and the columns of C that belong to them. */
struct panel {
    struct buffer b, c; /* views */
    struct local_run product;
};

struct overlap {
    struct carried carried;
    struct product_shape shape;
    struct panel panels[GROUP_MAX][PANELS];
};

/* The first column of a panel; panel = PANELS: the end. The views of C begin at whole alignments. */
static size_t panel_begin(struct product_shape shape, size_t count, size_t panel)
{
    size_t unit = BUFFER_ALIGNMENT / shape.element, first = shape.n * count * 3 / 64 / unit * unit;
    return panel == 0 ? 0 : panel == 1 ? size_least(first, shape.n) : shape.n;
}

static size_t panel_width(struct product_shape shape, size_t count, size_t panel)
{
    return panel_begin(shape, count, panel + 1) - panel_begin(shape, count, panel);
}

/* Offset of a panel in a device's scratch memory. */
static size_t landing(struct product_shape shape, size_t count, size_t panel)
{
    size_t bytes = panel_begin(shape, count, panel) * shape.k * shape.element;
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

static size_t scratch(const struct problem *problem, size_t index, size_t count)
{
    (void)index;
    return landing(product_shape_of(problem), count, PANELS);
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_panel(struct device_run *run, size_t index, size_t panel, struct error *error)
{
    struct overlap *overlap = run->state;
    struct product_shape shape = overlap->shape;
    size_t count = run->group->count, width = panel_width(shape, count, panel);
    size_t rows = a_begin(shape, count, index + 1) - a_begin(shape, count, index);
    size_t column = panel_begin(shape, count, panel) * shape.element;
    struct panel *made = &overlap->panels[index][panel];
    const struct buffer *all = run->buffers[index];
    if (rows == 0 || width == 0)
        return STATUS_OK;
    enum status status = buffer_view(&run->scratch[index], landing(shape, count, panel),
                                     width * shape.k * shape.element, &made->b, error);
    if (status == STATUS_OK)
        status = buffer_view(&all[2], column, all[2].bytes - column, &made->c, error);
    if (status != STATUS_OK)
        return status;
    struct problem local = *run->problem;
    const struct buffer buffers[] = {all[0], made->b, made->c};
    problem_set_size(&local, "m", (int64_t)rows);
    problem_set_size(&local, "n", (int64_t)width);
    problem_set_size(&local, "ldc_pad", (int64_t)(shape.n - width));
    status = carried_local(run, index, &local, buffers, NULL, &made->product, error);
    run->bound = fmax(made->product.bound, run->bound);
    return status;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct overlap), error);
    if (status == STATUS_OK)
        ((struct overlap *)run->state)->shape = product_shape_of(run->problem);
    for (size_t i = 0; i < run->group->count; i++)
        for (size_t panel = 0; status == STATUS_OK && panel < PANELS; panel++)
            status = make_panel(run, i, panel, error);
    return status;
}

static void finish(struct device_run *run)
{
    struct overlap *overlap = run->state;
    for (size_t i = 0; overlap && i < GROUP_MAX; i++)
        for (size_t panel = 0; panel < PANELS; panel++) {
            local_run_finish(&overlap->panels[i][panel].product);
            buffer_release(&overlap->panels[i][panel].b);
            buffer_release(&overlap->panels[i][panel].c);
        }
    carried_end(run);
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* Copies a panel of device `from`'s rows of B to their place in device `to`'s panel. */
static enum status send_rows(struct device_run *run, size_t from, size_t to, size_t panel, struct error *error)
{
    struct overlap *overlap = run->state;
    struct product_shape shape = overlap->shape;
    size_t count = run->group->count, width = panel_width(shape, count, panel) * shape.element;
    size_t first = b_begin(shape, count, from);
    const struct peer_copy copy = {.source = &run->buffers[from][1],
                                   .source_offset = panel_begin(shape, count, panel) * shape.element,
                                   .source_pitch = shape.n * shape.element,
                                   .target = &run->scratch[to],
                                   .target_offset = landing(shape, count, panel) + first * width,
                                   .target_pitch = width,
                                   .width = width,
                                   .rows = b_begin(shape, count, from + 1) - first};
    return carrier_copy(&overlap->carried.carrier, from, to, &copy, error);
}

static enum status multiply(struct device_run *run, size_t index, size_t panel, struct error *error)
{
    struct overlap *overlap = run->state;
    enum status status = STATUS_OK;
    for (size_t from = 0; status == STATUS_OK && from < run->group->count; from++)
        status = carrier_arrive(&overlap->carried.carrier, from, index, error);
    return status == STATUS_OK ? local_run_enqueue(&overlap->panels[index][panel].product, error) : status;
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    struct overlap *overlap = run->state;
    size_t count = run->group->count;
    enum status status = carrier_begin_all(&overlap->carried.carrier, error);
    for (size_t panel = 0; panel < PANELS; panel++) {
        for (size_t turn = 0; turn < count; turn++)
            for (size_t to = 0; status == STATUS_OK && to < count; to++)
                status = send_rows(run, (to + turn) % count, to, panel, error);
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = multiply(run, i, panel, error);
    }
    return status == STATUS_OK ? carrier_join(&overlap->carried.carrier, error) : status;
}

const struct device_rung matmul_overlapped = {
    .name = "overlapped",
    .idea =
        N_("B travels in two panels of its columns; each device multiplies with the first while the second travels"),
    .needs = NEEDS_PEERS,
    .carrier = CARRIER_PEERS,
    .overlaps = true,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = finish,
};
