#include "base/outcome.h"

static const struct row {
	const char *word, *sentence;
	enum page_state state;
	unsigned traits;
} rows[OUTCOMES] = {
#define OUTCOME_ROW(name, number, word, state, traits, sentence) [number] = {word, sentence, PAGE_##state, traits},
	OUTCOME_TABLE(OUTCOME_ROW)
#undef OUTCOME_ROW
};

static const struct row later = {"unknown", "for a reason of a later version", PAGE_FAILED, 0};

static const struct row *row_of(unsigned outcome)
{
	return outcome < OUTCOMES && rows[outcome].word ? &rows[outcome] : &later;
}

const char *outcome_word(unsigned outcome)
{
	return row_of(outcome)->word;
}

const char *outcome_sentence(unsigned outcome)
{
	return row_of(outcome)->sentence;
}

enum page_state outcome_state(unsigned outcome)
{
	return row_of(outcome)->state;
}

int outcome_has(unsigned outcome, enum outcome_trait trait)
{
	return (row_of(outcome)->traits & trait) != 0;
}

int outcome_is_local(unsigned outcome)
{
	return outcome_has(outcome, TRAIT_AGAIN) && !outcome_has(outcome, TRAIT_TRY);
}

int outcome_may_leave(unsigned outcome, enum page_state state)
{
	return state == outcome_state(outcome) || (state == PAGE_QUEUED && outcome_has(outcome, TRAIT_AGAIN));
}

int outcome_is_reason(unsigned outcome)
{
	return outcome != OUTCOME_NONE && outcome != OUTCOME_CRAWLED && outcome != OUTCOME_REDIRECTED;
}

unsigned outcome_next(unsigned outcome)
{
	do
		outcome++;
	while (outcome < OUTCOMES && !rows[outcome].word);
	return outcome;
}

const char *outcome_event(unsigned outcome, enum page_state state)
{
	if (state != PAGE_QUEUED)
		return page_state_name(state);
	if (outcome == OUTCOME_DEFERRED)
		return "put-off";
	return outcome_has(outcome, TRAIT_WAITS) ? "put-back" : "retry";
}

const char *page_state_name(unsigned state)
{
	static const char *const names[PAGE_STATES] = {
		[PAGE_UNSEEN] = "unseen",
		[PAGE_QUEUED] = "queued",
		[PAGE_IN_FLIGHT] = "in flight",
		[PAGE_CRAWLED] = "crawled",
		[PAGE_FAILED] = "failed",
		[PAGE_REFUSED] = "refused",
		[PAGE_REDIRECTED] = "redirected",
		[PAGE_OUTSIDE] = "out of scope",
		[PAGE_REMOTE] = "remote",
	};

	return state < PAGE_STATES ? names[state] : "unknown";
}

/* Returns the outcome that the error number 0, "ok", meant in a store of format 1, by the state of the page. */
static enum outcome of_state(unsigned state)
{
	return state == PAGE_CRAWLED       ? OUTCOME_CRAWLED
		: state == PAGE_REDIRECTED ? OUTCOME_REDIRECTED
		: state == PAGE_REFUSED    ? OUTCOME_ROBOTS
					   : OUTCOME_STATUS;
}

enum outcome outcome_of_format_1(unsigned state, unsigned error)
{
	if (error == OUTCOME_NONE)
		return of_state(state);
	if (error == OUTCOME_ROBOTS_WAIT && state == PAGE_REFUSED)
		return OUTCOME_ROBOTS_UNAVAILABLE;
	return error == 10 ? OUTCOME_BUDGET : (enum outcome)error;
}

int outcome_is_skip(unsigned outcome)
{
	return outcome == OUTCOME_DUPLICATE || outcome == OUTCOME_MIRROR || outcome == OUTCOME_SESSION ||
		outcome == OUTCOME_REPEATS || outcome == OUTCOME_CALENDAR || outcome == OUTCOME_QUERIES || outcome == OUTCOME_CHAIN;
}

enum outcome outcome_of_refusal_1(unsigned refusal)
{
	return refusal ? (enum outcome)(refusal + OUTCOME_HOST - 1) : OUTCOME_NONE;
}
