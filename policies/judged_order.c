#include "policies/judged_order.h"

#include <math.h>

#define DECAY 0.99 /* of the counts, a page */
#define STEP  1e-6

void judged_order_add(struct judged_order *j, double score, const double prediction[JUDGED_PREDICTIONS])
{
	for (int p = 0; p < JUDGED_PREDICTIONS; p++)
		j->order[p] *= DECAY;
	for (uint64_t i = 0; i < j->pages && i < JUDGED_RECENT; i++)
		for (int p = 0; p < JUDGED_PREDICTIONS; p++) {
			const double better = score - j->recent[i].score, before = prediction[p] - j->recent[i].prediction[p];
			if (fabs(before) > STEP)
				j->order[p] += before > 0 ? better : -better;
		}
	const uint64_t at = j->pages++ % JUDGED_RECENT;
	j->recent[at].score = score;
	for (int p = 0; p < JUDGED_PREDICTIONS; p++)
		j->recent[at].prediction[p] = prediction[p];
}
