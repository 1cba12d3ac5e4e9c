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

static inline long COpenSSL_SSL_set_max_cert_list(SSL *ssl, long bytes) { return SSL_set_max_cert_list(ssl, bytes); }

static inline long COpenSSL_SSL_CTX_set_session_cache_mode(SSL_CTX *ctx, long mode) {
    return SSL_CTX_set_session_cache_mode(ctx, mode);
}

static inline void COpenSSL_SSL_CTX_set_read_ahead(SSL_CTX *ctx, int yes) { SSL_CTX_set_read_ahead(ctx, yes); }

static inline uint64_t COpenSSL_SSL_OP_LEGACY_SERVER_CONNECT(void) { return SSL_OP_LEGACY_SERVER_CONNECT; }

static inline long COpenSSL_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

/* 1 with a key that the caller frees; 0 where the server sent none. */
static inline long COpenSSL_SSL_get_peer_tmp_key(SSL *ssl, EVP_PKEY **key) { return SSL_get_peer_tmp_key(ssl, key); }

/* The chain sent after the leaf; its members are counted once more. */
static inline long COpenSSL_SSL_set1_chain(SSL *ssl, STACK_OF(X509) *chain) { return SSL_set1_chain(ssl, chain); }

static inline long COpenSSL_SSL_set1_client_sigalgs_list(SSL *ssl, const char *list) {
    return SSL_set1_client_sigalgs_list(ssl, list);
}

/* Sends the chain as it was set, never one that OpenSSL makes up. */
static inline long COpenSSL_SSL_set_no_auto_chain(SSL *ssl) { return SSL_set_mode(ssl, SSL_MODE_NO_AUTO_CHAIN); }

static inline long COpenSSL_SSL_set_msg_callback_arg(SSL *ssl, void *argument) {
    return SSL_set_msg_callback_arg(ssl, argument);
}

/* The extension signature_algorithms_cert (RFC 8446 section 4.2.3), which OpenSSL 3.0 cannot send by itself: every algorithm
   that the widest hello offers. A hello that narrows its signature_algorithms narrows the leaf's key by that, and must not
   narrow what its issuers signed with. The numbers are of IANA's registry TLS SignatureScheme. */
static const unsigned char COpenSSL_certificate_signatures[] = {
    0, 42,
    0x04, 0x03, 0x05, 0x03, 0x06, 0x03, 0x08, 0x07, 0x08, 0x08, 0x08, 0x04, 0x08, 0x05, 0x08, 0x06,
    0x08, 0x09, 0x08, 0x0a, 0x08, 0x0b, 0x04, 0x01, 0x05, 0x01, 0x06, 0x01, 0x03, 0x01, 0x02, 0x01,
    0x03, 0x03, 0x02, 0x03, 0x04, 0x02, 0x03, 0x02, 0x02, 0x02,
};

static inline int COpenSSL_add_certificate_signatures(
    SSL *ssl, unsigned int type, unsigned int context, const unsigned char **out, size_t *length, X509 *x509,
    size_t index, int *alert, void *argument) {
    *out = COpenSSL_certificate_signatures;
    *length = sizeof COpenSSL_certificate_signatures;
    return 1;
}

/* 1 where every hello of the context will have the extension. */
static inline int COpenSSL_SSL_CTX_send_certificate_signatures(SSL_CTX *ctx) {
    return SSL_CTX_add_custom_ext(
        ctx, 50, SSL_EXT_CLIENT_HELLO, COpenSSL_add_certificate_signatures, NULL, NULL, NULL, NULL);
}
