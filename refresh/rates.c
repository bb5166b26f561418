#include "refresh/rates.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* before pages and hosts tell how alike they are, this is what so many of them have told */
#define PAGES_ALIKE 2.0
#define HOSTS_ALIKE 0.5
#define SUPPOSED    5.0

#define LEAST_ALIKE 0.2
#define MOST_ALIKE  100.0

#define MOST_STEP 2.0 /* of the logarithm of a host's rate in a round */

void rates_init(struct rates *r, double prior)
{
	*r = (struct rates){.median = log(prior), .hosts_alike = HOSTS_ALIKE, .pages_alike = PAGES_ALIKE};
}

void rates_release(struct rates *r)
{
	free(r->host);
	*r = (struct rates){.host = NULL};
}

/* The derivative of log(gamma(x)). */
static double digamma(double x)
{
	double sum = 0;

	for (; x < 4; x++)
		sum -= 1 / x;
	return sum + log(x) - 1 / (2 * x) - 1 / (12 * x * x);
}

/* Returns a x such that log(x) - digamma(x) is s > 0, to 1.5% (Minka, "Estimating a gamma distribution", 2002). */
static double shape_of(double s)
{
	return (3 - s + sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
}

static double limited(double x, double most)
{
	return fmin(fmax(x, -most), most);
}

/* The logarithm of the rate of a host. */
static double host_rate(const struct rates *r, uint32_t host)
{
	return host < r->hosts && r->host[host].known > 0 ? (double)r->host[host].rate : r->median;
}

/* How the likelihood of what a page has told depends on the logarithm of its host's rate. */
struct told_of_host {
	double slope, curvature;
};

static struct told_of_host told_of_host(const struct rates *r, double rate, struct known told)
{
	const struct known before = {r->pages_alike, r->pages_alike * exp(-rate)}, k = known_both(before, told);
	const double q = before.days / k.days;

	return (struct told_of_host){k.changes * q - before.changes, k.changes * q * (1 - q)};
}

static struct host_rates *host_at(struct rates *r, uint32_t host)
{
	const size_t old = r->hosts;

	if (host >= old) {
		r->host = mem_grow(r->host, &r->room, (size_t)host + 1, sizeof *r->host);
		r->hosts = (size_t)host + 1;
		memset(r->host + old, 0, (r->hosts - old) * sizeof *r->host);
	}
	return &r->host[host];
}

void rates_count(struct rates *r, uint32_t host, struct known told)
{
	struct host_rates *h = host_at(r, host);
	const double rate = host_rate(r, host);
	const struct told_of_host t = told_of_host(r, rate, told);
	const struct known k = known_both((struct known){r->pages_alike, r->pages_alike * exp(-rate)}, told);

	h->slope += (float)t.slope;
	h->curvature += (float)t.curvature;
	h->n++;
	/* the expected x - 1 - log(x) of x = the page's rate relative to its host's; the last term is for the uncertainty of the
	 * host's */
	r->spread += known_rate(k) * exp(-rate) - 1 - (digamma(k.changes) - log(k.days) - rate) +
		t.curvature * t.curvature / (2 * r->pages_alike * r->pages_alike * ((double)h->known + r->hosts_alike));
	r->n++;
}

void rates_update(struct rates *r)
{
	double sum = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->hosts; i++) {
		struct host_rates *h = &r->host[i];
		if (!h->n)
			continue;
		const double rate = host_rate(r, (uint32_t)i), known = (double)h->curvature + r->hosts_alike;
		const double step = ((double)h->slope - r->hosts_alike * (rate - r->median)) / known;
		h->rate = (float)(rate + limited(step, MOST_STEP));
		h->known = h->curvature;
		sum += (double)h->rate;
		n++;
	}
	if (n)
		r->median = sum / (double)n;
	for (size_t i = 0; i < r->hosts; i++) {
		struct host_rates *h = &r->host[i];
		if (!h->n)
			continue;
		const double off = (double)h->rate - r->median;
		squares += off * off + 1 / ((double)h->known + r->hosts_alike);
		*h = (struct host_rates){.rate = h->rate, .known = h->known};
	}
	r->hosts_alike = ((double)n + SUPPOSED) / (squares + SUPPOSED / HOSTS_ALIKE);
	/* log(PAGES_ALIKE) - digamma(PAGES_ALIKE) is about 1 / (2 PAGES_ALIKE) */
	const double spread = (r->spread + SUPPOSED / (2 * PAGES_ALIKE)) / ((double)r->n + SUPPOSED);
	r->pages_alike = fmin(fmax(shape_of(spread), LEAST_ALIKE), MOST_ALIKE);
	r->spread = 0;
	r->n = 0;
}

struct known rates_prior(const struct rates *r, uint32_t host, struct known told)
{
	const double rate = host_rate(r, host);
	const struct told_of_host own = told_of_host(r, rate, told);
	const double others = host < r->hosts ? fmax((double)r->host[host].known - own.curvature, 0) : 0;
	const double known = others + r->hosts_alike;
	const double by_others = rate - (host < r->hosts && r->host[host].known > 0 ? limited(own.slope / known, 5) : 0);
	const double weight = 1 / (1 / r->pages_alike + 1 / known);

	return (struct known){weight, weight * exp(-by_others)};
}
