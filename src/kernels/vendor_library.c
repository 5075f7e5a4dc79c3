#include "kernels/vendor_library.h"

#include <stdlib.h>

enum status vendor_library_prepare(struct run *run, size_t size, const struct dynamic_library *library,
                                   const struct dynamic_symbol *symbols, size_t symbol_count, struct error *error)
{
    struct vendor_library *state = run->state = calloc(1, size);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = dynamic_library_open(library, symbols, symbol_count, state, &state->handle, error);
    if (status != STATUS_OK) {
        free(state);
        run->state = NULL;
    }
    return status;
}

void vendor_library_finish(struct run *run)
{
    struct vendor_library *state = run->state;
    dynamic_library_close(state->handle);
    free(state);
    run->state = NULL;
}
