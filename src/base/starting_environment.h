/* The environment that the program was started with.
 *
 * Libraries change a process's environment: Khronos's OpenCL loader cuts OCL_ICD_FILENAMES off behind its first entry,
 * in the string itself, and a child that inherits it finds one driver of several. */
#pragma once

/* Copies the environment, once; to be called before a library is opened. Without memory there is no copy. */
void starting_environment_keep(void);

/* The copy, NULL-terminated; the current environment where no copy was made. The process owns it. */
char **starting_environment(void);
