/* How many threads a user may ask for. */
#ifndef USKOR_CLI_OPTIONS_THREADS_H
#define USKOR_CLI_OPTIONS_THREADS_H

#define THREADS_MOST 4096

#endif
