/* Fetchers without a network: a program that links endless_fetchers.c has these in place of the fetchers of fetch/fetch.c, and is
 * answered by the endless web (simweb/endless.h), in its own process and thread. Everything behind the fetchers is what a live
 * crawl runs: network source, knowledge, traps, store, frontier, policy, log, snapshots.
 *
 *	endless_fetchers_web(&web);                           before live_open()
 *	... live_run() ...
 *	ns = endless_fetchers_ns();                           the CPU time that the answers took
 *
 * A host's name is resolved and its robots.txt fetched before its first page, so that its first page is put back twice, as in a
 * live crawl. No robots.txt has rules. Pages have the links of the endless web, but no text: digest, fingerprint and SimHash are
 * drawn, and no two pages are duplicates. */
#ifndef TESTS_BENCH_ENDLESS_FETCHERS_H
#define TESTS_BENCH_ENDLESS_FETCHERS_H

#include "simweb/endless.h"

/* Sets the web that answers all fetchers of the program, which must outlive them. It must have no traps. */
void endless_fetchers_web(const struct endless *);

/* Returns the CPU time in ns that all answers of the program took. */
int64_t endless_fetchers_ns(void);

/* Returns the number of links of all pages that were answered. */
uint64_t endless_fetchers_links(void);

#endif
