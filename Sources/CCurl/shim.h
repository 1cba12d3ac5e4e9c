#pragma once

#include <curl/curl.h>

/* curl_easy_setopt, curl_easy_getinfo: variadic functions that cannot be called from Swift. One shim per kind of value,
   so that the compiler checks what each option is given. */

static inline CURLcode CCurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_set_buffer(CURL *easy, CURLoption option, char *value) {
    return curl_easy_setopt(easy, option, value);
}

/* The body is copied; the length is set first, so that it may hold zero bytes. */
static inline CURLcode CCurl_set_body(CURL *easy, const void *bytes, size_t length) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

static inline CURLcode CCurl_set_write(CURL *easy, curl_write_callback callback, void *data) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, data);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback) : code;
}

static inline CURLcode CCurl_set_header(CURL *easy, curl_write_callback callback, void *data) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, data);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback) : code;
}

static inline CURLcode CCurl_set_opensocket(CURL *easy, curl_opensocket_callback callback, void *data) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, data);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback) : code;
}

static inline CURLcode CCurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode CCurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

/* The text belongs to the handle. */
static inline CURLcode CCurl_get_text(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}
