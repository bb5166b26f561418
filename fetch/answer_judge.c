/* What an answer means for its page. This file needs no libcurl, so that a crawl in virtual time can share the rules. */
#include "fetch/answer.h"

int64_t answer_delay(const struct answer *a, unsigned tries)
{
	int64_t growing = tries < 12 ? (int64_t)1000 << tries : ANSWER_MAX_DELAY;

	if (a->has_headers && a->retry_after >= 0)
		return a->retry_after;
	return growing < ANSWER_MAX_DELAY ? growing : ANSWER_MAX_DELAY;
}

int answer_blames_host(unsigned status)
{
	return status == 429 || (status >= 502 && status <= 504);
}

static struct verdict retry_or_fail(const struct answer *a, enum outcome error, enum permanence permanence, unsigned tries,
	unsigned allowed)
{
	if (permanence == PERMANENT || tries + 1 >= allowed)
		return (struct verdict){error, PAGE_FAILED, 0};
	return (struct verdict){error, PAGE_QUEUED, answer_delay(a, tries)};
}

struct verdict answer_judge(const struct answer *a, enum outcome error, enum permanence permanence, unsigned tries,
	unsigned allowed)
{
	const unsigned status = a->status;

	if (!a->has_headers || status < 200)
		return retry_or_fail(a, error ? error : OUTCOME_BROKEN, permanence, tries, allowed);
	if (status < 300)
		return error ? retry_or_fail(a, error, permanence, tries, allowed)
			     : (struct verdict){OUTCOME_CRAWLED, PAGE_CRAWLED, 0};
	/* 304 to 306 lead nowhere, whatever Location says */
	if (status < 400 && (status < 304 || status > 306)) {
		if (a->has_location)
			return (struct verdict){OUTCOME_REDIRECTED, PAGE_REDIRECTED, 0};
		return (struct verdict){status == 300 ? OUTCOME_STATUS : OUTCOME_NOWHERE, PAGE_FAILED, 0};
	}
	if (status == 408 || status == 429 || (status >= 500 && status < 600))
		return retry_or_fail(a, OUTCOME_STATUS, TRANSIENT, tries, allowed);
	return (struct verdict){OUTCOME_STATUS, PAGE_FAILED, 0};
}
