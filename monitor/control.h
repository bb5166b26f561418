/* The control of a crawl: the readings and commands behind the monitor (--monitor), `lycosa ctl` and `lycosa view`. Each is a
 * verb with arguments and an answer in JSON; doc/control.md describes them, and control_verbs[] is the table.
 *
 *	struct control *c = control_new(&settings);
 *	observers[n++] = control_observer(c);
 *	err = control_begin(c, live, why);                   after live_open(); live_run() comes next
 *	err = control_ask(c, "status", args, &answer, why);  from any thread, while the crawl runs
 *	control_end(c);                                      after live_run(): nothing is answered any more
 *
 * The coordinator thread answers between two steps of the crawl loop (`step` of struct observer), so an answer shows one
 * moment of the crawl, and a command meets no event that is half told. What a command changes:
 *
 *   seed               in the store and its log, as a seed of the command line: the crawl resumes with it
 *   block, unblock     in the setting block-hosts of the store, and an event of the log for each page (crawler/resume/retry.c)
 *   delay              in the setting of the store
 *   pause, resume, hold, release, stop                  this sitting alone
 *
 * A command is committed before it is answered. */
#ifndef MONITOR_CONTROL_H
#define MONITOR_CONTROL_H

#include "crawler/live/live.h"
#include "monitor/tally.h"

#include <jansson.h>

enum control_kind { CONTROL_READING, CONTROL_COMMAND };

struct control;

/* An argument of a verb. */
struct control_argument {
	const char *name, *help;
	enum { CONTROL_OPTIONAL, CONTROL_NEEDED, CONTROL_LIST } need; /* LIST: an array of texts, or one text */
};

#define CONTROL_ARGUMENTS 4

struct control_verb {
	const char *name, *summary; /* the summary is a full sentence */
	enum control_kind kind;
	struct control_argument argument[CONTROL_ARGUMENTS]; /* the first without a name ends them */
	/* Answers by adding members to an object; the arguments are there, and are texts or lists of texts. */
	int (*answer)(struct control *, const json_t *args, json_t *out, struct err_note *why);
};

/* The table; a verb without a name ends it. */
extern const struct control_verb control_verbs[];

/* The words that the arguments "sort-by" and "only" of `hosts` take, as a flag_words (base/flag.h). */
const char *control_figure_word(size_t i);
const char *control_state_word(size_t i);
#define CONTROL_FIGURES "queued, crawled, failed, refused, requests, failures, bytes, mean_ms or name"
#define CONTROL_STATES  "idle, ready, rests, held, given-up, spent or blocked"

/* Returns the verb with this name, or NULL with the nearest name in the note. */
const struct control_verb *control_verb_named(const char *name, struct err_note *why);

struct control_settings {
	const char *dir;                      /* the store's folder */
	const struct live_decision *decision; /* must outlive the control */
	volatile sig_atomic_t *stop;          /* what live_settings.stop points to; NULL: the store is only viewed */
	int *paused;                          /* what live_settings.paused points to; NULL as `stop` is */
	struct tally *tally;                  /* whose observer is called before the control's; must outlive the control */
	/* Says whether a seed that is added while the crawl runs is allowed: 0, or an error with a note. NULL: every seed
	 * is. */
	int (*check_seed)(const void *ctx, const struct url *, struct err_note *why);
	const void *check_ctx;
};

/* Makes a control that answers nothing yet; the caller frees it with control_free(). */
struct control *control_new(const struct control_settings *);

/* Frees a control that no thread asks any more. NULL is allowed. */
void control_free(struct control *);

/* Returns the observer that counts events, and answers what is asked. */
struct observer control_observer(struct control *);

/* Begins to answer about a crawl that is open. Reads the log once, for the ways to pages. Returns 0 or ERR_DAMAGED. */
int control_begin(struct control *, struct live *, struct err_note *why) MUST_USE;

/* Ends answering, in the coordinator thread. */
void control_end(struct control *);

/* Answers all that is asked now, where no crawl loop runs (`lycosa view`). */
void control_answer_now(struct control *);

/* Asks from any thread, and waits up to a minute. args is an object or NULL. Returns 0 with *answer, an object that
 * the caller owns; ERR_USAGE for an unknown verb or wrong arguments; ERR_NOTHING if the crawl does not know the URL or
 * host; ERR_BUSY if it has not answered; or another error of the command. */
int control_ask(struct control *, const char *verb, const json_t *args, json_t **answer, struct err_note *why) MUST_USE;

#endif
