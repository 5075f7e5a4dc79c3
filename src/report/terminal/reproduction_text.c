#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/reproduction.h"

const struct localized_text reproduction_word_published = {N_("published"), NULL};
const struct localized_text reproduction_word_here = {N_("here"), NULL};
const struct localized_text reproduction_word_predicted = {N_("predicted for"), NULL};
const struct localized_text reproduction_word_concluded = {N_("Its conclusions, checked here"), NULL};
const struct localized_text reproduction_word_remarks = {N_("Remarks"), NULL};
const struct localized_text reproduction_word_machines = {N_("published on"), NULL};
const struct localized_text reproduction_word_no_gpu = {N_("a processor, not a GPU"), NULL};
const struct localized_text reproduction_legend = {
    N_("mean ± standard deviation (speed-ups: ± error); (2.1×): 2.1 times as fast as the publication's best figure of "
       "the row. Every element of every figure here was checked before and after the timing."),
    NULL};

/* As many decimals as three significant digits take. */
static int decimals_of(double value)
{
    if (!(value > 0))
        return 0;
    return (int)fmin(fmax(2 - floor(log10(value) + 1e-9), 0), 9);
}

/* As many as two digits of the error take, so that both say what is known; of a value, no fewer than two digits. */
static int decimals_with(double value, double error)
{
    if (!(error > 0) || !(value > 0))
        return decimals_of(value);
    double decimals = 1 - floor(log10(error) + 1e-9), least = 1 - floor(log10(value) + 1e-9);
    return (int)fmin(fmax(fmax(decimals, least), 0), 9);
}

const char *heading_text(const struct heading *heading, char text[GRID_TEXT_BYTES])
{
    if (heading->label.english)
        snprintf(text, GRID_TEXT_BYTES, "%s", localized_text(&heading->label));
    else if (heading->tie.size)
        snprintf(text, GRID_TEXT_BYTES, "N = %" PRId64, heading->tie.size);
    else
        snprintf(text, GRID_TEXT_BYTES, "%s", heading->tie.parameters ? heading->tie.parameters : "");
    return text;
}

/* "1.23 ± 0.04"; without the deviation where it is NaN, as that of a single sample is. */
static void append_number(char text[GRID_TEXT_BYTES], double value, double deviation)
{
    int decimals = decimals_with(value, deviation);
    text_append(text, GRID_TEXT_BYTES, "%.*f", decimals, value);
    if (!isnan(deviation))
        text_append(text, GRID_TEXT_BYTES, " ± %.*f", decimals, deviation);
}

/* A fact that is a number, a range or a list of them has the reader's decimal point; a name stays as it is. */
static const char *say_fact(char text[GRID_TEXT_BYTES])
{
    return text[strspn(text, "0123456789.-–/ ~?")] ? text : say_number(text);
}

const char *printed_text(const struct figure_printed *figure, char text[GRID_TEXT_BYTES])
{
    if (figure->text) {
        snprintf(text, GRID_TEXT_BYTES, "%s", figure->text);
        return isnan(figure->value) ? say_fact(text) : say_number(text);
    }
    text[0] = 0;
    if (isnan(figure->value))
        return text;
    append_number(text, figure->value, figure->deviation);
    return say_number(text);
}

static const char *state_text(const struct here_cell *cell)
{
    if (cell->state == HERE_WRONG)
        return tr(cell->measurement->verdict == VERDICT_ERROR ? N_("ERROR") : N_("FAIL"));
    return cell->state == HERE_SKIP ? tr("SKIP") : cell->state == HERE_UNMEASURED ? "—" : "";
}

