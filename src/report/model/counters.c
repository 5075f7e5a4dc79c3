#include "report/model/counters.h"

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"

const char *const counter_names[COUNTERS] = {N_("clock"),  N_("energy of a run"),        N_("power"),
                                             N_("cycles"), N_("instructions per cycle"), N_("samples left out")};

bool counters_are_there(const struct measurement *measurement)
{
    return measurement->throttled || measurement->clock_mhz > 0 || measurement->joules > 0 || measurement->cycles > 0;
}

/* "2.00 GHz"; an em dash where it is not known. */
static struct figure with_unit(double value, const char *unit)
{
    struct figure figure = figure_number(value);
    if (value > 0)
        text_append(figure.text, sizeof figure.text, " %s", say_unit(unit));
    return figure;
}

void counters_of(const struct measurement *measurement, struct figure figures[COUNTERS])
{
    const double seconds = measurement_summary(measurement, PHASE_COMPUTE).median * 1e-9, joules = measurement->joules;
    figures[0] = with_unit(measurement->clock_mhz / 1e3, "GHz");
    figures[1] = with_unit(joules * 1e3, "mJ");
    figures[2] = with_unit(seconds > 0 ? joules / seconds : 0, "W");
    figures[3] = with_unit(measurement->cycles / 1e6, "M");
    figures[4] = figure_number(measurement->cycles > 0 ? measurement->instructions / measurement->cycles : 0);
    figures[5] = figure_count(measurement->throttled);
}
