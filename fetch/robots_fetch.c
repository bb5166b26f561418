#include "fetch/robots_fetch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/archive.h"

#include <stdlib.h>
#include <string.h>

#define ROBOTS_REDIRECTS 5

int robots_fetch_is_ignored(const struct worker *w, const struct url *u)
{
	const struct fetch_settings *set = &w->options->set;
	struct host_setting own;

	host_settings_for_url(set->host_settings, u, &own);
	return own.no_robots >= 0 ? own.no_robots : set->no_robots;
}

/* Writes the URL of an origin's robots.txt, or the URL that it was redirected to. Returns 0, or -1 if that is no URL. */
static int write_url(struct worker *w, const struct origin *o, struct url *u)
{
	struct buf text = BUF_EMPTY;

	if (o->next) {
		buf_text(&text, o->next);
	} else {
		buf_text(&text, w->url.https ? "https://" : "http://");
		buf_add(&text, w->url.text.at + w->url.host, w->url.path - w->url.host);
		buf_text(&text, "/robots.txt");
	}
	const enum url_result parsed = url_parse(u, text.at, text.used, NULL);
	buf_release(&text);
	return parsed == URL_OK ? 0 : -1;
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
		o->home = t->at;
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
			page_build_add(&w->build, &w->url, LINK_SITEMAP, "");
}

/* Handles a failed request for robots.txt. A failure of this machine (outcome_is_local()) makes the origin LATER and is not
 * counted, for ORIGIN_TROUBLE_MS; any other failure is counted. `status` is 0 if no server answered. */
static void unavailable(struct worker *w, struct origin *o, enum outcome error, unsigned status, enum permanence permanence,
	int64_t delay, int64_t now)
{
	const int is_local = outcome_is_local(error);
	int64_t wait = is_local ? origin_trouble(o, now) : -1;

	if (is_local && wait < 0 && !outcome_may_leave(error, PAGE_FAILED))
		wait = ORIGIN_TROUBLE_PAUSE;
	if (wait >= 0)
		origin_wait(o, error, wait, now);
	else
		robots_cache_failed(o, error, (uint16_t)status,
			is_local || permanence == PERMANENT ? 0 : (unsigned)w->options->set.tries, delay, now);
}

enum outcome robots_fetch_waits(const struct origin *o)
{
	if (o->standing == ORIGIN_KNOWN || o->standing == ORIGIN_UNKNOWN || o->status || o->hops)
		return OUTCOME_ROBOTS_WAIT; /* where a redirect led says nothing of the page's host */
	switch (o->error) {
	case OUTCOME_DNS:
		return OUTCOME_ROBOTS_DNS;
	case OUTCOME_CONNECT:
		return OUTCOME_ROBOTS_CONNECT;
	case OUTCOME_TIMEOUT:
		return OUTCOME_ROBOTS_TIMEOUT;
	default:
		return OUTCOME_ROBOTS_WAIT;
	}
}

/* Gives back the pages that wait for an origin's robots.txt, with the outcome in `head`. */
static void hand_back(struct worker *w, struct origin *o, struct fetch_page head)
{
	const int led_on = o->standing == ORIGIN_UNKNOWN; /* its redirect is still to be followed */

	head.result.outcome = w->build.n ? OUTCOME_SITEMAPS : robots_fetch_waits(o);
	if (o->standing == ORIGIN_LATER)
		head.result.not_before = head.result.host_pause = o->retry_time;
	if (!led_on && o->hops)
		head.address = o->home;
	if (!led_on) {
		free(o->next);
		o->next = NULL;
		o->hops = 0;
	}
	head.result.state = PAGE_QUEUED;
	head.result.host_delay = o->host_delay;
	worker_release_waiting(w, o, head);
}

/* Handles an origin whose robots.txt cannot be requested, since no address of its host may be asked. If robots.txt was not
 * redirected, the job ends with the error; else the request for robots.txt counts as failed for good. */
static void lost(struct worker *w, struct origin *o, struct job *job, enum outcome error)
{
	const int64_t now = clock_ms();

	if (!o->hops) { /* the page is on the same host */
		worker_give_back_lost(w, o, job, error);
		return;
	}
	worker_park(o, job);
	unavailable(w, o, error, 0, PERMANENT, 0, now);
	hand_back(w, o, worker_no_request(OUTCOME_NONE));
}

void robots_fetch_ask(struct worker *w, struct origin *o, struct job *job)
{
	struct url u = URL_EMPTY;
	struct spot spot = {.error = OUTCOME_DNS};
	const enum located where = write_url(w, o, &u) ? LOCATE_NOWHERE : worker_locate(w, &u, job, &spot);

	if (where == LOCATE_HERE) {
		struct transfer *t = worker_new_transfer(w, o, &u, &spot);
		t->purpose = TRANSFER_ROBOTS;
		t->job = NULL;
		o->standing = ORIGIN_ASKED;
		worker_park(o, job);
		worker_start(w, t);
	} else if (where == LOCATE_NOWHERE) {
		lost(w, o, job, spot.error);
	}
	url_release(&u);
}

/* Makes the origin UNKNOWN and starts its waiting jobs again, so that robots.txt is requested at the host's next address. */
static void fall_back(struct worker *w, struct origin *o)
{
	struct job *waiting = o->waiting;

	o->standing = ORIGIN_UNKNOWN;
	o->waiting = NULL;
	o->waiting_end = &o->waiting;
	worker_begin_anew(w, waiting);
}

void robots_fetch_done(struct worker *w, struct transfer *t, CURLcode result, enum robots_fetch_end end)
{
	struct origin *o = t->origin;
	enum permanence permanence;
	enum outcome error = transfer_error(t, result, &permanence);
	const unsigned status = t->answer.has_headers ? t->answer.status : 0;

	if (end == ROBOTS_FETCH_UNCONNECTED) {
		fall_back(w, o);
		worker_done_with(w, t);
		return;
	}
	if (transfer_needs_plain(t, result))
		o->plain = 1;
	if (!error && (error = transfer_unpack(t)))
		permanence = PERMANENT;
	if (!outcome_is_local(error))
		o->trouble_since = 0;
	archive_put(t, error, NULL);
	if (status >= 200 && status < 300 && !error) {
		robots_cache_rules(w->origins, o, t->body.at ? t->body.at : "", t->body.used, t->ended);
		if (w->options->set.kinds & 1u << LINK_SITEMAP)
			add_sitemaps(w, t);
	} else if (status < 300 || status >= 500 || status == 429) {
		error = status >= 300 ? OUTCOME_ROBOTS_UNAVAILABLE : error ? error : OUTCOME_BROKEN;
		unavailable(w, o, error, t->answer.status, permanence, answer_delay(&t->answer, o->failures), t->ended);
	} else if (status >= 400 || !follow(w, t)) {
		robots_cache_no_rules(w->origins, o, t->ended);
	}
	struct fetch_page head = worker_head_of(t);
	if (o->standing == ORIGIN_KNOWN) {
		const int has_rules = status >= 200 && status < 300 && t->body.used;
		head.robots = has_rules ? t->body.at : "";
		head.robots_n = !has_rules ? 0 : t->body.used < ROBOTS_MAX_BYTES ? t->body.used : ROBOTS_MAX_BYTES;
	}
	hand_back(w, o, head);
	worker_done_with(w, t);
}
