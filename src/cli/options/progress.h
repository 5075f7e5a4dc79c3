/* The progress bar of a command that measures. */
#ifndef USKOR_CLI_OPTIONS_PROGRESS_H
#define USKOR_CLI_OPTIONS_PROGRESS_H

/* Shows `what` of `fraction` done on a terminal; silent in a pipe. */
void bench_session_progress(void *context, const char *what, double fraction);

/* Takes the progress bar away. */
void bench_session_progress_end(void);

#endif
