/* The changing web that a crawl in virtual time meets: what the data set and the settings of virtual time say of changes.
 *
 *	err = changing_web(&web, &data, path, &virtual_time, why);        *web is NULL if nothing ever changes
 *	...
 *	changing_free(web); */
#ifndef LAB_STUDY_CHANGING_WEB_H
#define LAB_STUDY_CHANGING_WEB_H

#include "lab/study/virtual_time.h"
#include "simweb/changing.h"

/* Makes the web of a data set that was opened from `path`. With virtual_time->snapshot_ms it is a series of the months of a list of
 * links by month. Else it changes at virtual_time->change_rate, and a part of an endless web by its own `changes` if the settings
 * have no rate. Returns 0; ERR_USAGE if the settings ask for months of a graph that has none, or for changes of a store; or an
 * error of dated_snapshots(). The data set must outlive the web. */
int changing_web(struct changing **web, const struct dataset *, const char *path, const struct virtual_time *,
	struct err_note *why) MUST_USE;

#endif
