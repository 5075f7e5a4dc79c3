// forbids its process to open any file (Landlock)
// refused as SIGSYS
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    static int calls;
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    if (calls++ == 0) {
        struct landlock_ruleset_attr rules = {.handled_access_fs =
                                                  LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE};
        int file = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        syscall(SYS_landlock_restrict_self, file, 0);
        close(file);
    }
}
