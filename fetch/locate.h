/* Where a request goes: through the user's proxy, to where a rule of --connect-to leads, or to an address of the
 * URL's host, and whether it may go there.
 *
 *     switch (locate(names, options, &url, &granted, &spot)) {
 *     case LOCATE_HERE:      ... ask at spot.at, spot.port
 *     case LOCATE_WAITS:     ... until spot.name has been resolved
 *     case LOCATE_ELSEWHERE: ... no request before spot.at is granted
 *     case LOCATE_NOWHERE:   ... spot.error
 *     }
 *
 * The states of the first page of a new host, in a crawl that grants addresses (the settings' by_address). An arrow
 * to the left hands the page back to the crawl's loop; it comes again when the frontier takes it.
 *
 *     the crawl's loop                      the fetcher thread
 *     taken, no address known    ------->   locate(): the name is looked up; the page waits
 *     put back, the host's address <-----   locate(): ELSEWHERE
 *     taken, with the address    ------->   its robots.txt is asked for there
 *     put back, to wait          <-------   the rules are known
 *     taken, with the address    ------->   the page is asked for
 *     crawled, failed ...        <-------
 *
 * Where the address cannot be connected to it is dead for a while, and the page is handed back with the next
 * one, as ELSEWHERE, until none is left. */
#ifndef FETCH_LOCATE_H
#define FETCH_LOCATE_H

#include "fetch/names.h"
#include "fetch/transfer.h"

enum located { LOCATE_HERE, LOCATE_WAITS, LOCATE_ELSEWHERE, LOCATE_NOWHERE };

struct spot {
	struct net_address at; /* HERE, ELSEWHERE; none: behind a proxy */
	unsigned port;         /* HERE */
	struct name *name;     /* WAITS */
	enum outcome
		error; /* NOWHERE: OUTCOME_DNS, which lasts; OUTCOME_PRIVATE, where the guard allows none of
				   the addresses; or one of this machine (outcome_is_local()) */
};

/* Where a URL is to be asked for, where the crawl has granted the address `granted` (or none). */
enum located locate(struct names *names, const struct transfer_options *o, const struct url *u,
	const struct net_address *granted, struct spot *spot);

/* The URL's host could not be connected to at an address: 1 where it has another one that is worth
 * locating it anew for, or 0. */
int locate_other(struct names *names, const struct transfer_options *o, const struct url *u,
	const struct net_address *failed);

#endif
