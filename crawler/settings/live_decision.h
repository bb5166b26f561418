/* Decides the configuration of one sitting of a crawl, from the settings that the user asks for now, the settings that the
 * store keeps from earlier sittings, and the defaults. Each setting (row of the table in crawler/settings/live_config.h) gets
 * the first of these values that there is:
 *
 *   asked for now      a setting that is FLAG_BY_SWAP, FLAG_BY_RESCOPE or FLAG_FIXED must not differ from the
 *                      store's, unless the user also asks for the swap or the rescope
 *   kept in the store  a secret is not kept, and a setting that loads, runs, writes or sends something is not used because the
 *                      store has it (enum flag_trust): the user must give it again, or it is left out
 *   the default
 *
 * --mirror implies --requisites, and, as --wacz does, without --warc an archive in the store's folder, also in a sitting that
 * leaves its folder out.
 *
 * The store keeps every setting that the user has asked for, with the value of the first sitting that asked for it. If a
 * later sitting asks for another value of a FLAG_FREE setting, that value holds for this sitting alone, or, with
 * LIVE_KEEP, replaces the store's.
 *
 *   struct live_decision d;
 *   int err = live_decide(&d, &asked, store, why);      the store may be NULL: a new crawl
 *   if (!err) ... d.config.delay ...
 *   if (!err) err = live_decision_keep(&d, store, why);
 *   live_decision_release(&d); */
#ifndef CRAWLER_LIVE_DECISION_H
#define CRAWLER_LIVE_DECISION_H

#include "crawler/settings/live_config.h"
#include "storage/store.h"

#include <stddef.h>

/* How the user asked for a setting: not at all, with a value, or with "--no-NAME" for the default value. */
enum live_asking { LIVE_UNASKED, LIVE_ASKED, LIVE_ASKED_DEFAULT };

/* Which settings of the store this sitting may replace; a mask. */
enum {
	LIVE_SWAP = 1 /* those of the policy */,
	LIVE_RESCOPE = 2 /* those of the scope */,
	LIVE_KEEP = 4 /* all FLAG_FREE settings */,
	LIVE_RETRAP = 16 /* options of the trap detectors, those that are asked for alone */,
	LIVE_VIEW = 8 /* none: the crawl is only looked at, and needs no secret */
};

struct live_asked {
	const char *dir;                  /* the store's folder, for messages */
	const struct live_config *config; /* the values asked for; defaults elsewhere */
	uint8_t row[LIVE_CONFIG_ROWS];    /* an enum live_asking for each row */
	unsigned replace;                 /* a mask of these */
	int joins;                        /* 1: several agents make the crawl */
};

/* Notes that the user asks for the setting at this offset of struct live_config. */
void live_ask(struct live_asked *, size_t at);

/* Asks for a value of a setting: LIVE_ASK(&asked, &config, delay, 0), where asked.config is &config. */
#define LIVE_ASK(asked, config, field, value) ((config)->field = (value), live_ask((asked), offsetof(struct live_config, field)))

/* Where a setting's value comes from: the defaults, the user, or the store. */
enum live_origin { LIVE_DEFAULT, LIVE_GIVEN, LIVE_KEPT };

struct live_decision {
	struct live_config config;        /* the decision */
	uint8_t origin[LIVE_CONFIG_ROWS]; /* an enum live_origin for each row */
	int resumed;                      /* 1 if the store already has a crawl */
	struct buf changes;               /* the changes of the scope, as lines "name=value"; empty if none */
	int is_swap;                      /* 1 if the policy or its options change */
	struct buf overruled;             /* a text on the kept settings that this sitting overrules; empty if none */
	struct buf left_out;              /* the settings that the store alone names and that are not used; empty if none */
	/* private */
	char *keep[LIVE_CONFIG_ROWS]; /* the new text for the store; NULL if the store's does not change */
	char *secrets;                /* the names of the secrets that were given */
	struct flag_texts texts;
};

/* Says whether a crawl that begins with these settings keeps anchor texts although it is not told to: its policy predicts scores by
 * them. */
int live_config_wants_anchors(const struct live_config *);

/* Decides. `store` is NULL for a new crawl. Returns 0; ERR_USAGE if the user asks for a value that differs from the store's
 * (the note has both values and the way out), or must give a setting again (a secret, a policy in a file, a proxy);
 * ERR_DAMAGED if the store has a text that its row does not accept; or ERR_FILE. The caller calls
 * live_decision_release() in each case. */
int live_decide(struct live_decision *, const struct live_asked *, struct store *, struct err_note *why) MUST_USE;

/* Returns where the value of the row with this name comes from. */
enum live_origin live_decision_origin(const struct live_decision *, const char *name);

/* Writes the settings that the store keeps from now on into the store, which is open for writing. Returns 0 or an error of
 * store_set(). */
int live_decision_keep(const struct live_decision *, struct store *, struct err_note *why) MUST_USE;

/* Calls a function for each setting that the store of a new crawl keeps, with its row (NULL: it has none). */
void live_decision_each(const struct live_decision *,
	void (*each)(void *ctx, const struct flag *row, const char *name, const char *value), void *ctx);

/* Says whether the setting of this name is a secret that an earlier sitting was given and that the store does not keep. */
int live_decision_is_withheld(struct store *, const char *name);

/* Appends the flags that the next sitting of the crawl in a store must give again, or end by --no-NAME, because the store alone
 * cannot ask for them: "--connect-to, --proxy". Appends nothing if there are none. */
void live_decision_needs(struct store *, const char *dir, struct buf *);

/* Frees the memory; the texts of `config` become invalid. */
void live_decision_release(struct live_decision *);

#endif
