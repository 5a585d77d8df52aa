#define _GNU_SOURCE
#include <malloc.h>
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int signals[2];

static void note_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe means that many came before and nobody has looked: one more says nothing new.
    ssize_t written = write(signals[1], &byte, 1);
    (void)written;
    errno = saved;
}

int CLinux_claim_signals(void) {
    if (pipe2(signals, O_CLOEXEC) != 0) return -1;
    fcntl(signals[1], F_SETFL, O_NONBLOCK);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    action.sa_handler = note_signal;
    if (sigaction(SIGTERM, &action, NULL) != 0 || sigaction(SIGINT, &action, NULL) != 0) return -1;
    // A terminal that is closed ends the program as well as Ctrl-C does, unless it was told not to care (nohup).
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    return sigaction(SIGPIPE, &action, NULL);
}

int CLinux_wait_for_signal(void) {
    unsigned char byte = 0;
    while (read(signals[0], &byte, 1) != 1) {}
    return byte;
}

// A piece of 4 MiB or more is the system's own again when it is freed. Left to itself the allocator learns from the first password hash
// (19 MiB) to keep such pieces in its heaps, at the end of which malloc_trim does not look.
__attribute__((constructor)) static void give_back_large_pieces(void) {
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

void CLinux_return_memory(void) {
    malloc_trim(0);
}
