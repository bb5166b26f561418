/* Locates the target of a request: the user's proxy, the target of a rule of --connect-to, or an address of the URL's
 * host; and asks the guard whether the request may go there.
 *
 *     switch (locate(names, options, &url, &granted, &spot)) {
 *     case LOCATE_HERE:      ... the request goes to spot.at and spot.port
 *     case LOCATE_WAITS:     ... the request waits until spot.name has been resolved
 *     case LOCATE_ELSEWHERE: ... the page is put back, for the crawl to grant the address spot.at
 *     case LOCATE_NOWHERE:   ... no request is possible: spot.error
 *     }
 *
 * The first page of a new host takes these steps in a crawl that grants addresses (by_address in struct
 * fetch_settings). An arrow to the left returns the page to the crawl's loop, and it comes again when the frontier
 * takes it.
 *
 *     the crawl's loop                      the fetcher thread
 *     taken, no address known    ------->   locate(): the name is looked up; the page waits
 *     put back, the host's address <-----   locate(): ELSEWHERE
 *     taken, with the address    ------->   its robots.txt is asked for there
 *     put back, to wait          <-------   the rules are known
 *     taken, with the address    ------->   the page is asked for
 *     crawled, failed ...        <-------
 *
 * If no connection to the address is possible, the address counts as dead for a while, and the page is put back with
 * the next address of the host, as with LOCATE_ELSEWHERE, until the host has no other address. */
#ifndef FETCH_LOCATE_H
#define FETCH_LOCATE_H

#include "fetch/names.h"
#include "fetch/transfer.h"

enum located { LOCATE_HERE, LOCATE_WAITS, LOCATE_ELSEWHERE, LOCATE_NOWHERE };

/* The target of a request. The comments say for which results of locate() a field is set. */
struct spot {
	struct net_address at; /* HERE, ELSEWHERE; none if the request goes through a proxy */
	unsigned port;         /* HERE */
	struct name *name;     /* WAITS */
	/* NOWHERE: OUTCOME_DNS, which is permanent; OUTCOME_PRIVATE, if the guard allows none of the host's
	 * addresses; or an outcome of this machine (outcome_is_local()) */
	enum outcome error;
};

/* Locates the target for a URL. `granted` is the address that the crawl has granted, or none. */
enum located locate(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *granted,
	struct spot *spot);

/* Notes that no connection to the address `failed` of a URL's host was possible. Returns 1 if the host has another address,
 * so that the caller should call locate() again, or 0. */
int locate_other(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *failed);

#endif
