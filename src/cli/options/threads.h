/* How many threads a user may ask for. */
#pragma once

#define THREADS_MOST 4096
