#include "cli/lab/study_claims.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "cli/lab/comma_list.h"

#include <stdlib.h>
#include <string.h>

int study_method(const struct study_run *r, enum job_key key, const char *name, size_t *method, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (*method = 0; *method < r->contest.methods; ++*method) {
		if (strcmp(r->method[*method], name) == 0)
			return 0;
		nearest_try(name, r->method[*method], &best, &distance);
	}
	return err_set(why, ERR_USAGE, "%s: the key '%s' names '%s', which is not compared; the nearest is '%s'", r->job->path,
		job_key_name(key), name, best);
}

/* Reads "A > B, C: TEXT", or a finding, "A > B, C is VERDICT: TEXT". */
static int read_claim(struct study_run *r, const char *text, enum job_key key, struct contest_claim *claim, struct err_note *why)
{
	static const char *const verdicts[] = {"holds", "not shown", "contradicted"};
	const char *colon = strchr(text, ':'), *over = strchr(text, '>'), *is = strstr(text, " is ");
	const char *end = is && is < colon ? is : key == JOB_FINDING ? NULL : colon;

	if (!colon || !over || over > colon || !end || end > colon)
		return job_wrong(r->job, NULL, key,
			key == JOB_FINDING ? "'A > B, C is VERDICT: TEXT' is wanted" : "'A > B, C: TEXT' is wanted", why);
	for (size_t i = 0; end != colon && i < 3; i++)
		if (strncmp(is + 4, verdicts[i], strlen(verdicts[i])) == 0)
			claim->expected = verdicts[i];
	if (end != colon && !claim->expected)
		return job_wrong(r->job, NULL, key, "a verdict is holds, not shown or contradicted", why);
	claim->is_finding = key == JOB_FINDING;
	claim->text = colon + 1 + strspn(colon + 1, " \t");
	char *first = comma_list_trimmed(text, (size_t)(over - text));
	char *others = comma_list_trimmed(over + 1, (size_t)(end - over - 1));
	size_t n;
	char **other = comma_list_cut(others, &n);
	size_t *place = mem_zero(n, sizeof *place);
	int err = study_method(r, key, first, &claim->method, why);
	for (size_t i = 0; !err && i < n; i++)
		err = study_method(r, key, other[i], &place[i], why);
	claim->other = place;
	claim->others = n;
	comma_list_free(other, n);
	free(others);
	free(first);
	return err;
}

int study_claims(struct study_run *r, struct err_note *why)
{
	static const enum job_key kinds[] = {JOB_FINDING, JOB_CLAIM};
	int err = 0;

	for (size_t k = 0; k < 2; k++) {
		const char **text;
		const size_t n = job_texts(r->job, NULL, kinds[k], &text);
		r->claim = mem_resize(r->claim, r->contest.claims + n + 1, sizeof *r->claim);
		for (size_t i = 0; !err && i < n; i++) {
			struct contest_claim *claim = &r->claim[r->contest.claims++];
			*claim = (struct contest_claim){0};
			err = read_claim(r, text[i], kinds[k], claim, why);
		}
		free(text);
	}
	r->contest.claim = r->claim;
	return err;
}
