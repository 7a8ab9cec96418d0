#include "frontend/base/output.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK        ".hwcheck-lock"
#define PROBE_BYTES 4096 /* a disk that is full has no room for a block */

static bool fail(const char *name, struct err *err)
{
    return err_set(err, ERR_SYSTEM, "cannot write '%s': %s", name,
                   strerror(errno));
}

/* Is it what one of our own streams goes to? */
static bool is_stream(const struct stat *st)
{
    for (int fd = 1; fd <= 2; fd++) {
        struct stat own;
        if (fstat(fd, &own) == 0 && own.st_dev == st->st_dev &&
            own.st_ino == st->st_ino)
            return true;
    }
    return false;
}

/* Must it be written in place? Links are followed: *path is what is meant. */
static bool is_in_place(const char *name, char path[PATH_MAX], struct stat *st)
{
    char real[PATH_MAX];
    bool exists = stat(name, st) == 0;
    snprintf(path, PATH_MAX, "%s", name);
    if (!exists) {
        st->st_mode = 0;
        return false;
    }
    if (!S_ISREG(st->st_mode) || is_stream(st) ||
        strncmp(name, "/proc/", 6) == 0 || strncmp(name, "/dev/fd/", 8) == 0)
        return true;
    if (realpath(name, real))
        snprintf(path, PATH_MAX, "%s", real);
    return false;
}

/* A new file beside o->path; -1: errno says why not. */
static int open_beside(struct output *o, const struct stat *st)
{
    static const char ending[] = ".XXXXXX";
    if (strlen(o->path) + sizeof ending > sizeof o->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    snprintf(o->temporary, sizeof o->temporary, "%s%s", o->path, ending);
    int fd = mkstemp(o->temporary);
    if (fd < 0) {
        o->temporary[0] = '\0';
        return -1;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, st->st_mode ? st->st_mode & 07777 : 0666 & ~mask);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

bool output_open(struct output *o, const char *name, struct err *err)
{
    struct stat st;
    *o = (struct output){.name = name};
    if (strlen(name) >= sizeof o->path) {
        errno = ENAMETOOLONG;
        return fail(name, err);
    }
    bool in_place = is_in_place(name, o->path, &st);
    /* One may be allowed to write a file, but not its folder; not the other
     * way round, though a rename would do it. */
    if (!in_place && st.st_mode && access(o->path, W_OK) != 0)
        return fail(name, err);
    int fd = in_place ? -1 : open_beside(o, &st);
    if (fd < 0 && (in_place || (st.st_mode && errno == EACCES)))
        fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    o->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (o->file)
        return true;
    fail(name, err);
    if (fd >= 0)
        close(fd);
    if (o->temporary[0])
        unlink(o->temporary);
    return false;
}

bool output_close(struct output *o, struct err *err)
{
    bool bad = ferror(o->file);
    int error = errno;
    if (fclose(o->file) != 0 && !bad) {
        bad = true;
        error = errno;
    }
    if (!bad && o->temporary[0] && rename(o->temporary, o->path) != 0) {
        bad = true;
        error = errno;
    }
    if (!bad)
        return true;
    if (o->temporary[0])
        unlink(o->temporary);
    errno = error;
    return fail(o->name, err);
}

void output_drop(struct output *o)
{
    fclose(o->file);
    if (o->temporary[0])
        unlink(o->temporary);
}

/* ---- before the work */

static bool may_write(const char *name, struct err *err)
{
    static const char block[PROBE_BYTES];
    struct output o;
    struct stat st;
    char path[PATH_MAX];
    if (!name || strcmp(name, "-") == 0)
        return true;
    if (stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return fail(name, err);
    }
    /* Opening a pipe would wait for its reader, or end it. */
    if (strlen(name) < sizeof path && is_in_place(name, path, &st))
        return access(name, W_OK) == 0 || fail(name, err);
    if (st.st_mode && access(name, W_OK) == 0) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s", path);
        char *slash = strrchr(folder, '/');
        if (slash)
            slash[slash == folder] = '\0';
        if (access(slash ? folder : ".", W_OK) != 0)
            return true; /* in place, then */
    }
    if (!output_open(&o, name, err))
        return false;
    assert(o.file);
    bool good = fwrite(block, 1, sizeof block, o.file) == sizeof block &&
                fflush(o.file) == 0;
    int error = errno;
    output_drop(&o);
    errno = error;
    return good || fail(name, err);
}

static bool may_fill(const char *dir, struct err *err)
{
    if (!dir)
        return true;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_set(err, ERR_SYSTEM, "cannot make the folder '%s': %s", dir,
                       strerror(errno));
    return access(dir, W_OK | X_OK) == 0 ||
           err_set(err, ERR_SYSTEM, "cannot write into the folder '%s': %s",
                   dir, strerror(errno));
}

bool output_may(const struct options *o, struct err *err)
{
    return may_write(o->json, err) && may_write(o->dot, err) &&
           may_write(o->html, err) && may_fill(o->dot_all, err);
}

/* ---- a folder for one */

static bool is_empty(const char *dir, bool locked)
{
    DIR *d = opendir(dir);
    bool empty = true;
    for (struct dirent *e; d && (e = readdir(d));)
        empty &= strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
                 (locked && strcmp(e->d_name, LOCK) == 0);
    if (d)
        closedir(d);
    return empty;
}

static bool refuse(const char *dir, struct err *err)
{
    return err_set(err, ERR_USAGE,
                   "--bundle: the folder '%s' is not empty; nothing in it is "
                   "written over, give another",
                   dir);
}

bool output_lock(const char *dir, struct err *err)
{
    char path[PATH_MAX];
    struct stat st;
    if (snprintf(path, sizeof path, "%s/" LOCK, dir) >= (int)sizeof path)
        return err_set(err, ERR_USAGE, "the name '%s' is too long", dir);
    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
        return err_set(err, ERR_USAGE, "--bundle: '%s' is not a folder", dir);
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_set(err, ERR_SYSTEM, "cannot make the folder '%s': %s", dir,
                       strerror(errno));
    if (!is_empty(dir, true))
        return refuse(dir, err);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST)
        return err_set(err, ERR_USAGE,
                       "--bundle: another hwcheck writes into the folder '%s', "
                       "or was killed and left '" LOCK "' there; give another",
                       dir);
    if (fd < 0)
        return err_set(err, ERR_SYSTEM, "cannot write into the folder '%s': %s",
                       dir, strerror(errno));
    close(fd);
    if (is_empty(dir, true))
        return true;
    unlink(path); /* another one came and went meanwhile */
    return refuse(dir, err);
}

void output_unlock(const char *dir)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/" LOCK, dir) < (int)sizeof path)
        unlink(path);
    rmdir(dir); /* fails if there is something in it */
}
