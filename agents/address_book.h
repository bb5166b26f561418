/* The addresses that the agents of a crawl take turns at. The hosts of one address may fall into partitions of several agents; so
 * that they are not asked by two agents at once, an address is leased to one agent at a time, by a key of the bucket:
 *
 *   address.HEX     "HOLDER WISHER REST"    places in the roster, -1: none; ms for which the next holder lets the address rest
 *
 *   free -----> held by A -----> held by A, B wishes -----> held by B, after the rest -----> ...
 *         A writes        B writes                   A writes, when no request of A is in flight, and its turn is over
 *                                                    or it has nothing to ask there
 *
 * An agent that has lost its lease, or has left, holds nothing: who wants its addresses takes them (agents/leases.h says when this
 * is certain). An agent may have been unsure of its lease for a while. Then, before it asks at an address, it writes the key of
 * this address again, also if the address was handed to it in that time: another agent may have taken the address meanwhile, and
 * only one of the two writings succeeds.
 *
 * An operator may delete a key. Its holder, which knows what it asks there, writes it again at once. Another agent writes it when
 * every agent that is sure of its lease has seen the deletion. If the operator has removed all trace of the key, no watch shows
 * this. Then another agent that wants the address waits until it has seen all earlier changes, and writes the last value again with
 * itself as the wisher. The holder sees this wish, and hands the address over as usual.
 *
 *	coordinator                                           the member's thread
 *	if (book_ask(b, ip, now)) ... a request is made       book_learn(b, key, text, n, revision, now)       a key has changed
 *	book_ended(b, ip, now, rest)                          while (book_next(b, now, leases, &write))
 *	                                                              book_wrote(b, &write, bus_set(...), now)
 *
 * The caller has a lock. Times are in ms of clock_boot_ms(). */
#ifndef AGENTS_ADDRESS_BOOK_H
#define AGENTS_ADDRESS_BOOK_H

#include "agents/leases.h"

#include <stddef.h>
#include <stdint.h>

#define BOOK_KEY     "address." /* and 32 hexadecimal digits */
#define BOOK_TURN_MS 500        /* an agent hands an address over after so long, if another wishes for it */

struct address_book;

/* Makes the book of agent `self`; an address whose last request is not known rests for `rest` ms. The caller frees it with
 * book_free(). */
struct address_book *book_new(unsigned self, int64_t rest);

/* Frees it; NULL is allowed. */
void book_free(struct address_book *);

/* Says whether a request may be made at an address now. If so, it counts as in flight until book_ended(); if not, the agent
 * wishes for the address. */
int book_ask(struct address_book *, const unsigned char ip[16], int64_t now);

/* Notes that a request at an address has ended, after which the address rests for `rest` ms. */
void book_ended(struct address_book *, const unsigned char ip[16], int64_t now, int64_t rest);

/* Learns the value of a key; 0 bytes: the key was deleted, with this revision; and revision 0: the bucket has no trace of the key.
 * A text that is none counts as a deletion, since the value of the crawl is gone as well. */
void book_learn(struct address_book *, const char *key, const char *text, size_t n, uint64_t revision, int64_t now);

/* Notes that a watch of all keys begins. Says of a change that it shows whether the bucket has had a later one of the same key
 * before: then it has gone back. */
void book_listen(struct address_book *);
int book_is_older(struct address_book *, const char *key, uint64_t revision);

/* Notes that the agent was not sure of its lease before its news with this revision: it holds no address before it has written the
 * key again, nor one that was handed to it before these news. */
void book_lapse(struct address_book *, uint64_t revision);

struct book_write {
	char key[48];
	char text[64];
	uint64_t revision; /* that the key has */
	uint32_t at;       /* private */
	int holder, wisher;
	int64_t rest;
};

/* Returns 1 with a key that is to be written, or 0. */
int book_next(struct address_book *, int64_t now, const struct leases *, struct book_write *);

/* Tells how the writing has ended: what bus_set() returned, with the new revision in write->revision. Returns 1 if the key was
 * refused so often that the caller should read it and call book_learn(): an operator may have removed all trace of it, of which no
 * watch tells; else 0. */
int book_wrote(struct address_book *, const struct book_write *, int result, int64_t now);

/* Returns the number of addresses that the agent holds. */
size_t book_held(const struct address_book *);

#endif
