#include "simweb/endless.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/opt.h"
#include "simweb/endless_change.h"
#include "simweb/endless_draws.h"
#include "simweb/endless_page.h"
#include "simweb/endless_rates.h"

#include <stdlib.h>
#include <string.h>

static const struct opt settings[] = {
	{"hosts", OPT_COUNT, 134217728, 1, ENDLESS_MAX_HOSTS, NULL, "the hosts"},
	{"pages", OPT_COUNT, 1000000, 1, 16777216, NULL, "the most pages of a host"},
	{"words", OPT_REAL, 60, 1, 10000, NULL, "the median of the words of a page"},
	{"links", OPT_COUNT, ENDLESS_OUT_LEAST, 1, 1000, NULL, "the least links of a page"},
	{"branches", OPT_COUNT, ENDLESS_BRANCHES, 1, 1000, NULL, "the least pages right below a page in the tree of its host"},
	{"outside", OPT_REAL, 0.3, 0, 1, NULL, "the share of the links to other hosts"},
	{"dead", OPT_REAL, 0.01, 0, 1, NULL, "the share of the links to no page"},
	{"moved", OPT_REAL, 0.02, 0, 1, NULL, "the share of the links to a redirect"},
	{"media", OPT_REAL, 0.05, 0, 1, NULL, "the share of the pages that are no HTML"},
	{"traps", OPT_REAL, 0.04, 0, 1, NULL, "the share of the hosts with a trap"},
	{"rules", OPT_REAL, 0.3, 0, 1, NULL, "the share of the hosts with rules in robots.txt"},
	{"changes", OPT_REAL, 0, 0, 100000, NULL, "changes of a page a day"},
	{"dated", OPT_REAL, 1, 0, 1, NULL, "the share of the hosts with Last-Modified"},
	{.name = NULL},
};

const char *endless_scheme(const struct endless *e)
{
	return e->tls ? "https://" : "http://";
}

/* Takes the options of the web, whose ranges the table of options has checked. */
static void read_settings(struct endless *e, const struct opt_set *set)
{
	e->tls = 0;
	e->hosts = (uint64_t)opt_number(set, "hosts");
	e->pages = (uint32_t)opt_number(set, "pages");
	e->words = opt_number(set, "words");
	e->links = (uint32_t)opt_number(set, "links");
	e->branches = (uint32_t)opt_number(set, "branches");
	e->outside = opt_number(set, "outside");
	e->dead = opt_number(set, "dead");
	e->moved = opt_number(set, "moved");
	e->media = opt_number(set, "media");
	e->traps = opt_number(set, "traps");
	e->rules = opt_number(set, "rules");
	e->changes = opt_number(set, "changes");
	e->dated = opt_number(set, "dated");
	e->host_span = draw_span(ENDLESS_RANK_EXPONENT, e->hosts);
}

int endless_parse(struct endless *e, const char *text, struct err_note *why)
{
	char *copy = mem_text(text), *item = strchr(copy, ','), *next;
	struct opt_set set;
	int err = 0;

	opt_init(&set, settings, "the endless web");
	if (item)
		*item++ = 0;
	if (num_count(copy, UINT64_MAX, &e->seed))
		err = err_set(why, ERR_USAGE, "the endless web begins with its seed, a whole number, not '%s'", copy);
	for (; item && !err; item = next) {
		next = strchr(item, ',');
		if (next)
			*next++ = 0;
		err = opt_give(&set, item, why);
	}
	read_settings(e, &set);
	opt_release(&set);
	free(copy);
	return err;
}

void endless_url(const struct endless *e, uint64_t host, uint32_t page, struct buf *out)
{
	struct endless_host h;

	endless_host_get(e, host, &h);
	buf_text(out, endless_scheme(e));
	endless_host_name(e, host, out);
	endless_path(e, &h, page, out);
}

int endless_robots(const struct endless *e, const char *host, struct buf *out)
{
	struct endless_host h;
	uint64_t id;

	if (!endless_host_find(e, host, strlen(host), &id))
		return 0;
	endless_host_get(e, id, &h);
	if (h.rules == ENDLESS_RULES_MISSING || h.rules == ENDLESS_RULES_BROKEN)
		return 0;
	endless_robots_text(e, &h, out);
	return 1;
}

/* --- answers */

void endless_reply_release(struct endless_reply *reply)
{
	buf_release(&reply->body);
	buf_release(&reply->location);
}

static void not_found(const struct endless *e, const struct endless_host *h, struct endless_reply *reply)
{
	reply->status = 404;
	if (h && h->trap == ENDLESS_SOFT_404) {
		reply->status = 200;
		endless_soft_404(e, h, &reply->body);
	} else {
		buf_text(&reply->body, "<!doctype html>\n<title>not found</title>\n<p>no page of the endless web stands here\n");
	}
}

static void answer_robots(const struct endless *e, const struct endless_host *h, struct endless_reply *reply)
{
	reply->is_robots = 1;
	reply->type = "text/plain";
	if (h->rules == ENDLESS_RULES_MISSING)
		reply->status = 404;
	else if (h->rules == ENDLESS_RULES_BROKEN)
		reply->status = 500;
	else
		endless_robots_text(e, h, &reply->body);
}

static void answer_page(const struct endless *e, const struct endless_host *h, uint32_t page, int64_t now,
	struct endless_reply *reply)
{
	const struct endless_state s = endless_state(e, h, page, now);

	if (!s.is_there) {
		not_found(e, h, reply);
		return;
	}
	reply->type = endless_media_type(endless_media_of(e, h, page));
	reply->modified = s.modified;
	endless_document(e, h, page, s.version, &reply->body);
}

void endless_answer(const struct endless *e, const struct address *a, int64_t now, struct endless_reply *reply)
{
	struct endless_host h;
	uint32_t number;
	uint64_t id;

	buf_clear(&reply->body);
	buf_clear(&reply->location);
	*reply = (struct endless_reply){.status = 200,
		.type = endless_media_type(ENDLESS_PAGE),
		.body = reply->body,
		.location = reply->location};
	if (!endless_host_find(e, a->host, a->host_length, &id)) {
		not_found(e, NULL, reply);
		return;
	}
	endless_host_get(e, id, &h);
	const enum endless_thing thing = endless_find(e, &h, a->target, a->target_length, &number);
	reply->page = (uint32_t)draw_bits(e->seed, DRAW_FAULT, id, (uint64_t)thing << 32 | number);
	switch (thing) {
	case ENDLESS_NOTHING:
		not_found(e, &h, reply);
		break;
	case ENDLESS_IS_PAGE:
		answer_page(e, &h, number, now, reply);
		break;
	case ENDLESS_IS_MOVED:
		reply->status = 301;
		endless_path(e, &h, number, &reply->location);
		break;
	case ENDLESS_IS_MONTH:
		endless_month(e, &h, number, &reply->body);
		break;
	case ENDLESS_IS_ROBOTS:
		answer_robots(e, &h, reply);
		break;
	case ENDLESS_IS_SITEMAP:
		reply->type = "application/xml";
		endless_sitemap(e, &h, &reply->body);
	}
}
