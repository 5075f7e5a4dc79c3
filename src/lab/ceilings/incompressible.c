#include "lab/ceilings/probes.h"

#include "base/random.h"

enum status noise_fill(const struct buffer *buffer, struct error *error)
{
    static unsigned char noise[1 << 20];
    struct random random;
    random_seed(&random, 4357);
    random_bytes(&random, noise, sizeof noise);
    size_t filled = buffer->bytes < sizeof noise ? buffer->bytes : sizeof noise;
    enum status status = buffer_write(buffer, 0, noise, filled, error);
    while (status == STATUS_OK && filled < buffer->bytes) {
        size_t bytes = buffer->bytes - filled < filled ? buffer->bytes - filled : filled;
        status = buffer_copy(buffer, filled, buffer, 0, bytes, error);
        filled += bytes;
    }
    return status == STATUS_OK ? device_synchronize(buffer->device, error) : status;
}
