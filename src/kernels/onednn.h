/* Where oneDNN is found: Debian 13 and what follows it put a minor version into the library's name. */
#ifndef USKOR_KERNELS_ONEDNN_H
#define USKOR_KERNELS_ONEDNN_H

#include "base/dynamic_library.h"

extern const struct dynamic_library onednn_library;

#endif
