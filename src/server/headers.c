/* The headers that every answer carries: what a page of ours may do, and who may do what with it. */
#include "connection.h"

/* Everything a page needs comes from this server. WebAssembly is compiled, but nothing else is ever evaluated. */
#define CONTENT_POLICY                                                                                       \
	"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " \
	"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "  \
	"frame-ancestors 'none'"

/* A board game has no use for any of these. */
#define PERMISSIONS                                                                                        \
	"accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), " \
	"microphone=(), midi=(), payment=(), usb=()"

static const struct lws_protocol_vhost_options permissions = {NULL, NULL, "permissions-policy:", PERMISSIONS};
static const struct lws_protocol_vhost_options resource = {&permissions, NULL,
							   "cross-origin-resource-policy:", "same-origin"};
static const struct lws_protocol_vhost_options opener = {&resource, NULL, "cross-origin-opener-policy:", "same-origin"};
static const struct lws_protocol_vhost_options referrer = {&opener, NULL, "referrer-policy:", "same-origin"};
static const struct lws_protocol_vhost_options sniffing = {&referrer, NULL, "x-content-type-options:", "nosniff"};

const struct lws_protocol_vhost_options mrl__every_header = {&sniffing, NULL,
							     "content-security-policy:", CONTENT_POLICY};
