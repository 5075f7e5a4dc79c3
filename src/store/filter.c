#include "store/database.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

static bool one_of_runs(const struct store_filter *filter, char *sql, size_t size)
{
    bool fits = text_append(sql, size, " AND m.run IN (");
    for (size_t i = 0; fits && i < filter->run_count; i++)
        fits = text_append(sql, size, "%s%" PRId64, i ? ", " : "", filter->runs[i]);
    return fits && text_append(sql, size, ")");
}

/* A label's "*" at its end stands for anything; instr() has no letters of its own, as GLOB and LIKE do. */
static bool ends_in_star(const char *label)
{
    size_t length = strlen(label);
    return length > 0 && label[length - 1] == '*';
}

bool filter_conditions(const struct store_filter *filter, char *sql, size_t size)
{
    bool fits = !filter->runs || one_of_runs(filter, sql, size);
    const struct {
        bool wanted;
        const char *condition;
    } conditions[] = {
        {filter->machine != 0, "m.machine = :machine"},
        {filter->kernel != NULL, "m.kernel = :kernel"},
        {filter->problem != NULL, "m.problem = :problem"},
        {filter->rung != NULL, "(m.rung = :rung OR (m.kind = 'probe' AND (m.run, m.problem, m.device, m.cold) IN"
                               " (SELECT run, problem, device, cold FROM measurements WHERE rung = :rung)))"},
        {filter->device != NULL, "m.device = :device"},
        {filter->label && !ends_in_star(filter->label), "m.run IN (SELECT id FROM runs WHERE label = :label)"},
        {filter->label && ends_in_star(filter->label),
         "m.run IN (SELECT id FROM runs WHERE instr(label || '*', rtrim(:label, '*')) = 1)"},
        {filter->since != 0, "m.made_at >= :since"},
    };
    for (size_t i = 0; fits && i < sizeof conditions / sizeof conditions[0]; i++)
        if (conditions[i].wanted)
            fits = text_append(sql, size, " AND %s", conditions[i].condition);
    return fits;
}

void filter_bind(const struct store_filter *filter, sqlite3_stmt *statement)
{
    bind_integer(statement, ":machine", filter->machine);
    bind_text(statement, ":kernel", filter->kernel);
    bind_text(statement, ":problem", filter->problem);
    bind_text(statement, ":rung", filter->rung);
    bind_text(statement, ":device", filter->device);
    bind_text(statement, ":label", filter->label);
    bind_integer(statement, ":since", filter->since);
    bind_integer(statement, ":most", filter->most ? (int64_t)filter->most : -1);
}
