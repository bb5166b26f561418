/* What a transfer does otherwise for a host that has settings of its own. */
#include "fetch/transfer.h"

#include <string.h>

void transfer_set_host(struct transfer *t)
{
	const struct fetch_settings *set = &t->options->set;
	struct buf agent = BUF_EMPTY;

	host_settings_for_url(set->host_settings, &t->url, &t->own);
	if (t->own.user_agent) {
		buf_text(&agent, t->own.user_agent);
		buf_text(&agent, set->agent_end ? set->agent_end : "");
		answer_product(agent.at, t->product, sizeof t->product);
	} else {
		memcpy(t->product, t->options->product, sizeof t->product);
	}
	curl_easy_setopt(t->easy, CURLOPT_USERAGENT, agent.used ? agent.at : set->user_agent);
	buf_release(&agent);
}
