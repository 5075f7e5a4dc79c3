#include "distributed/same_bits.h"

#include <stdlib.h>
#include <string.h>

static int output_of(const struct dataset *data)
{
    for (int a = 0; a < data->array_count; a++)
        if (data->arrays[a].direction != ARRAY_IN)
            return a;
    return 0;
}

enum status reference_bits_take(const struct device_run *run, const struct dataset *data, struct reference_bits *bits,
                                struct error *error)
{
    reference_bits_free(bits);
    bits->array = output_of(data);
    bits->bytes = data->arrays[bits->array].bytes;
    bits->data = malloc(bits->bytes ? bits->bytes : 1);
    return bits->data ? buffer_read(&run->buffers[0][bits->array], 0, bits->data, bits->bytes, error)
                      : fail(error, STATUS_UNAVAILABLE, "no memory");
}

void reference_bits_free(struct reference_bits *bits)
{
    free(bits->data);
    *bits = (struct reference_bits){0};
}

enum status reference_bits_compare(const struct reference_bits *bits, const struct dataset *data, struct error *error)
{
    return !bits->data || memcmp(bits->data, data->output.data[bits->array], bits->bytes) == 0
               ? STATUS_OK
               : fail(error, STATUS_FAILED, "its bits are not those of one device");
}
