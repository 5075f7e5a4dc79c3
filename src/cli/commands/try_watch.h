/* uskor try --watch. */
#ifndef USKOR_CLI_COMMANDS_TRY_WATCH_H
#define USKOR_CLI_COMMANDS_TRY_WATCH_H

/* Runs this command anew, without --watch, each time the file changes, until Ctrl-C. Returns the last exit code. */
int try_watch(const char *path, char **argv);

#endif
