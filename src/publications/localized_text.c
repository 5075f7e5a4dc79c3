#include "base/language.h"
#include "base/translation.h"
#include "publications/publication.h"

const char *localized_text(const struct localized_text *phrase)
{
    return language_now() == LANGUAGE_RUSSIAN && phrase->russian ? phrase->russian : tr(phrase->english);
}
