/* The fake web: the pages of a graph, or stored pages, over HTTP on 127.0.0.1, each under its own
 * host and path, with faults when asked. It is also a proxy to itself: a client reaches its hosts
 * by taking 127.0.0.1:PORT for them (curl's --connect-to) or for its proxy.
 *
 * A request is for the page at its host, path and query. The host is that of an absolute-form
 * request line, else of the Host header; its port does not count unless several URLs differ in
 * nothing else. https URLs are served as well, over plain HTTP. Where a page stands that has no
 * URL, see site_find(): a graph without names is also served at http://127.0.0.1:PORT/LABEL.
 * Anything else is 404, and any method but GET and HEAD is 405. */
#ifndef SIMWEB_SERVE_H
#define SIMWEB_SERVE_H

#include "base/buf.h"
#include "base/err.h"
#include "graph/graph.h"
#include "graph/formats/names.h"
#include "simweb/fault.h"

#include <stdint.h>

struct simweb;

/* Either `g` or `pages_dir`; what is pointed to must outlive the server. */
struct simweb_settings {
	const struct graph *g;
	const struct names *names; /* of g's nodes; NULL: none */
	const char *pages_dir;     /* a folder with index.tsv, see simweb/stored.h */
	uint16_t port;             /* 0: any that is free */
	unsigned addresses; /* also on 127.0.0.2 and so on: so many in all, at most 254; 0 is 1 */
	const char *log;    /* a file of requests, see simweb/request_log.h; NULL: none */
	unsigned threads;   /* 0 counts as 1; more connections than threads is no matter */
	const char *default_host;     /* of nodes without a host; NULL: "node.test" */
	struct fault_settings faults; /* zeroed: none */
	/* The robots.txt of every host, NULL-terminated text; NULL: the page that stands there, or
	 * 404. Faults do not touch it. */
	const char *robots;
};

/* Starts to listen. ERR_USAGE (neither or both of graph and pages, names of another graph),
 * ERR_FILE (the index; the log; the port is taken), ERR_FORMAT (the index). */
int simweb_start(struct simweb **, const struct simweb_settings *, struct err_note *why) MUST_USE;

/* Ends all connections, waiting ones too, and joins the threads. Safe on NULL. */
void simweb_stop(struct simweb *);

uint16_t simweb_port(const struct simweb *);

/* Number of pages (nodes or rows of the index), and the URL of each, appended. */
uint32_t simweb_pages(const struct simweb *);
void simweb_url(const struct simweb *, uint32_t page, struct buf *out);

/* What has been asked for so far. */
struct simweb_counts {
	uint64_t requests;  /* in all */
	uint64_t pages;     /* answered with a page, be it slow, packed or cut off */
	uint64_t robots;    /* robots.txt from the settings, or none there */
	uint64_t not_found; /* no such page */
	uint64_t faults;    /* FAULT_404..FAULT_DROP instead of the page, or a page cut off */
};

/* Thread-safe. */
void simweb_counts(const struct simweb *, struct simweb_counts *);

#endif
