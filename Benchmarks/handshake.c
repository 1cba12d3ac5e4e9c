/* Full TLS handshakes in a plain epoll loop: what a scan cannot cost less than.
 *
 *   cc -O2 handshake.c -o handshake -lssl -lcrypto
 *   ./handshake PORT NAMES WARM_UP PASSES IN_FLIGHT [ROOT.pem]
 *
 * Visits h0.bench.test to hN.bench.test at 127.0.0.1 once a pass, with the hello and the context of the service's
 * `phone` profile, verification off, and keeps nothing of what it is shown. With ROOT it verifies the chain to it, the
 * host name within, and hashes each certificate and its key. The warm-up is not measured. Prints
 * {"scans", "failed", "cpu_us": process CPU time of one handshake, "wall_s"}. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/ct.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int fd;
    SSL *ssl;
} Connection;

static SSL_CTX *ctx;
static int epoll_fd, port, names, verifying;
static long started;

/* As HelloOffer.phone: change both together. */
static const char ciphers[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:"
    "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305:"
    "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA:"
    "AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA:AES256-SHA:@SECLEVEL=0";
static const char suites[] = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
static const char groups[] = "X25519:P-256:P-384:P-521";
static const char signatures[] =
    "ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:rsa_pkcs1_sha256:ecdsa_secp384r1_sha384:rsa_pss_rsae_sha384:"
    "rsa_pkcs1_sha384:rsa_pss_rsae_sha512:rsa_pkcs1_sha512:rsa_pkcs1_sha1:ecdsa_secp521r1_sha512:ed25519:ed448:"
    "rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512:ECDSA+SHA224:RSA+SHA224:ECDSA+SHA1:DSA+SHA256:"
    "DSA+SHA224:DSA+SHA1";
static const unsigned char protocols[] = "\x02h2\x08http/1.1";

static void must(int holds, const char *step) {
    if (holds) return;
    fprintf(stderr, "handshake: %s failed\n", step);
    ERR_print_errors_fp(stderr);
    exit(2);
}

static int accept_any(X509_STORE_CTX *store, void *unused) {
    (void)store;
    (void)unused;
    return 1;
}

/* As HandshakeContext, without the message callback. */
static void make_context(const char *root) {
    OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
    must(library && OSSL_PROVIDER_load(library, "default"), "OSSL_PROVIDER_load");
    ctx = SSL_CTX_new_ex(library, NULL, TLS_client_method());
    must(ctx != NULL, "SSL_CTX_new_ex");
    must(SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION), "SSL_CTX_set_min_proto_version");
    must(SSL_CTX_set_cipher_list(ctx, ciphers), "SSL_CTX_set_cipher_list");
    must(SSL_CTX_set_ciphersuites(ctx, suites), "SSL_CTX_set_ciphersuites");
    must(SSL_CTX_set1_groups_list(ctx, groups), "SSL_CTX_set1_groups_list");
    must(SSL_CTX_set1_sigalgs_list(ctx, signatures), "SSL_CTX_set1_sigalgs_list");
    must(SSL_CTX_set_alpn_protos(ctx, protocols, sizeof protocols - 1) == 0, "SSL_CTX_set_alpn_protos");
    must(SSL_CTX_enable_ct(ctx, SSL_CT_VALIDATION_PERMISSIVE), "SSL_CTX_enable_ct");
    SSL_CTX_set_security_level(ctx, 0);
    SSL_CTX_set_options(ctx, SSL_OP_LEGACY_SERVER_CONNECT);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(ctx, 1);
    if (root) {
        SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
        must(SSL_CTX_load_verify_locations(ctx, root, NULL), "SSL_CTX_load_verify_locations");
    } else {
        SSL_CTX_set_cert_verify_callback(ctx, accept_any, NULL);
    }
}

static void start(Connection *c) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char host[64];
    snprintf(host, sizeof host, "h%ld.bench.test", started++ % names);
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    must(c->fd >= 0, "socket");
    must(connect(c->fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS, "connect");
    c->ssl = SSL_new(ctx);
    must(c->ssl && SSL_set_fd(c->ssl, c->fd) && SSL_set_tlsext_host_name(c->ssl, host), "SSL_new");
    if (verifying) must(SSL_set1_host(c->ssl, host), "SSL_set1_host");
    SSL_set_connect_state(c->ssl);
    struct epoll_event e = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    must(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, c->fd, &e) == 0, "epoll_ctl");
}

/* What pins and fingerprints are made of. */
static void hash_chain(SSL *ssl) {
    STACK_OF(X509) *chain = SSL_get_peer_cert_chain(ssl);
    for (int i = 0; i < sk_X509_num(chain); i++) {
        X509 *x = sk_X509_value(chain, i);
        unsigned char digest[EVP_MAX_MD_SIZE], *key = NULL;
        unsigned length;
        int n = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x), &key);
        must(n > 0 && EVP_Digest(key, n, digest, &length, EVP_sha256(), NULL), "EVP_Digest");
        OPENSSL_free(key);
        must(X509_digest(x, EVP_sha256(), digest, &length), "X509_digest");
    }
}

/* Returns how many failed. */
static long visit(long total, Connection *connections, int in_flight) {
    long done = 0, failed = 0, begun = 0;
    for (int i = 0; i < in_flight && begun < total; i++, begun++) start(&connections[i]);
    while (done < total) {
        struct epoll_event ready[256];
        int n = epoll_wait(epoll_fd, ready, 256, 10000);
        must(n > 0, "waiting for the server");
        for (int i = 0; i < n; i++) {
            Connection *c = ready[i].data.ptr;
            ERR_clear_error();
            int result = SSL_do_handshake(c->ssl), error = result == 1 ? 0 : SSL_get_error(c->ssl, result);
            if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) continue;
            failed += result != 1;
            if (verifying && result == 1) hash_chain(c->ssl);
            SSL_free(c->ssl);
            close(c->fd);
            done++;
            if (begun < total) {
                start(c);
                begun++;
            }
        }
    }
    return failed;
}

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv) {
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: %s PORT NAMES WARM_UP PASSES IN_FLIGHT [ROOT.pem]\n", argv[0]);
        return 2;
    }
    port = atoi(argv[1]);
    names = atoi(argv[2]);
    long warm_up = atol(argv[3]) * names, total = atol(argv[4]) * names;
    int in_flight = atoi(argv[5]);
    must(names > 0 && total > 0 && in_flight > 0, "reading the arguments");
    verifying = argc == 7;
    make_context(verifying ? argv[6] : NULL);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    Connection *connections = calloc(in_flight, sizeof *connections);
    must(epoll_fd >= 0 && connections, "epoll_create1");
    long failed = visit(warm_up, connections, in_flight);
    double cpu_before = cpu(), wall_before = wall();
    failed += visit(total, connections, in_flight);
    double cpu_s = cpu() - cpu_before, wall_s = wall() - wall_before;
    printf("{\"scans\":%ld,\"failed\":%ld,\"cpu_us\":%.2f,\"wall_s\":%.4f}\n", total, failed, cpu_s / total * 1e6,
           wall_s);
    return failed > 0;
}
