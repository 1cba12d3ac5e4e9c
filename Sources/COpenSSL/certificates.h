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
