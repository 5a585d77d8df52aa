// What `import Glibc` leaves out: epoll, eventfd, accept4, getrandom and a few more system calls.
// No _GNU_SOURCE here: it would give types that Glibc's module has already a second, different definition.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>

// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC; the address may be null.
int CLinux_accept(int listener, struct sockaddr_storage *address);

// Gives memory that is free back to the system.
void CLinux_return_memory(void);

// An open file for reading and writing that has no name, or -1 with errno.
int CLinux_open_unnamed(const char *folder);

// The name that `top -H` and `perf` show for the calling thread: at most 15 bytes.
void CLinux_name_thread(const char *name);

// Keeps SIGTERM, SIGINT and (unless ignored, as by nohup) SIGHUP for the calls of CLinux_wait_for_signal, and ignores SIGPIPE. -1 with errno where that fails.
// A handler and a pipe, not a blocked mask: the main thread of an asynchronous Swift program unblocks every signal.
int CLinux_claim_signals(void);

// Blocks until one of them comes; its number. Only after CLinux_claim_signals.
int CLinux_wait_for_signal(void);
