/* Any bytes as an exported line: read or refused, never a crash; what is read is written, and read back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/fields.h"
#include "store/transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct transfer_line line, again;
    struct error error = {""};
    if (transfer_parse((const char *)data, size, &line, &error) != STATUS_OK) {
        if (!error.text[0] || !text_is_plain(error.text))
            abort();
        return 0;
    }
    char *text = transfer_compose(&line);
    if (!text || strchr(text, '\n') || transfer_parse(text, strlen(text), &again, &error) != STATUS_OK)
        abort();
    char *twice = transfer_compose(&again);
    if (!twice || strcmp(text, twice) != 0)
        abort();
    free(text);
    free(twice);
    transfer_line_free(&line);
    transfer_line_free(&again);
    return 0;
}
