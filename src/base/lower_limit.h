/* Limits of this process and of all that it starts. */
#pragma once

#include <sys/resource.h>

/* Lowers one (RLIMIT_…) to `most`, so that the process cannot raise it again. A lower one stays. */
void lower_limit(int resource, rlim_t most);
