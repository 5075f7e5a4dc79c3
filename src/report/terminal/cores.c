#include "report/terminal/cores.h"

#include <math.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/figure_text.h"
#include "report/terminal/cells.h"
#include "store/cores.h"

/* Cores of one die were seen 20 to 35 ns apart, of two dies 150 to 170 (results/README.md). Between the two are large
 * dies, of which a distance alone says nothing. */
#define WITHIN_A_DIE 40.0
#define FROM_DIE_TO_DIE 80.0

void cores_add(struct cores_seen *seen, const struct measurement *measurement)
{
    bool has_range = measurement->core_latency_low > 0; /* older ones have none */
    double low = has_range ? measurement->core_latency_low : measurement->core_latency;
    double high = has_range ? measurement->core_latency_high : measurement->core_latency;
    if (!(low > 0))
        return;
    seen->low = seen->low > 0 ? fmin(seen->low, low) : low;
    seen->high = fmax(seen->high, high);
    seen->of_more = seen->of_more || measurement->threads > CORES_THREADS;
}

const char *cores_distance(const struct cores_seen *seen, char *text, size_t size)
{
    *text = 0;
    if (seen->low > 0 && lround(seen->low) == lround(seen->high))
        snprintf(text, size, "%s", figure_number(seen->low).text);
    else if (seen->low > 0)
        snprintf(text, size, "%s … %s", figure_number(seen->low).text, figure_number(seen->high).text);
    return text;
}

const char *cores_words(const struct cores_seen *seen, char *text, size_t size)
{
    char distance[64];
    const char *meaning = N_("latency between the cores of threads 0 and 1: %s ns");
    *text = 0;
    if (!*cores_distance(seen, distance, sizeof distance))
        return text;
    if (!seen->of_more && cores_elsewhere(seen->low, seen->high))
        meaning =
            N_("latency between the cores of threads 0 and 1: %s ns; the threads moved, so medians mix both places "
               "(docs/ceilings.md)");
    else if (!seen->of_more && seen->high < WITHIN_A_DIE)
        meaning = N_("latency between the cores of threads 0 and 1: %s ns, as within one die");
    else if (!seen->of_more && seen->low > FROM_DIE_TO_DIE)
        meaning = N_("latency between the cores of threads 0 and 1: %s ns, as between dies");
    text_append(text, size, tr(meaning), say_number(distance));
    return text;
}

void cores_print(FILE *stream, const struct cores_seen *seen, struct style style)
{
    char words[512];
    if (*cores_words(seen, words, sizeof words))
        columns_note(stream, style, "%s", words);
}
