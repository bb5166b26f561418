#include "crawler/network/net_hosts.h"
#include "parser/url.h"

void net_hosts_init(struct net_hosts *h, struct store *store, int64_t give_up_ms)
{
	*h = (struct net_hosts){.store = store, .addresses = net_addresses_new(), .outages = outages_new(give_up_ms)};
}

void net_hosts_release(struct net_hosts *h)
{
	net_addresses_free(h->addresses);
	outages_free(h->outages);
}

void net_hosts_give_up_after(struct net_hosts *h, int64_t ms)
{
	outages_free(h->outages);
	h->outages = outages_new(ms);
}

static struct endpoint endpoint_of(const struct net_hosts *h, const struct store_page *page)
{
	struct url u;
	const int is_url = url_split(&u, page->url, page->url_length) == URL_OK;

	return (struct endpoint){.host = page->host,
		.address = net_addresses_number(h->addresses, page->host),
		.port = is_url ? (uint16_t)u.port : 0};
}

void net_hosts_remember(struct net_hosts *h, uint32_t id)
{
	struct store_page page;

	if (store_page(h->store, id, &page))
		outages_answered(h->outages, endpoint_of(h, &page), 0);
}

int net_hosts_back_off(struct net_hosts *h, const struct store_page *page, int64_t now, int64_t *until)
{
	return outages_backs_off(h->outages, endpoint_of(h, page), now, until);
}

struct net_address net_hosts_grant(const struct net_hosts *h, uint32_t host)
{
	struct net_address address = {{0}};

	net_addresses_of(h->addresses, host, &address);
	return address;
}

/* Says whether an outage may explain that a page got no answer, so that the page is not charged with a try. The host then backs
 * off until *until. */
static int is_excused(struct net_hosts *h, struct endpoint endpoint, const struct fetch_page *page, int64_t *until)
{
	const struct result *r = &page->result;

	if (page->no_request)
		return r->state == PAGE_FAILED && outages_failed_before(h->outages, endpoint, r->ended, until);
	return outages_failed(h->outages, endpoint, r->outcome, r->started, r->ended, until);
}

/* Judges a page that was answered with 429 or 503. */
static void judge_busy(struct net_hosts *h, struct endpoint endpoint, struct result *r)
{
	if (!r->host_pause)
		r->host_pause = r->ended;
	if (outages_busy(h->outages, endpoint, r->id, r->started, r->ended, &r->host_pause)) {
		r->outcome = OUTCOME_BUSY;
		r->state = PAGE_QUEUED;
	}
	if (r->state == PAGE_QUEUED)
		r->not_before = r->host_pause + OUTAGE_FIRST_BACKOFF;
}

void net_hosts_judge(struct net_hosts *h, struct fetch_page *page)
{
	struct result *r = &page->result;
	struct store_page known;
	int64_t until;

	if ((!r->status && !outages_is_silence(r->outcome)) || !store_page(h->store, r->id, &known))
		return;
	const struct endpoint endpoint = endpoint_of(h, &known);
	if ((r->status == 429 || r->status == 503) && outcome_has(r->outcome, TRAIT_ASKED)) {
		judge_busy(h, endpoint, r);
	} else if (r->status) {
		outages_answered(h->outages, endpoint, r->ended);
	} else if (is_excused(h, endpoint, page, &until)) {
		r->outcome = OUTCOME_UNREACHABLE;
		r->state = PAGE_QUEUED;
		r->not_before = r->ended;
		r->host_pause = until;
	}
}
