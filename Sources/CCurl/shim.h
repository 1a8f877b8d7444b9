// libcurl, for fetching. Its setopt and getinfo calls are variadic in C, so each kind of argument has a wrapper here.
#ifndef STUFFBUCKET_CCURL_SHIM_H
#define STUFFBUCKET_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
    return curl_easy_getinfo(handle, info, value);
}

// Whether libcurl was built with a public suffix list. CURLVERSION_NOW is a macro that Swift does not import.
static inline int ccurl_knows_public_suffixes(void) {
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_PSL) != 0;
}

static inline CURLSHcode ccurl_share(CURLSH *share, curl_lock_data what) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, what);
}

// The wrappers declare the callbacks' types, so that a function with another signature does not compile. setopt's `...`
// is not checked at all.
static inline CURLcode ccurl_set_write_function(CURL *handle, curl_write_callback function) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
}

// The function for header lines has the same signature as that for the body.
static inline CURLcode ccurl_set_header_function(CURL *handle, curl_write_callback function) {
    return curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, function);
}

static inline CURLcode ccurl_set_socket_function(CURL *handle, curl_opensocket_callback function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The result in a message of kind CURLMSG_DONE, which is a member of a union.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// The macro is an expression with a cast, which Swift does not import.
static inline long ccurl_basic_authentication(void) { return CURLAUTH_BASIC; }

// SOCK_CLOEXEC is an enumerator in glibc with a macro of the same name, which Swift does not import.
static inline int ccurl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#endif
