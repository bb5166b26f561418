/* `lycosa store explain`: why a URL is where it is. */
#ifndef CLI_STORE_STORE_EXPLAIN_H
#define CLI_STORE_STORE_EXPLAIN_H

#include "cli/flags/options.h"
#include "storage/store.h"

/* Of every verb within `store`. */
struct store_options {
	struct standard_options standard;
	const char *store;
	int json;
	const char *warc; /* of verify: a prefix; NULL: the store alone is checked */
	int failed;       /* of dump */
	int progress;     /* enum progress_mode */
};

/* The verb's run, see struct verb. ERR_NOTHING where the store does not know the URL. */
int store_explain(const struct command *, struct err_note *why) MUST_USE;

#endif
