#pragma once

#include <microhttpd.h>
#include <stdio.h>

/* Where the library's first complaint of a start goes; it is made on the thread that starts the daemon. What it says later,
   on its own threads, is about peers, and is dropped. */
struct CMicrohttpd_complaint { char *text; size_t size; };

static inline struct CMicrohttpd_complaint *CMicrohttpd_complaint_here(void) {
    static _Thread_local struct CMicrohttpd_complaint here;
    return &here;
}

static inline void CMicrohttpd_complain(void *context, const char *format, va_list arguments) {
    (void) context;
    struct CMicrohttpd_complaint *here = CMicrohttpd_complaint_here();
    if (here->text == NULL || here->text[0] != 0) return;
    vsnprintf(here->text, here->size, format, arguments);
}

struct CMicrohttpd_settings {
    int listen_socket;
    unsigned int threads;
    unsigned int connections;
    unsigned int inactivity_seconds;
    size_t connection_memory;
    /* PEM, or NULL for plain HTTP; read during the start only. */
    const char *certificate;
    const char *key;
    /* GnuTLS' priority string. */
    const char *priorities;
};

/* MHD_start_daemon is variadic and its options end in a macro-like constant: neither can be used from Swift.
   `complaint` says why there is no daemon, where the library says so. */
static inline struct MHD_Daemon *CMicrohttpd_start_daemon(
    const struct CMicrohttpd_settings *settings, void *context, MHD_AccessHandlerCallback handler,
    void *(*uri_callback)(void *, const char *, struct MHD_Connection *), MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection_changed, char *complaint, size_t complaint_size) {
    struct MHD_OptionItem tls[4] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    if (settings->certificate != NULL) {
        flags |= MHD_USE_TLS;
        tls[0] = (struct MHD_OptionItem) {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *) (uintptr_t) settings->certificate};
        tls[1] = (struct MHD_OptionItem) {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *) (uintptr_t) settings->key};
        tls[2] = (struct MHD_OptionItem) {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *) (uintptr_t) settings->priorities};
        tls[3] = (struct MHD_OptionItem) {MHD_OPTION_END, 0, NULL};
    }
    complaint[0] = 0;
    *CMicrohttpd_complaint_here() = (struct CMicrohttpd_complaint) {complaint, complaint_size};
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context,
        MHD_OPTION_EXTERNAL_LOGGER, CMicrohttpd_complain, NULL,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket) settings->listen_socket,
        MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->inactivity_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_URI_LOG_CALLBACK, uri_callback, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection_changed, context,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_END);
    *CMicrohttpd_complaint_here() = (struct CMicrohttpd_complaint) {NULL, 0};
    return daemon;
}

/* MHD_get_connection_info is variadic. */
static inline int CMicrohttpd_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

static inline size_t CMicrohttpd_request_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/* A struct sockaddr of the peer's, or NULL. */
static inline const void *CMicrohttpd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/* MHD_RESPMEM_MUST_COPY is not imported. */
static inline struct MHD_Response *CMicrohttpd_create_copied_response(size_t count, const void *bytes) {
    return MHD_create_response_from_buffer(count, (void *) (uintptr_t) bytes, MHD_RESPMEM_MUST_COPY);
}

/* MHD_SIZE_UNKNOWN and the readers' results are macros with casts. */
static inline struct MHD_Response *CMicrohttpd_create_streamed_response(
    size_t block, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block, reader, context, release);
}

static inline ssize_t CMicrohttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

/* MHD_HEADER_KIND is a member of a flag enumeration, which Swift sees under no name. */
static inline int CMicrohttpd_each_header(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator, void *context) {
    return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}
