/* A child process that cannot look into those that started it, and changes no files. */
#ifndef USKOR_BASE_CHILD_DOMAIN_H
#define USKOR_BASE_CHILD_DOMAIN_H

/* From now on this process, and all that it starts, cannot open the memory and the open files of processes outside, not
 * even as root: neither by /proc nor by system calls. It makes, writes and removes no file, but /dev/null and those of
 * /dev/shm; connects to no other machine; and sends no signal outside. Each holds as far as the system's Landlock knows
 * it. Files that are open stay so. Where the system has no Landlock the call does nothing. */
void child_domain_enter(void);

#endif
