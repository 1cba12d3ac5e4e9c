#pragma once

/* Calls that are macros or variadic in OpenSSL 3.0, for the demonstration's own hosts. */
#include <openssl/evp.h>
#include <openssl/ssl.h>

static inline EVP_PKEY *EVP_PKEY_Q_keygen_p256(void) { return EVP_EC_gen("prime256v1"); }

static inline void X509V3_set_ctx_plain(X509V3_CTX *context, X509 *issuer, X509 *subject) {
    X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
    X509V3_set_ctx_nodb(context);
}