const char *here_text(const struct panel *panel, const struct here_cell *cell, char text[GRID_TEXT_BYTES])
{
    text[0] = 0;
    if (cell->state != HERE_VALUE) {
        snprintf(text, GRID_TEXT_BYTES, "%s", cell->state == HERE_FACT ? cell->text : state_text(cell));
        return cell->state == HERE_FACT && !cell->is_version ? say_fact(text) : text;
    }
    append_number(text, cell->value, panel->quantity != QUANTITY_CEILING && !panel->grid ? cell->deviation : NAN);
    if (cell->better > 0 && !panel->grid)
        text_append(text, GRID_TEXT_BYTES, " (%.*f×)",
                    cell->better >= 99.5   ? 0
                    : cell->better >= 9.95 ? 1
                    : cell->better >= 0.1  ? 2
                                           : 3,
                    cell->better);
    if (cell->size)
        text_append(text, GRID_TEXT_BYTES, ", N=%" PRId64, cell->size);
    return say_number(text);
}

const char *panel_text(const struct panel *panel, char text[GRID_TEXT_BYTES * 2])
{
    bool has_unit = panel->unit && panel->quantity <= QUANTITY_RATE;
    snprintf(text, (size_t)GRID_TEXT_BYTES * 2, "%s%s%s", localized_text(&panel->title), has_unit ? ", " : "",
             has_unit ? say_unit(panel->unit) : "");
    return text;
}

const char *published_head(const struct panel *panel, size_t column, char text[GRID_TEXT_BYTES])
{
    const struct heading *heading = &panel->columns[column];
    if (heading->label.english || !heading->machine)
        return heading_text(heading, text);
    snprintf(text, GRID_TEXT_BYTES, "%s", heading->machine->name);
    return text;
}

/* Where a ratio's columns have different bases, each says its own. */
static bool has_several_bases(const struct panel *panel)
{
    for (size_t i = 1; i < panel->column_count; i++)
        if (panel->columns[i].tie.over_technology != panel->columns[0].tie.over_technology)
            return true;
    return false;
}

/* Columns of several runs on one device say which is which. */
static bool shares_device(const struct panel_comparison *panel, const struct here_column *here)
{
    for (size_t i = 0; i < panel->column_count; i++) {
        const struct here_column *other = &panel->columns[i];
        if (other->of != here->of && other->device && here->device && strcmp(other->device, here->device) == 0 &&
            panel->panel->columns[other->of].tie.run != panel->panel->columns[here->of].tie.run)
            return true;
    }
    return false;
}

const char *here_head(const struct panel_comparison *panel, size_t column, char text[GRID_TEXT_BYTES])
{
    static const struct localized_text word_over = {N_("over"), NULL};
    const struct here_column *here = &panel->columns[column];
    const char *name = here->device ? here->device : technology_name(here->technology);
    static const struct localized_text word_host = {N_("host"), NULL};
    snprintf(text, GRID_TEXT_BYTES, "%s", *name ? name : localized_text(&word_host));
    if (shares_device(panel, here)) {
        char label[GRID_TEXT_BYTES];
        text_append(text, GRID_TEXT_BYTES, " %s", heading_text(&panel->panel->columns[here->of], label));
    }
    if (here->prediction && here->prediction->label.english)
        text_append(text, GRID_TEXT_BYTES, ", %s", localized_text(&here->prediction->label));
    if (panel->panel->quantity == QUANTITY_RATIO && has_several_bases(panel->panel))
        text_append(text, GRID_TEXT_BYTES, " %s %s", localized_text(&word_over),
                    technology_name(panel->panel->columns[here->of].tie.over_technology));
    return text;
}

const char *judgement_text(enum judgement outcome)
{
    static const struct localized_text texts[] = {
        {N_("holds"), NULL}, {N_("does not hold"), NULL}, {N_("cannot tell"), NULL}};
    return localized_text(&texts[outcome]);
}

const char *table_text(const struct publication_table *table, char text[GRID_TEXT_BYTES * 2])
{
    static const struct localized_text word_table = {N_("Table"), NULL};
    bool is_number = table->number[0] >= '0' && table->number[0] <= '9';
    snprintf(text, (size_t)GRID_TEXT_BYTES * 2, "%s%s%s. %s", is_number ? localized_text(&word_table) : "",
             is_number ? " " : "", table->number, localized_text(&table->title));
    return text;
}
