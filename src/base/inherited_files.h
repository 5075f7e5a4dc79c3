/* Files that this process has open and a stranger's code must not have: those of who started the program, too. The
 * standard streams are not among them. */
#pragma once

/* Programs that this process starts do not have the files that are open now. */
void files_keep_from_programs(void);

/* Closes them, but one; for a process that was forked. */
void files_close_but(int kept);
