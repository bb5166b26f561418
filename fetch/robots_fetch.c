#include "fetch/robots_fetch.h"
#include "base/mem.h"
#include "fetch/archive.h"

#include <stdlib.h>
#include <string.h>

#define ROBOTS_REDIRECTS 5

int robots_fetch_ask(struct worker *w, struct origin *o, const struct job *job)
{
	struct transfer *t = worker_new_transfer(w);
	struct buf text = BUF_EMPTY;

	if (o->next) {
		buf_text(&text, o->next);
	} else {
		buf_text(&text, w->url.https ? "https://" : "http://");
		buf_add(&text, w->url.text.at + w->url.host, w->url.path - w->url.host);
		buf_text(&text, "/robots.txt");
	}
	enum url_result parsed = url_parse(&t->url, text.at, text.used, NULL);
	buf_release(&text);
	t->purpose = TRANSFER_ROBOTS;
	t->job = NULL;
	t->origin = o;
	t->granted = job->granted;
	t->redirects = o->hops;
	o->users++;
	if (parsed != URL_OK) {
		worker_done_with(w, t);
		return -1;
	}
	o->standing = ORIGIN_ASKED;
	worker_start(w, t);
	return 0;
}

/* Remembers where a redirect leads, to be asked for when the host may be asked again: 1, or 0 where
 * it leads nowhere. */
static int follow(struct worker *w, struct transfer *t)
{
	const struct buf *to = &t->answer.location;
	struct origin *o = t->origin;

	if (!t->answer.has_location || o->hops == ROBOTS_REDIRECTS)
		return 0;
	if (url_parse(&w->url, to->at, to->used, &t->url) != URL_OK || worker_judge_url(w, &w->url))
		return 0;
	free(o->next);
	o->next = mem_text(w->url.text.at);
	if (!o->hops)
		o->home = t->granted;
	o->hops++;
	o->standing = ORIGIN_UNKNOWN;
	return 1;
}

/* Puts the sitemaps that a robots.txt names on the page that comes back next. */
static void add_sitemaps(struct worker *w, const struct transfer *t)
{
	const struct robots *rules = t->origin->rules;
	const char *text;

	for (size_t i = 0; i < ROBOTS_MAX_SITEMAPS && (text = robots_sitemap(rules, i)); i++)
		if (url_parse(&w->url, text, strlen(text), &t->url) == URL_OK)
			page_build_add(&w->build, &w->url, LINK_SITEMAP);
}

/* A robots.txt could not be had: 1 where it is to be asked for again at the end of its redirects, once the
 * next address of the host there is granted. */
static int robots_unavailable(struct worker *w, struct transfer *t, enum outcome error,
	enum lasting lasting, struct fetch_page *head)
{
	struct origin *o = t->origin;
	int64_t delay = outcome_is_local(error) ? origin_trouble(o, t->ended) : -1;

	if (outcome_is_local(error) && delay < 0 && !outcome_may_leave(error, PAGE_FAILED))
		delay = ORIGIN_TROUBLE_PAUSE;
	if (delay >= 0)
		origin_wait(o, error, delay, t->ended);
	else
		robots_cache_failed(o, error ? error : OUTCOME_BROKEN, t->answer.status,
			lasting == WILL_LAST || outcome_is_local(error) ? 0 : w->options->set.tries,
			answer_delay(&t->answer, o->failures), t->ended);
	head->retry_after = o->standing == ORIGIN_LATER ? o->retry_time - t->ended : 0;
	head->host_pause = head->retry_after;
	if (error && !t->heard)
		head->address = t->offered;
	return o->standing == ORIGIN_LATER && o->hops && !net_address_is_none(&head->address);
}

void robots_fetch_done(struct worker *w, struct transfer *t, CURLcode result)
{
	struct origin *o = t->origin;
	struct fetch_page head = worker_head_of(t);
	enum lasting lasting;
	enum outcome error = transfer_error(t, result, &lasting);
	const unsigned status = t->answer.has_headers ? t->answer.status : 0;
	int led_on = 0; /* what was redirected to is still to be asked for */

	if (transfer_needs_plain(t, result))
		o->plain = 1;
	if (!error && (error = transfer_unpack(t)))
		lasting = WILL_LAST;
	if (!outcome_is_local(error))
		o->trouble_since = 0;
	archive_put(t, error);
	if (status >= 200 && status < 300 && !error) {
		robots_cache_rules(
			w->origins, o, t->body.at ? t->body.at : "", t->body.used, t->ended);
		if (w->options->set.kinds & 1u << LINK_SITEMAP)
			add_sitemaps(w, t);
	} else if (status >= 300 && status < 400 && follow(w, t)) {
		led_on = 1;
	} else if (status >= 300 && status < 500 && status != 429) {
		robots_cache_no_rules(w->origins, o, t->ended);
	} else {
		led_on = robots_unavailable(
			w, t, status >= 300 ? OUTCOME_ROBOTS_UNAVAILABLE : error, lasting, &head);
	}
	if (!led_on && o->hops)
		head.address = o->home;
	if (!led_on) {
		free(o->next);
		o->next = NULL;
		o->hops = 0;
	}
	head.outcome = w->build.n ? OUTCOME_SITEMAPS : OUTCOME_ROBOTS_WAIT;
	head.state = PAGE_QUEUED;
	head.host_delay = o->host_delay;
	if (o->standing == ORIGIN_KNOWN) {
		const int has_rules = status >= 200 && status < 300 && t->body.used;
		head.robots = has_rules ? t->body.at : "";
		head.robots_n = !has_rules                        ? 0
				: t->body.used < ROBOTS_MAX_BYTES ? t->body.used
								  : ROBOTS_MAX_BYTES;
	}
	worker_release_waiting(w, o, head);
	worker_done_with(w, t);
}
