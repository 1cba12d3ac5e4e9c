#pragma once

/* Linux system calls that Swift's Glibc module does not hold. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What strerror(3) says of an errno value, by its form that is safe on several threads. The text belongs to the calling
   thread and holds until its next call. */
static inline const char *pinwatch_error_text(int number) {
    static _Thread_local char text[128];
    if (strerror_r(number, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", number);
    return text;
}

/* memmem(3), which the C library declares for GNU programs alone. */
void *memmem(const void *bytes, size_t count, const void *word, size_t length);

/* Whether a word's bytes stand anywhere in some bytes. */
static inline bool pinwatch_holds(const void *bytes, size_t count, const void *word, size_t length) {
    return memmem(bytes, count, word, length) != NULL;
}

/* Written to by the handler below; -1 until there is a pipe. */
static volatile sig_atomic_t pinwatch_signal_pipe = -1;

static void pinwatch_signal_arrived(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe holds signals enough already. */
    ssize_t ignored = write(pinwatch_signal_pipe, &byte, 1);
    (void)ignored;
    errno = saved;
}

/* Takes SIGINT, SIGTERM and SIGHUP for the whole process and returns the pipe from which their numbers, a byte each,
   can be read; -1 with errno if that cannot be. To be called once: sigaction(2). */
static inline int pinwatch_signals_to_pipe(void) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    if (fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) return -1;
    pinwatch_signal_pipe = ends[1];
    struct sigaction action = {0};
    action.sa_handler = pinwatch_signal_arrived;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0 || sigaction(SIGTERM, &action, NULL) != 0
        || sigaction(SIGHUP, &action, NULL) != 0) return -1;
    return ends[0];
}
