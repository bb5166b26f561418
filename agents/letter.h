/* Letters: the bytes of a message from one agent to the owner of a partition. There are four kinds:
 *
 *   LETTER_PAGE   a page was crawled: its URL, key, depth, private bytes of the policy, the number of all its links, and the
 *                 URLs of the links that lead to pages of the partition
 *   LETTER_TARGET a page was redirected to a page of the partition: as LETTER_PAGE, with the target as its one link
 *   LETTER_SEED   a robots.txt names the page, of the partition, as a sitemap: its URL
 *   LETTER_MASS   what the policy has passed on to pages of the partition: their URLs, each with its mass
 *
 *	letter_write_page(&letter, LETTER_PAGE, partition, &page, url, n);          then, for each link:
 *	letter_write_link(&letter, &page, link, length, kind);
 *
 *	err = letter_open(&letter, bytes, n, why);
 *	while (!err && (err = letter_url(&letter, why)) > 0)           letter.url: first the page's, then the links'
 *		if (letter.kind == LETTER_MASS)
 *			err = letter_mass(&letter, &mass, why);
 *	letter_release(&letter);
 *
 * The bytes: a byte with the kind; varints of the partition and of the number of URLs, the page's included; of a page also its key
 * (8 bytes), a byte that says whether there are kinds, varints of its depth, of O(u) and of the number of private bytes, and these
 * bytes; then the URLs. A URL is two varints and bytes: how many bytes it has in common with the URL before it, how many follow,
 * and those; of a page, the kind of each link follows its URL if there are kinds; of a mass letter, 8 bytes with the mass do.
 * Numbers of 8 bytes are little-endian. */
#ifndef AGENTS_LETTER_H
#define AGENTS_LETTER_H

#include "base/buf.h"
#include "base/err.h"
#include "frontier/remote.h"

#define LETTER_URL_MAX     65535u
#define LETTER_PRIVATE_MAX 4096u
#define LETTER_MASS_MAX    1e100 /* so that a policy's sums of masses are finite */

enum letter_kind { LETTER_PAGE = 1, LETTER_MASS = 2, LETTER_TARGET = 3, LETTER_SEED = 4 };

/* Says whether letters of a kind are about a page that has ended: they have its key, depth and private bytes. */
int letter_is_of_page(enum letter_kind);

/* A letter that is written. */
struct letter_out {
	struct buf bytes; /* BUF_EMPTY at first */
	struct buf last;  /* private: the URL before */
};

/* Begins a LETTER_PAGE, or a LETTER_TARGET, about a page with page->n_links links, whose URLs follow with their kinds. */
void letter_write_page(struct letter_out *, enum letter_kind, unsigned partition, const struct frontier_remote *page,
	const char *url, size_t n);

/* Adds a link to a letter about a page. `kind` counts only if page->kinds is not NULL. */
void letter_write_link(struct letter_out *, const struct frontier_remote *page, const char *url, size_t n, uint8_t kind);

/* Begins a letter with the masses of `count` pages, which follow. */
void letter_write_masses(struct letter_out *, unsigned partition, size_t count);

/* Adds a page's mass to a letter with masses. */
void letter_write_mass(struct letter_out *, const char *url, size_t n, double mass);

/* Writes a letter about one sitemap. */
void letter_write_seed(struct letter_out *, unsigned partition, const char *url, size_t n);

/* Frees the memory. */
void letter_out_release(struct letter_out *);

/* A letter that is read. */
struct letter {
	enum letter_kind kind;
	unsigned partition;
	struct frontier_remote page; /* of LETTER_PAGE and LETTER_TARGET, without links; the private bytes are the letter's */
	int has_kinds;
	size_t left;             /* the URLs that follow */
	struct buf url;          /* the URL that letter_url() has read */
	const uint8_t *at, *end; /* private */
};

/* Begins to read a letter of n bytes, which must outlive it. Returns 0, or ERR_FORMAT if the bytes are no letter; the caller calls
 * letter_release() in each case. The key of a page is finite; the number of URLs is at most the number of bytes. */
int letter_open(struct letter *, const void *bytes, size_t n, struct err_note *why) MUST_USE;

/* Reads the next URL. Returns 1, 0 if there is none and the letter ends there, or ERR_FORMAT. */
int letter_url(struct letter *, struct err_note *why) MUST_USE;

/* Reads the kind of the link whose URL was read, if the letter has kinds. Returns 0 or ERR_FORMAT. */
int letter_kind_of_link(struct letter *, uint8_t *kind, struct err_note *why) MUST_USE;

/* Reads the mass of the page whose URL was read, which is above 0 and at most LETTER_MASS_MAX. Returns 0 or ERR_FORMAT. */
int letter_mass(struct letter *, double *mass, struct err_note *why) MUST_USE;

/* Frees the memory. */
void letter_release(struct letter *);

#endif
