/* All kernels. Alone in its file, so that a test may bring a list of its own. */
#include "kernels/kernel.h"

#define KERNEL(name) extern const struct kernel kernel_##name;
#include "kernels/kernel_list.def"
#undef KERNEL

#define KERNEL(name) &kernel_##name,
const struct kernel *const kernels[] = {
#include "kernels/kernel_list.def"
    NULL,
};
