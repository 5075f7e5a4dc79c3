/* Any text as a publication: refused with a reason, or something that can be compared with nothing measured. */
#include <stdint.h>
#include <stdlib.h>

#include "publications/reproduction.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct publication publication;
    struct error error = {""};
    if (publication_parse((const char *)data, size, "input", &publication, &error) != STATUS_OK) {
        if (error.text[0] == '\0' || publication.root)
            abort();
        return 0;
    }
    struct measurement_list nothing = {0};
    struct here here = {.list = &nothing};
    struct reproduction reproduction;
    if (reproduction_build(&publication, &here, &reproduction, &error) == STATUS_OK)
        reproduction_free(&reproduction);
    publication_free(&publication);
    return 0;
}
