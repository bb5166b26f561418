/* The verbs of `lycosa store` that have a file of their own. */
#ifndef CLI_STORE_VERB_STORE_H
#define CLI_STORE_VERB_STORE_H

#include "cli/flags/options.h"

/* The options of every verb of `lycosa store`. */
struct store_options {
	struct standard_options standard;
	const char *store;
	int json;
	const char *warc; /* of verify: the prefix of an archive; NULL: only the store is checked */
	int failed;       /* of dump */
	int damaged;      /* 1: the rest of a damaged store is read */
	int progress;     /* enum progress_mode */
};

/* The pages that differ between two crawls of the same sites, several stores made one, and a damaged one made sound. */
extern const struct verb verb_store_diff, verb_store_merge, verb_store_salvage;

/* Prints what the store knows of a URL, and why the page is in its state (see struct verb). Returns ERR_NOTHING if the store does
 * not have the URL. */
int store_explain(const struct command *, struct err_note *why) MUST_USE;

#endif
