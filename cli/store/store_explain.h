/* `lycosa store explain`: prints what the store knows of a URL, and why the page is in its state. */
#ifndef CLI_STORE_STORE_EXPLAIN_H
#define CLI_STORE_STORE_EXPLAIN_H

#include "cli/flags/options.h"
#include "storage/store.h"

/* The options of every verb of `lycosa store`. */
struct store_options {
	struct standard_options standard;
	const char *store;
	int json;
	const char *warc; /* of verify: the prefix of an archive; NULL: only the store is checked */
	int failed;       /* of dump */
	int progress;     /* enum progress_mode */
};

/* Runs the verb (see struct verb). Returns ERR_NOTHING if the store does not have the URL. */
int store_explain(const struct command *, struct err_note *why) MUST_USE;

#endif
