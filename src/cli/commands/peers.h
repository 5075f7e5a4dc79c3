/* uskor bandwidth --peers: what devices of one host exchange. */
#ifndef USKOR_CLI_COMMANDS_PEERS_H
#define USKOR_CLI_COMMANDS_PEERS_H

#include "cli/options/bench_session.h"

/* The whole command from the session's start to its end: returns the exit code. `group` is what --devices says, NULL:
 * every CUDA device; `bytes` of one copy, 0: the default. */
int run_peers(struct bench_session *session, const char *group, size_t bytes);

#endif
