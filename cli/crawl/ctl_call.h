/* A call of the control of a crawl that runs elsewhere on this machine, or on another one: one request over HTTP
 * (crawler/monitor/monitor.h).
 *
 *	struct ctl_place place;
 *	int err = ctl_find(&place, "store", NULL, NULL, why);
 *	if (!err) err = ctl_call(&place, verb, args, &answer, why);
 *	ctl_release(&place); */
#ifndef CLI_CRAWL_CTL_CALL_H
#define CLI_CRAWL_CTL_CALL_H

#include "crawler/monitor/control.h"

struct ctl_place {
	char *url;   /* "http://127.0.0.1:4711" */
	char *token; /* NULL: none */
};

/* Finds the monitor of a crawl: by its store, whose file `monitor` says where it is, or by its address `url`. `token_file`
 * names a file with the token, which goes before the one of the store; NULL: none. Returns 0; ERR_USAGE if neither or
 * both are given; ERR_FILE or ERR_NOTHING if no crawl with a monitor runs on the store. The caller calls ctl_release() in
 * each case. */
int ctl_find(struct ctl_place *, const char *store, const char *url, const char *token_file, struct err_note *why) MUST_USE;

/* Frees the texts. */
void ctl_release(struct ctl_place *);

/* Sends a verb with its arguments, an object, and waits for the answer. Returns 0 with *answer, which the caller owns;
 * ERR_USAGE or ERR_NOTHING if the crawl has refused, with its words in the note; or ERR_FILE if it cannot be reached. */
int ctl_call(const struct ctl_place *, const struct control_verb *verb, const json_t *args, json_t **answer,
	struct err_note *why) MUST_USE;

#endif
