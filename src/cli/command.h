/* The subcommands: main.c is a table of them, cmd_<name>.c is each. */
#ifndef USKOR_CLI_COMMAND_H
#define USKOR_CLI_COMMAND_H

#include "base/status.h"

/* What the program tells the shell. After Ctrl-C it is 130, as shells expect. */
enum exit_code {
    EXIT_DONE = 0,    /* done and verified */
    EXIT_WRONG = 1,   /* a check failed */
    EXIT_USE = 2,     /* wrong use or wrong input */
    EXIT_NOTHING = 3, /* nothing could run */
    EXIT_INTERRUPT = 130,
};

struct command {
    const char *name, *summary;
    int (*main)(int argc, char **argv); /* argv[0] is the command's name */
};

int cmd_devices(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_bandwidth(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_dot(int argc, char **argv);
int cmd_matmul(int argc, char **argv);
int cmd_overlap(int argc, char **argv);
int cmd_try(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_ceilings(int argc, char **argv);
int cmd_roofline(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_architectures(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_transpose(int argc, char **argv);
int cmd_sort(int argc, char **argv);
int cmd_resize(int argc, char **argv);
int cmd_wave(int argc, char **argv);

/* Tells the user a message (base/message.h) in one line on stderr: "uskor sort: message". */
void tell(const char *who, const char *message);

/* Prints "uskor: message" on stderr and returns the exit code that fits the status. */
int report_error(enum status status, const struct error *error);
int exit_code_for(enum status status);

/* At the end of what was printed on standard output: `code`, or another, after a message, where it did not arrive. */
int said_all(int code);

#endif
