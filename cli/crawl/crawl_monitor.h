/* The monitor of a crawl (--monitor) or of a store (`lycosa view`): the control, its web server, the token, and the file
 * STORE/monitor by which `lycosa ctl --store` finds the server. The file has the mode 0600 and two lines, the address and
 * the token (empty: there is none); it is there while the monitor answers.
 *
 *	struct crawl_monitor m = {.control = NULL};
 *	int err = crawl_monitor_open(&m, &settings, metrics, why);
 *	... live_open() ...
 *	err = crawl_monitor_begin(&m, live, why);
 *	... live_run() ...
 *	crawl_monitor_close(&m); */
#ifndef CLI_CRAWL_CRAWL_MONITOR_H
#define CLI_CRAWL_CRAWL_MONITOR_H

#include "monitor/monitor.h"

#define CRAWL_MONITOR_FILE "monitor"

struct crawl_monitor {
	struct control *control; /* NULL: there is no monitor */
	/* private */
	struct monitor *server;
	const char *dir; /* of the file; NULL: none is written */
	char *file, *token;
};

/* Starts the server at the place that the configuration names, and says where it is. A server for other machines than this
 * one makes a token, unless the configuration names a file with one. `check_seed` of the settings is set here. The caller
 * calls crawl_monitor_close() in each case. Returns 0, ERR_USAGE or ERR_FILE. */
int crawl_monitor_open(struct crawl_monitor *, const struct control_settings *, struct metrics *, struct err_note *why) MUST_USE;

/* Begins to answer, and writes the file. Returns 0, ERR_FILE or ERR_DAMAGED. */
int crawl_monitor_begin(struct crawl_monitor *, struct live *, struct err_note *why) MUST_USE;

/* Removes the file, and ends the server. */
void crawl_monitor_close(struct crawl_monitor *);

#endif
