/* The order in which any crawler fetched the pages of a graph, read from its log (lab/measure/order_log.h), so that the crawl is
 * measured as one of a policy.
 *
 *	static const char *const files[] = {"wget=a.log", "wget=b.log", "scrapy=a.txt", "scrapy=b.txt"};
 *	err = crawl_orders_read(&o, files, 4, NULL, &data, &why);      two crawlers, two draws
 *	... o.order[1 * o.draws + 0] is Scrapy's first crawl ...
 *	crawl_orders_release(&o); */
#ifndef LAB_STUDY_CRAWL_ORDER_H
#define LAB_STUDY_CRAWL_ORDER_H

#include "frontier/policy.h"
#include "graph/formats/names.h"
#include "lab/study/dataset.h"

/* In place of a rule for seeds: the pages that the crawlers of a draw began with. */
#define CRAWL_ORDER_ENTRIES "entries"

/* The most pages outside the graph that are told apart, and named. */
#define CRAWL_ORDER_NAMES 100000

struct crawl_order {
	const char *path;   /* borrowed from the text that named it */
	const char *format; /* the log's: a name of lab/measure/order_log.h */
	uint32_t *page;     /* the distinct pages in the graph, in the order in which they were fetched */
	uint32_t pages;
	/* Of these, the pages to which no page before them links. A crawl that follows the links of the graph begins with them. */
	uint32_t *entry;
	uint32_t entries;
	/* Entries of the log: all; those of a page that was there already; redirects, which count as pages if they are nodes of the
	 * graph; failures; and those of pages that are not in the graph, robots.txt excepted */
	uint64_t read, repeated, redirects, failed, unknown;
	struct intern name;  /* of the pages not in the graph, each once; at most CRAWL_ORDER_NAMES */
	uint64_t names_more; /* entries of pages not in the graph that came when there were so many names */
};

struct crawl_orders {
	struct policy *crawler; /* a name and a summary each; they crawl nothing */
	char **name;
	size_t crawlers;
	uint32_t draws;
	struct crawl_order *order; /* crawler by crawler, draw by draw */
};

/* Reads orders that are given as NAME=FILE or as FILE, whose name is then the last part of its path. Orders of equal names are the
 * draws of one crawler: order i of each crawler belongs to draw i. `format` is a name of lab/measure/order_log.h, or NULL. Returns
 * 0; ERR_USAGE for a name that is empty, too long or has other than printable characters, or if crawlers have different numbers of
 * orders; ERR_NOTHING if no page of an order is in the graph; or an error of order_log_open() or order_log_next(). Release in each
 * case. */
int crawl_orders_read(struct crawl_orders *, const char *const *given, size_t n, const char *format, const struct dataset *,
	struct err_note *why) MUST_USE;
void crawl_orders_release(struct crawl_orders *);

/* Returns the order of a policy of crawl_orders.crawler in a draw, counted from 0; NULL for any other policy. */
const struct crawl_order *crawl_order_of(const struct crawl_orders *, const struct policy *, uint32_t draw);

/* Makes an array of the distinct entries of all crawlers of a draw, which the caller frees. Returns their number. */
size_t crawl_orders_entries(const struct crawl_orders *, uint32_t draw, uint32_t nodes, uint32_t **entry);

#endif
