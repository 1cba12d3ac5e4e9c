#pragma once

/* Typed stacks are macros, which Swift does not see. */

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

static inline STACK_OF(X509) *pinwatch_x509_stack_new(void) { return sk_X509_new_null(); }

/* 1, or 0 without memory. The stack does not own its members. */
static inline int pinwatch_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate) > 0;
}

/* -1 for a null stack. */
static inline int pinwatch_x509_stack_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }

static inline X509 *pinwatch_x509_stack_at(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

/* Frees the stack alone. */
static inline void pinwatch_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

/* The certificates of signed data, lent as long as the bag lives; null for other bags. */
#include <openssl/pkcs7.h>
static inline const STACK_OF(X509) *pinwatch_pkcs7_certificates(const PKCS7 *bag) {
    return PKCS7_type_is_signed(bag) && bag->d.sign != NULL ? bag->d.sign->cert : NULL;
}

/* Verifies with one list of revoked certificates, which the caller keeps: as X509_verify_cert(3), and -1 without memory. */
static inline int pinwatch_x509_verify_with_list(X509_STORE_CTX *context, X509_CRL *list) {
    STACK_OF(X509_CRL) *lists = sk_X509_CRL_new_null();
    int result = -1;
    if (lists != NULL && sk_X509_CRL_push(lists, list)) {
        X509_STORE_CTX_set0_crls(context, lists);
        result = X509_verify_cert(context);
        X509_STORE_CTX_set0_crls(context, NULL);
    }
    sk_X509_CRL_free(lists);
    return result;
}
