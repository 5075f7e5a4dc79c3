#include "kernels/onednn.h"

#include "base/translation.h"

static const char *const names[] = {"libdnnl.so.3", "libdnnl.so.3.*", "libdnnl.so.2", "libdnnl.so", NULL};

const struct dynamic_library onednn_library = {
    "oneDNN", names, NULL,
    N_("install it (Debian 12: libdnnl2, Debian 13: libdnnl3.6, Ubuntu: libdnnl3, elsewhere: onednn)")};
