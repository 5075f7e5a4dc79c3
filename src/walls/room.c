#include "walls/room.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLD "/.old" /* where the system's root is meanwhile */
#define LINKS_MOST 40

static bool make_folder(const char *path, mode_t mode)
{
    return mkdir(path, mode) == 0 || errno == EEXIST;
}

/* Of a file that only its owner may read. */
static bool copy(const char *from, const char *to)
{
    struct stat facts;
    const int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    bool is_copied =
        in >= 0 && out >= 0 && fstat(in, &facts) == 0 && (!(facts.st_mode & S_IXUSR) || fchmod(out, 0755) == 0);
    for (off_t at = 0; is_copied && at < facts.st_size;)
        is_copied = sendfile(out, in, &at, (size_t)(facts.st_size - at)) > 0;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return is_copied;
}

static uid_t owner;

static int give(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return lchown(path, owner, (gid_t)-1);
}

/* Mounts what is at `old` at `path`, where nothing is but folders on the way. */
static bool attach(const char *old, const char *path, enum path_right right)
{
    struct stat facts, there;
    struct mount_attr closed = {.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_RDONLY};
    if (stat(old, &facts) != 0)
        return true; /* a name of what is not here */
    const bool is_folder = S_ISDIR(facts.st_mode);
    if (right == PATH_WRITE && owner && nftw(old, give, 16, FTW_PHYS) != 0)
        return false;
    if (stat(path, &there) == 0 && there.st_ino == facts.st_ino && there.st_dev == facts.st_dev && right != PATH_WRITE)
        return true;
    if (S_ISREG(facts.st_mode) && owner && !(facts.st_mode & S_IROTH) && facts.st_uid != owner)
        return copy(old, path);
    if (is_folder ? !make_folder(path, 0755) : mknod(path, S_IFREG | 0644, 0) != 0 && errno != EEXIST)
        return false;
    if (mount(old, path, NULL, MS_BIND | MS_REC, NULL) != 0)
        return false;
    if (right == PATH_OPEN || right == PATH_WRITE)
        closed.attr_set = MOUNT_ATTR_NOSUID;
    return mount_setattr(AT_FDCWD, path, AT_RECURSIVE, &closed, sizeof closed) == 0;
}

/* Puts `rest`, below the folder `done` (no link is in it, "" is the root), into its place: links on the way are made as
 * they are, and lead to what they led to. */
static bool place(const char *done, const char *rest, enum path_right right, int links)
{
    char path[PATH_MAX], old[PATH_MAX + sizeof OLD], target[PATH_MAX], further[2 * PATH_MAX];
    struct stat facts;
    rest += strspn(rest, "/");
    const size_t length = strcspn(rest, "/");
    const char *behind = rest + length + strspn(rest + length, "/");
    if (!*rest || links > LINKS_MOST)
        return true;
    if (length <= 2 && strncmp(rest, "..", length) == 0) {
        const char *slash = strrchr(done, '/');
        snprintf(path, sizeof path, "%.*s", length == 1 || !slash ? (int)strlen(done) : (int)(slash - done), done);
        return place(path, behind, right, links);
    }
    if (snprintf(path, sizeof path, "%s/%.*s", done, (int)length, rest) >= (int)sizeof path)
        return false;
    snprintf(old, sizeof old, OLD "%s", path);
    if (lstat(old, &facts) != 0)
        return true;
    if (S_ISLNK(facts.st_mode)) {
        const ssize_t bytes = readlink(old, target, sizeof target - 1);
        target[bytes > 0 ? bytes : 0] = '\0';
        if (symlink(target, path) != 0 && errno != EEXIST)
            return errno == EROFS; /* it is in a folder that is there already */
        snprintf(further, sizeof further, "%s/%s", target, behind);
        return place(target[0] == '/' ? "" : done, further, right, links + 1);
    }
    if (!*behind)
        return attach(old, path, right);
    return (make_folder(path, 0755) || errno == EROFS) && place(path, behind, right, links);
}

static bool place_all(const struct path_list *paths, const char *here)
{
    char path[2 * PATH_MAX];
    for (size_t i = 0; i < paths->count; i++) {
        snprintf(path, sizeof path, "%s/%s", paths->items[i].path[0] == '/' ? "" : here, paths->items[i].path);
        if (strcmp(paths->items[i].path, "/proc") != 0 && !place("", path, paths->items[i].right, 0))
            return false;
    }
    return true;
}

static bool make_proc(const struct path_list *paths, bool has_processes)
{
    struct mount_attr closed = {.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_RDONLY};
    size_t i = 0;
    while (i < paths->count && strcmp(paths->items[i].path, "/proc") != 0)
        i++;
    if (i == paths->count)
        return true;
    if (paths->items[i].right == PATH_OPEN)
        closed.attr_set = MOUNT_ATTR_NOSUID;
    return make_folder("/proc", 0555) &&
           (has_processes ? mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)
                          : mount(OLD "/proc", "/proc", NULL, MS_BIND | MS_REC, NULL)) == 0 &&
           mount_setattr(AT_FDCWD, "/proc", AT_RECURSIVE, &closed, sizeof closed) == 0;
}

/* Relative names go on to mean what they meant. */
static void go_to(const char *here)
{
    char path[PATH_MAX];
    for (const char *at = here; (at = strchr(at + 1, '/'));) {
        snprintf(path, sizeof path, "%.*s", (int)(at - here), here);
        make_folder(path, 0755);
    }
    make_folder(here, 0755);
    if (chdir(here) != 0)
        errno = 0; /* it is no more than a convenience */
}

bool room_make(const struct path_list *paths, bool has_processes, uid_t reader)
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here) || here[0] != '/')
        snprintf(here, sizeof here, "/");
    owner = reader;
    umask(022);
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("room", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=" ROOM_BYTES ",nr_inodes=16k,mode=755") == 0 &&
           make_folder("/tmp" OLD, 0700) && syscall(SYS_pivot_root, "/tmp", "/tmp" OLD) == 0 && chdir("/") == 0 &&
           make_folder("/tmp", 01777) && chmod("/tmp", 01777) == 0 && make_folder("/dev", 0755) &&
           make_folder("/dev/shm", 01777) && chmod("/dev/shm", 01777) == 0 && make_proc(paths, has_processes) &&
           place_all(paths, here) && umount2(OLD, MNT_DETACH) == 0 && rmdir(OLD) == 0 && (go_to(here), true);
}
