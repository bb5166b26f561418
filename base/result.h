/* What is known of one page at the end of an attempt at it: the one record that passes from the fetchers through the crawl loop to
 * the store, the log, the other agents, and all that show a crawl. The fetchers write it (struct fetch_page contains one), the
 * source of pages completes it with the ids of pages, the store keeps a part of it, and store_result() reads the same struct
 * back, as do the records of other agents. Whoever reads a field finds it under one name wherever the result comes from.
 *
 *	worker:  page.result.bytes = transfer_bytes(t);
 *	store:   store_put_result(store, id, &result, why);      keeps state, outcome, status, target, tries, bytes, the time of the
 *	                                                         end, score, about, digest, hashes and validators
 *	later:   store_result(store, id, &result);               fields that the store does not keep are 0
 *
 * A new field is a line here, a line where its value is known, and a line where it is shown or kept. doc/design.md has the table of
 * who sets, keeps and shows each field. */
#ifndef BASE_RESULT_H
#define BASE_RESULT_H

#include "base/outcome.h"

#include <stddef.h>
#include <stdint.h>

struct places_freed;

/* Where an answer stands in an archive. */
struct warc_location {
	const char *path;        /* of the file, valid until warc_close(); NULL: nowhere */
	uint64_t offset, length; /* of the record, in compressed bytes */
	int is_revisit;          /* 1: the record has no body, since it is that of an earlier record */
};

/* What a visit of a crawled page has shown. */
enum visit {
	VISIT_NONE,
	VISIT_SAME,    /* the page has the same content as at the last visit, or is still gone, or is still redirected */
	VISIT_CHANGED, /* the page was fetched with another content, or was fetched after it had been gone or redirected */
	VISIT_GONE,    /* the page, which was there or redirected at the last visit, is gone (404, 410) */
	VISIT_MOVED,   /* a redirect leads to another page, `target` */
	VISIT_FAILED,  /* nothing: the attempt has failed, or the page is disallowed now */
	VISIT_PUT_BACK /* nothing yet: the attempt is to be repeated, at `not_before` */
};

/* What the sitemap of a host says of a page. */
struct claim {
	uint32_t id, changed; /* the page has not changed since this time, s since 1970 */
};

/* The end of one attempt at a page. A comment that begins with a state or an outcome describes a field that is set only for it.
 * Times are in ms of one clock: clock_ms() in a result of the fetchers, the source's clock in one of a source, and the time since
 * 1970 in one of a store. Whoever moves a result to another clock adds the difference to all of them. Pointers are borrowed: their
 * memory belongs to whoever has handed out the result. */
struct result {
	uint32_t id;
	enum outcome outcome;
	enum page_state state; /* the page's state after the attempt */
	uint16_t status;       /* the HTTP status; 0: none */
	/* REDIRECTED: the target. REFUSED, OUTCOME_DEFERRED: the page that this one is taken for a duplicate of. Else, and where
	 * that is not known, UINT32_MAX */
	uint32_t target;
	uint32_t tries;         /* of a store: the requests so far */
	int64_t not_before;     /* QUEUED: the page must not be taken before this time */
	int64_t started, ended; /* of the request; equal if there was none */
	/* The difference between wall-clock time and the source's clock, which is not 0 after the machine has slept or a
	 * clock was set. A time that is written to a file is the source's time plus this. */
	int64_t ahead;
	int64_t host_delay; /* the Crawl-delay of the host in ms; -1: unknown */
	int64_t host_pause; /* the host must not be asked before this time; 0: no such time */
	uint32_t address;   /* of a source: the number of the host's address, from 1 (fetch/net_address.h); 0: unknown */
	/* the bytes of the body as transferred; if the request was for robots.txt, the first waiting page has its bytes */
	uint64_t bytes;
	uint64_t digest[2]; /* CRAWLED: XXH3-128 of the decompressed body, low half first; 0 0: none */
	/* CRAWLED, where fingerprints are asked for: the fingerprint of an HTML page with enough text (parser/fingerprint.h);
	 * 0: none */
	uint64_t fingerprint;
	/* CRAWLED, where SimHashes are asked for: the SimHash of a page whose URL has a shape (parser/shape.h), with its body read
	 * as HTML whatever its media type is; 0: the body has too few words */
	uint64_t simhash;
	uint16_t usage; /* CRAWLED: what the page, its headers and robots.txt ask of its users: a mask of parser/usage.h */
	struct validators validators;  /* CRAWLED: of the answer */
	struct warc_location archived; /* where the answer stands in the crawl's archive; path NULL: nowhere */
	int is_off_topic; /* CRAWLED: 1 if the links of the page were dropped, since its text is not of the crawl's topic */
	int is_rendered;  /* CRAWLED: 1 if a command has rendered the page (fetch/page_command.h): digest, links and words are
			   those of the rendered HTML */
	int is_shell;     /* CRAWLED: 1 if a browser would have to run the page's scripts to see anything (fetch/page_fill.h) */
	int is_scored;    /* CRAWLED: 1 if a score command has given the page a score */
	double score;     /* from 0 to NUM_SCORE_MOST (base/num.h) */
	/* what the page declares about itself, each shorter than its array in struct page_about: the media type of the answer; of a
	 * CRAWLED page of HTML the language by the document or else by Content-Language, and the title. NULL or "": none */
	const char *type, *language, *title;
	/* CRAWLED, and the visit of a page: the canonical URLs of the page's distinct requisites, each with its NUL, requisites_n
	 * bytes in all */
	const char *requisites;
	size_t requisites_n;
	/* of a source. CRAWLED: the n distinct targets of the page. OUTCOME_SITEMAPS: the sitemaps that robots.txt names, which
	 * become seeds */
	const uint32_t *links;
	const uint8_t *kinds; /* the kinds of the links with their flags (parser/html.h); NULL: all 0 */
	const char *anchors;  /* their anchor texts, each with its NUL; NULL: all are "" */
	size_t n;
	const struct claim *claims; /* CRAWLED, by a crawl that visits its pages again: n_claims, of a sitemap */
	size_t n_claims;
	/* VISIT_NONE for a page that had not been crawled. Else the attempt was to visit a crawled page again, whose state stays
	 * PAGE_CRAWLED whatever `state` says of the attempt; `links` are the pages that are new, and have no kinds. */
	enum visit visit;
	/* CRAWLED, REDIRECTED: pages that the traps have freed (traps/places.h): a deferred page loses its deferral, and one that
	 * was skipped is queued again. NULL: none */
	const struct places_freed *freed;
};

#endif
