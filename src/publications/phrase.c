#include "base/language.h"
#include "base/translation.h"
#include "publications/publication.h"

const char *phrase_text(const struct phrase *phrase)
{
    return language_now() == LANGUAGE_RUSSIAN && phrase->russian ? phrase->russian : tr(phrase->english);
}
