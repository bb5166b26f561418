#include "cli/export/export_filter.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/num.h"
#include "parser/match.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The states that a page of a store may be in. */
static const enum page_state states[] = {PAGE_CRAWLED, PAGE_FAILED, PAGE_REDIRECTED, PAGE_REFUSED, PAGE_QUEUED};

static const char *state_word(size_t i)
{
	return i < sizeof states / sizeof *states ? page_state_name(states[i]) : NULL;
}

#define FILTER(field) offsetof(struct export_filter_options, field)
const struct flag export_filter_flags[] = {
	{"state", 0, FLAG_COMMAS, FILTER(states), "STATE,...", .help = "only pages in one of these states", .words = state_word},
	{"host", 0, FLAG_COMMAS, FILTER(hosts), "HOST,...", .help = "only pages of these hosts, each with its port if it has one"},
	{"domains", 'D', FLAG_TEXT, FILTER(domains), "LIST", .help = "only pages of these domains (A,B) and their subdomains"},
	{"accept-regex", 0, FLAG_TEXT, FILTER(accept_regex), "RE", .help = "only URLs that match"},
	{"reject-regex", 0, FLAG_TEXT, FILTER(reject_regex), "RE", .help = "no URLs that match"},
	{"since", 0, FLAG_TEXT, FILTER(since), "TIME",
		.help = "only pages whose last request ended then or later (2026-11-22T08:30, UTC)"},
	{"until", 0, FLAG_TEXT, FILTER(until), "TIME", .help = "only pages whose last request ended before then"},
	{.name = NULL},
};

int export_time(const char *text, const char *flag, int64_t *ms, struct err_note *why)
{
	static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
		"%Y-%m-%d %H:%M:%S"};
	uint64_t seconds;

	if (*text == '@' && num_count(text + 1, INT64_MAX / 1000000, &seconds) == 0) {
		*ms = (int64_t)seconds * 1000;
		return 0;
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct tm tm = {0};
		const char *rest = strptime(text, forms[i], &tm);
		const int day = tm.tm_mday;
		if (rest && (*rest == 0 || strcmp(rest, "Z") == 0)) {
			const int64_t time = (int64_t)timegm(&tm) * 1000;
			if (tm.tm_mday != day) /* a day that is none, as 30 February, has become one of the next month */
				break;
			*ms = time;
			return 0;
		}
	}
	return err_set(why, ERR_USAGE,
		"--%s %s: no time; give a date or a time in UTC, as in 2026-11-22 or 2026-11-22T08:30, or @ and seconds since 1970",
		flag, text);
}

static char *split(const char *list)
{
	const size_t n = strlen(list);
	char *texts = mem_zero(n + 2, 1), *to = texts;

	for (size_t i = 0; i <= n; i++) {
		if (list[i] && list[i] != ',')
			*to++ = list[i];
		else if (to > texts && to[-1])
			*to++ = 0;
	}
	*to = 0;
	return texts;
}

int export_filter_init(struct export_filter *f, const struct export_filter_options *o, struct err_note *why)
{
	*f = (struct export_filter){.options = o, .since = INT64_MIN, .until = INT64_MAX};
	for (size_t i = 0; i < o->states.count; i++)
		for (size_t s = 0; s < sizeof states / sizeof *states; s++)
			if (strcmp(o->states.at[i], page_state_name(states[s])) == 0)
				f->states |= 1u << states[s];
	if (o->domains)
		f->domains = split(o->domains);
	f->by_time = o->since || o->until;
	TRY(match_regex_new(&f->accept, o->accept_regex, why));
	TRY(match_regex_new(&f->reject, o->reject_regex, why));
	if (o->since)
		TRY(export_time(o->since, "since", &f->since, why));
	if (o->until)
		TRY(export_time(o->until, "until", &f->until, why));
	return 0;
}

void export_filter_release(struct export_filter *f)
{
	match_regex_free(f->accept);
	match_regex_free(f->reject);
	free(f->domains);
}

/* Says whether a host fits --host and --domains; a host with a port belongs to the domains of its name. */
static int host_fits(const struct export_filter *f, const char *host)
{
	const struct export_filter_options *o = f->options;
	const size_t name = strcspn(host, *host == '[' ? "" : ":");

	if (o->hosts.count == 0 && !f->domains)
		return 1;
	for (size_t i = 0; i < o->hosts.count; i++)
		if (ascii_order(host, o->hosts.at[i]) == 0)
			return 1;
	for (const char *at = f->domains; at && *at; at += strlen(at) + 1)
		if (match_domain(host, name, at))
			return 1;
	return 0;
}

int export_filter_takes(const struct export_filter *f, const char *url, const char *host, const struct ending *ending, int64_t time)
{
	if (f->states && !(f->states >> ending->state & 1))
		return 0;
	if (f->by_time && (!time || time < f->since || time >= f->until))
		return 0;
	return host_fits(f, host) && (!f->accept || match_regex(f->accept, url)) && (!f->reject || !match_regex(f->reject, url));
}
