#include "kernels/clblast.h"

#include <stdlib.h>

#include "base/size.h"
#include "base/translation.h"

enum status clblast_prepare(struct run *run, size_t size, const struct dynamic_symbol *symbols, size_t symbol_count,
                            struct error *error)
{
    static const char *const file_names[] = {"libclblast.so.1", "libclblast.so", NULL};
    const char *own = getenv("USKOR_CLBLAST");
    const char *const own_name[] = {own, NULL};
    const struct dynamic_library library = {
        .title = "CLBlast",
        .names = own && *own ? own_name : file_names,
        .advice = N_("install it (Debian: libclblast1), or name the file in USKOR_CLBLAST"),
    };
    enum status status = vendor_library_prepare(run, size, &library, symbols, symbol_count, error);
    if (status == STATUS_OK)
        ((struct vendor_library *)run->state)->handle = NULL; /* what is not given back is not closed */
    return status;
}

enum status clblast_check(int code, const char *function, struct error *error)
{
    static const struct {
        int code;
        const char *text;
    } meanings[] = {
        {-4, "no device memory for its temporary buffer"},    {-5, "the device is out of resources"},
        {-11, "its kernel does not compile for this device"}, {-2044, N_("the device has no double precision")},
        {-2045, "the device has no half precision"},
    };
    if (code == 0)
        return STATUS_OK;
    for (size_t i = 0; i < COUNT_OF(meanings); i++)
        if (meanings[i].code == code)
            return fail(error, STATUS_UNAVAILABLE, "%s: %s", function, meanings[i].text);
    return fail(error, STATUS_UNAVAILABLE, "%s: CLBlast's status %d", function, code);
}
