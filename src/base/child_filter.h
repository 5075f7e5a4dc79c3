/* What a child process may not do to those that started it. */
#ifndef USKOR_BASE_CHILD_FILTER_H
#define USKOR_BASE_CHILD_FILTER_H

/* From now on this process, and all that it starts, ends with SIGSYS when it sends a signal to its parent, its parent's
 * parents or to everybody, traces, limits or slows them, reads or writes their memory, sets a clock, or makes a process
 * that is its parent's child. Without seccomp the call does nothing. */
void child_filter_install(void);

/* … and when it mounts a file system or changes its root, installs a filter of its own, or starts a process or program:
 * code that is loaded into this process could start it anew with a library of its own before all others. Drivers and
 * compilers of OpenCL may start programs, so this is for C files. */
void child_filter_forbid_programs(void);

#endif
