#pragma once

#include <microhttpd.h>

/* MHD_start_daemon is variadic and its options end in a macro-like constant: neither can be used from Swift. */
static inline struct MHD_Daemon *CMicrohttpd_start_daemon(
    int listen_socket, unsigned int threads, unsigned int connection_limit, unsigned int inactivity_seconds,
    size_t connection_memory, void *context, MHD_AccessHandlerCallback handler,
    void *(*uri_callback)(void *, const char *, struct MHD_Connection *), MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection_changed) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket) listen_socket,
        MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, inactivity_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_URI_LOG_CALLBACK, uri_callback, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection_changed, context,
        MHD_OPTION_END);
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

/* MHD_RESPMEM_MUST_COPY is not imported. */
static inline struct MHD_Response *CMicrohttpd_create_copied_response(size_t count, const void *bytes) {
    return MHD_create_response_from_buffer(count, (void *) (uintptr_t) bytes, MHD_RESPMEM_MUST_COPY);
}

/* MHD_HEADER_KIND is a member of a flag enumeration, which Swift sees under no name. */
static inline int CMicrohttpd_each_header(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator, void *context) {
    return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}
