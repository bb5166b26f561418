#include "cli/lab/study_gap.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/lab/comma_list.h"
#include "cli/lab/study_claims.h"

#include <stdlib.h>
#include <string.h>

int study_yardstick(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_GAP);
	size_t n;

	if (!text)
		return 0;
	char **word = comma_list_cut(text, &n);
	if (n == 2) {
		r->policy = mem_resize(r->policy, r->policies + 2, sizeof *r->policy);
		r->policy[r->policies] = mem_text(word[1]);
		r->policy[r->policies + 1] = NULL;
		r->contest.yardstick = r->policy[r->policies];
		r->yardsticks = 1;
	}
	comma_list_free(word, n);
	return n == 2 ? 0 : job_wrong(r->job, NULL, JOB_GAP, "a policy and a yardstick are wanted, as in echo, omniscient", why);
}

int study_gap(struct study_run *r, struct err_note *why)
{
	const char *text = job_text(r->job, NULL, JOB_GAP), *least = job_text(r->job, NULL, JOB_LEAST_GAP);

	if (!text)
		return 0;
	if (num_real(least, &r->contest.least_gap) || r->contest.least_gap < 0)
		return job_wrong(r->job, NULL, JOB_LEAST_GAP, "a number of percentage points is wanted", why);
	r->contest.least_gap /= 100;
	char *name = comma_list_trimmed(text, strcspn(text, ","));
	const int err = study_method(r, JOB_GAP, name, &r->contest.challenger, why);
	free(name);
	return err;
}
