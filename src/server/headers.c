/* The headers that answers carry: what a page of ours may do, and who may do what with it. */
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

static const struct lws_protocol_vhost_options resource = {NULL, NULL, "cross-origin-resource-policy:", "same-origin"};
static const struct lws_protocol_vhost_options referrer = {&resource, NULL, "referrer-policy:", "same-origin"};

const struct lws_protocol_vhost_options mrl__every_header = {&referrer, NULL, "x-content-type-options:", "nosniff"};

static const struct lws_protocol_vhost_options permissions = {NULL, NULL, "permissions-policy:", PERMISSIONS};
static const struct lws_protocol_vhost_options opener = {&permissions, NULL,
							 "cross-origin-opener-policy:", "same-origin"};

const struct lws_protocol_vhost_options mrl__document_header = {&opener, NULL,
								"content-security-policy:", CONTENT_POLICY};
