#pragma once

/* What the handshake client needs and Swift cannot import: function-like macros. Each is named after the macro that it wraps. */
#include <openssl/ssl.h>

static inline int COpenSSL_SSL_CTX_set_min_proto_version(SSL_CTX *ctx, int version) {
    return SSL_CTX_set_min_proto_version(ctx, version);
}

static inline long COpenSSL_SSL_CTX_set_max_cert_list(SSL_CTX *ctx, long bytes) {
    return SSL_CTX_set_max_cert_list(ctx, bytes);
}

static inline int COpenSSL_SSL_CTX_set1_groups_list(SSL_CTX *ctx, const char *list) {
    return SSL_CTX_set1_groups_list(ctx, list);
}

static inline int COpenSSL_SSL_CTX_set1_sigalgs_list(SSL_CTX *ctx, const char *list) {
    return SSL_CTX_set1_sigalgs_list(ctx, list);
}

static inline long COpenSSL_SSL_CTX_set_session_cache_mode(SSL_CTX *ctx, long mode) {
    return SSL_CTX_set_session_cache_mode(ctx, mode);
}

static inline void COpenSSL_SSL_CTX_set_read_ahead(SSL_CTX *ctx, int yes) { SSL_CTX_set_read_ahead(ctx, yes); }

static inline uint64_t COpenSSL_SSL_OP_LEGACY_SERVER_CONNECT(void) { return SSL_OP_LEGACY_SERVER_CONNECT; }

static inline long COpenSSL_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

static inline long COpenSSL_SSL_set_msg_callback_arg(SSL *ssl, void *argument) {
    return SSL_set_msg_callback_arg(ssl, argument);
}
