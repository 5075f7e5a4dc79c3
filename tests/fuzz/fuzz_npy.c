/* Any bytes as a .npy file: opened or refused, never a crash; what is opened can be read to its last byte and its
 * header is read back from what we write. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "files/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The header's text on its own, in memory that ends where it ends. */
static void read_header(const uint8_t *data, size_t size)
{
    struct npy_layout layout;
    struct error error = {""};
    char *text = malloc(size ? size : 1);
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    if (npy_header_parse(text, size, &layout, &error) != STATUS_OK && error.text[0] == '\0')
        abort();
    free(text);
}

static bool same(const struct npy_layout *a, const struct npy_layout *b)
{
    return a->kind == b->kind && a->order == b->order && a->item_bytes == b->item_bytes && a->fortran == b->fortran &&
           a->rank == b->rank && memcmp(a->shape, b->shape, sizeof a->shape) == 0 && a->count == b->count &&
           a->bytes == b->bytes;
}

static void write_back(const struct npy_layout *layout)
{
    char buffer[NPY_HEADER_WRITE_MAX];
    struct npy_preamble preamble;
    struct npy_layout read;
    size_t length = npy_header_write(layout, buffer);
    if (npy_preamble_parse((const unsigned char *)buffer, length, &preamble, NULL) != STATUS_OK ||
        npy_header_parse(buffer + preamble.start, preamble.bytes, &read, NULL) != STATUS_OK || !same(&read, layout))
        abort();
}

static volatile unsigned char last_read; /* so that every byte is really read */

static void open_file(int descriptor)
{
    char path[64];
    struct npy_array array;
    struct error error = {""};
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (npy_open(path, &array, &error) != STATUS_OK) {
        if (strncmp(error.text, path, strlen(path)) != 0 || strpbrk(error.text, "\n\r\033"))
            abort();
        return;
    }
    for (size_t i = 0; i < array.layout.bytes; i++)
        last_read = ((const unsigned char *)array.data)[i];
    write_back(&array.layout);
    npy_close(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    if (descriptor < 0)
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    read_header(data, size);
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, data, size, 0) != (ssize_t)size)
        abort();
    open_file(descriptor);
    return 0;
}
