#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int CLinux_accept(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return accept4(listener, (struct sockaddr *)address, address ? &length : NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int CLinux_open_unnamed(const char *folder) {
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return file;
    // Some file systems (overlayfs of old, NFS) have no O_TMPFILE: a name for a moment.
    char path[4096];
    if (snprintf(path, sizeof path, "%s/docket-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    return file;
}

void CLinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
