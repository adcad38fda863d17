/* A disk that can be told to fail: preloaded, it counts what a process writes and syncs below one folder.
 *
 * At the k-th such call it kills the process, before the call or in the middle of it, or fails that call and those
 * that follow with an error. Every call can be written to a log, from which the disk at any moment is made again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { NONE, KILL, TEAR, FAIL };
enum { WRITES = 1, SYNCS = 2, REMOVALS = 4 };

static char folder[512];
static int action, wanted, error, log_fd = -1;
static long count, at, many;

void disk_arm(const char *below, int what, int which, long from, long calls, int code, int log)
{
    strncpy(folder, below, sizeof folder - 1);
    action = what;
    wanted = which;
    at = from;
    many = calls;
    error = code;
    log_fd = log;
    count = 0;
}

long disk_count(void) { return count; }

/* The path of a file below the folder; empty for any other. */
static int is_watched(int fd, char *path)
{
    char link[64];
    ssize_t length;
    if (!folder[0])
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, 511);
    path[length > 0 ? length : 0] = 0;
    if (strncmp(path, folder, strlen(folder)) != 0)
        path[0] = 0;
    return path[0] != 0;
}

/* 1 where the call is to fail. */
static int strikes(int fd, int kind, char *path)
{
    if (!is_watched(fd, path) || !(kind & wanted))
        return 0;
    count++;
    if (action == KILL && count == at)
        kill(getpid(), SIGKILL);
    if (action == FAIL && count >= at && count < at + many) {
        errno = error;
        return 1;
    }
    return 0;
}

static void done(int kind, const char *path, const void *data, int64_t size, int64_t offset)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (!path[0] || strncmp(path, folder, strlen(folder)) != 0)
        return;
    if (log_fd >= 0) {
        int64_t head[4] = {kind, (int64_t)strlen(path), data ? size : -1, offset};
        if (!real)
            real = dlsym(RTLD_NEXT, "write");
        if (real(log_fd, head, sizeof head) < 0 || real(log_fd, path, strlen(path)) < 0 ||
            (data && real(log_fd, data, size) < 0))
            _exit(99);
    }
}

#define REAL(name, type, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) \
        real = dlsym(RTLD_NEXT, name)

#define PWRITE(name, offset_type) \
    ssize_t name(int fd, const void *data, size_t size, offset_type offset) \
    { \
        char path[512] = ""; \
        REAL(#name, ssize_t, int, const void *, size_t, offset_type); \
        if (strikes(fd, WRITES, path)) \
            return -1; \
        if (path[0] && action == TEAR && count == at && real(fd, data, size / 2, offset) >= 0) \
            kill(getpid(), SIGKILL); \
        ssize_t result = real(fd, data, size, offset); \
        if (result > 0) \
            done(WRITES, path, data, result, offset); \
        return result; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset_type) \
    int name(int fd, offset_type size) \
    { \
        char path[512] = ""; \
        REAL(#name, int, int, offset_type); \
        if (strikes(fd, WRITES, path)) \
            return -1; \
        int result = real(fd, size); \
        done(WRITES, path, NULL, 0, size); \
        return result; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int fd) \
    { \
        char path[512] = ""; \
        REAL(#name, int, int); \
        if (strikes(fd, SYNCS, path)) \
            return -1; \
        int result = real(fd); \
        done(SYNCS, path, NULL, 0, 0); \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path)
{
    REAL("unlink", int, const char *);
    int result = real(path);
    if (result == 0 && folder[0])
        done(REMOVALS, path, NULL, 0, 0);
    return result;
}

ssize_t write(int fd, const void *data, size_t size)
{
    char path[512] = "";
    REAL("write", ssize_t, int, const void *, size_t);
    if (strikes(fd, WRITES, path))
        return -1;
    off64_t offset = path[0] ? lseek64(fd, 0, SEEK_CUR) : 0;
    ssize_t result = real(fd, data, size);
    if (result > 0)
        done(WRITES, path, data, result, offset);
    return result;
}
