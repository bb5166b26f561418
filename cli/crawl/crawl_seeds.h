/* The seeds of a live crawl: operands, then the lines of a file. "example.org" stands for
 * "http://example.org", as in a browser of old; servers that want https lead there by a redirect. */
#ifndef CLI_CRAWL_CRAWL_SEEDS_H
#define CLI_CRAWL_CRAWL_SEEDS_H

#include "cli/verb.h"
#include "crawler/live/live.h"

struct crawl_seeds {
	struct url *url; /* n of them, as live_seed_parse() has read them */
	size_t n, room;
	size_t named;    /* the first of them, which the user has named on the command line */
	int names_store; /* 1: the user has named no store, so that it bears the name of the first seed */
};

/* Adds a seed: a URL, or a host alone. Returns 0, or ERR_USAGE if the text is no http or https URL. */
int crawl_seeds_add(struct crawl_seeds *, const char *text, struct err_note *why) MUST_USE;

/* Reads a file of seeds ("-": stdin). Returns 0; ERR_USAGE for a seed that is no URL; or ERR_FILE. */
int crawl_seeds_file(struct crawl_seeds *, const char *file, struct err_note *why) MUST_USE;

/* Reads the operands and the file of --seeds. Returns 0; ERR_USAGE for a seed that is no URL; or ERR_FILE. The
 * caller calls crawl_seeds_release() in each case. */
int crawl_seeds_read(const struct command *, struct crawl_seeds *, struct err_note *why) MUST_USE;

/* Returns the name of the store that a crawl of these seeds uses if --store names none: the host of the first seed, "-"
 * and the port if the seed has one, and ".crawl". The first seed exists. The caller frees the text. */
char *crawl_seeds_store(const struct crawl_seeds *);

/* Checks that a crawl which leaves this machine says who runs it (--contact), before the first request, so that the message can
 * name the seed. (Independently, without a contact the guard allows connections to loopback addresses only.) A seed is on this
 * machine if its host has loopback addresses only, if its proxy has, or if a rule of --connect-to leads to such an address. Returns
 * 0; or ERR_USAGE if there is no contact and a seed is not on this machine, or if the contact is neither a URL nor a mail
 * address. */
int crawl_seeds_check(const struct live_config *, const struct url *seeds, size_t n, struct err_note *why) MUST_USE;

/* Frees the list. */
void crawl_seeds_release(struct crawl_seeds *);

#endif
