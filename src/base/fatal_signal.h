/* A crash names the rung or driver that was running (base/under_way.h), in one line on standard error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, on a stack of their own. They write down what
 * happened in under_way_now(), print the line when `speaks` and something is under way, and let the signal take its
 * course: to the handler that was there before (a sanitizer's), or to the process's end. When `speaks`, exit() called
 * while something is under way is named likewise and ends the process with `exit_code`. To be called once. */
void fatal_signal_install(bool speaks, int exit_code);

/* To be called in a process that this one has forked, and that goes on in its place. */
void fatal_signal_move(void);

/* What _exit() does in the program, where a driver or a vendor's library calls it: as exit() does, it is named while
 * something is under way. */
_Noreturn void fatal_signal_exit(int exit_code);

/* … and abort(), whatever handler of SIGABRT a driver has put in the place of the program's. */
_Noreturn void fatal_signal_abort(void);

/* Ends the process at once, whatever is under way. A signal handler may call it. */
_Noreturn void fatal_signal_leave(int exit_code);

/* Tells what lies at an address, for the line: writes "wrote past the end of array 'out'" and returns true, or false.
 * `context` is the handler's third argument. Called by the handlers, so it may do only what a signal handler may. NULL
 * (the start): nothing is known. */
void fatal_signal_describe(bool (*describe)(const void *address, const void *context, char *text, size_t size));

/* Prints the line that a crash would: `what`, and the rung or driver under way. A signal handler may call it; after
 * fatal_signal_install only. */
void fatal_signal_speak(const char *what);

/* "SIGSEGV"; "signal 77" where it has no name; returns `text`. */
const char *signal_name(int number, char *text, size_t size);
