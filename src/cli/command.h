/* The subcommands: main.c is a table of them, cmd_<name>.c is each. */
#pragma once

#include "cli/options/outcome.h"

struct command {
    const char *name, *summary;
    int (*main)(int argc, char **argv); /* argv[0] is the command's name */
};

int cmd_devices(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_bandwidth(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_dot(int argc, char **argv);
int cmd_matmul(int argc, char **argv);
int cmd_overlap(int argc, char **argv);
int cmd_try(int argc, char **argv);
int cmd_exercise(int argc, char **argv);
int cmd_grade(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_ceilings(int argc, char **argv);
int cmd_roofline(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_effect(int argc, char **argv);
int cmd_architectures(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_tuned(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_transpose(int argc, char **argv);
int cmd_sort(int argc, char **argv);
int cmd_resize(int argc, char **argv);
int cmd_wave(int argc, char **argv);
