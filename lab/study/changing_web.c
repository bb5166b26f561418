#include "lab/study/changing_web.h"

#include "graph/formats/dated.h"

#include <stdlib.h>
#include <string.h>

/* Makes a web that changes once every `ms`, to the links of the next month of the file. */
static int by_month(struct changing **web, const struct dataset *data, const char *path, int64_t ms, struct err_note *why)
{
	struct graph *snapshot;
	size_t n;

	if (strcmp(data->format, "dated") != 0)
		return err_set(why, ERR_USAGE, "--politeness snapshot: '%s' is no list of links by month", path);
	if (ms < 1000)
		return err_set(why, ERR_USAGE, "--politeness snapshot: a month lasts 1s at least");
	const int err = dated_snapshots(path, &snapshot, &n, why);
	if (err)
		return err;
	if (snapshot[0].nodes != data->graph.nodes) {
		const uint32_t nodes = snapshot[0].nodes;
		for (size_t i = 0; i < n; i++)
			graph_release(&snapshot[i]);
		free(snapshot);
		return err_set(why, ERR_USAGE,
			"--politeness snapshot: the months have %u pages, and the graph has %u: give --urls or --hosts as long as the graph",
			nodes, data->graph.nodes);
	}
	*web = changing_series(snapshot, n, ms / 1000);
	return 0;
}

int changing_web(struct changing **web, const struct dataset *data, const char *path, const struct virtual_time *m,
	struct err_note *why)
{
	const double own = data->part ? data->part->web.changes : 0, rate = m->change_rate >= 0 ? m->change_rate : own;

	*web = NULL;
	if ((rate > 0 || m->snapshot_ms) && data->crawled)
		return err_set(why, ERR_USAGE,
			"--politeness: the pages of a store do not change; change-rate and snapshot are for graphs");
	if (m->snapshot_ms && m->change_rate > 0)
		return err_set(why, ERR_USAGE, "--politeness: a web changes by snapshot or by change-rate, not by both");
	if (m->snapshot_ms)
		return by_month(web, data, path, m->snapshot_ms, why);
	if (rate > 0)
		*web = data->part ? changing_endless(data->part, rate)
				  : changing_by_rate(&data->graph, data->names.host, rate, m->web.seed);
	return 0;
}
