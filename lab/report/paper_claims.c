#include "lab/report/paper_claims.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "lab/report/study.h"
#include "lab/study/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdicts[] = {"holds", "not shown", "contradicted"};

void paper_claims_release(struct paper_claims *p)
{
	for (size_t i = 0; i < p->claims; i++)
		free(p->claim[i].text);
	for (size_t i = 0; i < p->tests; i++) {
		free(p->test[i].graph);
		free(p->test[i].verdict);
		free(p->test[i].seen);
	}
	for (size_t i = 0; i < p->findings; i++)
		free(p->finding[i].text);
	free(p->claim);
	free(p->test);
	free(p->finding);
	*p = (struct paper_claims){.claims = 0};
}

/* Returns the index of the claim with this text of n bytes; p->claims if there is none. */
static size_t place_of(const struct paper_claims *p, const char *text, size_t n)
{
	size_t i = 0;

	while (i < p->claims && (strlen(p->claim[i].text) != n || strncmp(p->claim[i].text, text, n) != 0))
		i++;
	return i;
}

void paper_claims_add(struct paper_claims *p, const char *graph, const char *claim, const char *verdict, const char *seen)
{
	const size_t i = place_of(p, claim, strlen(claim));

	if (i == p->claims) {
		p->claim = mem_grow(p->claim, &p->claim_room, i + 1, sizeof *p->claim);
		p->claim[p->claims++] = (struct paper_claim){.text = mem_text(claim)};
	}
	p->claim[i].graphs += strcmp(verdict, "not tested") != 0;
	p->claim[i].holds += strcmp(verdict, "holds") == 0;
	p->test = mem_grow(p->test, &p->test_room, p->tests + 1, sizeof *p->test);
	p->test[p->tests++] = (struct paper_test){i, mem_text(graph), mem_text(verdict), mem_text(seen)};
}

/* Returns the p of the sign test: of graphs that tell for or against a claim like coins, the chance of as uneven a count. */
static double sign_test(size_t holds, size_t graphs)
{
	const size_t fewer = holds < graphs - holds ? holds : graphs - holds;
	double term = pow(0.5, (double)graphs), sum = 0;

	for (size_t k = 0; k <= fewer; k++) {
		sum += term;
		term *= (double)(graphs - k) / (double)(k + 1);
	}
	return fmin(1, 2 * sum);
}

const char *paper_claims_verdict(const struct paper_claim *claim)
{
	if (!(sign_test(claim->holds, claim->graphs) < CONTEST_LEVEL))
		return "not shown";
	return 2 * claim->holds > claim->graphs ? "holds" : "contradicted";
}

/* Refuses a finding that names a claim which is not there, and names the nearest one. */
static int unknown_claim(const struct paper_claims *p, const char *text, size_t n, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;
	char *name = mem_text(text);

	name[n] = 0;
	for (size_t i = 0; i < p->claims; i++)
		nearest_try(name, p->claim[i].text, &best, &distance);
	if (best && !nearest_is_near(name, distance))
		best = NULL;
	const int err = err_set(why, ERR_USAGE, "a finding rests on '%s', which is no claim%s%s%s", name,
		best ? "; the nearest is '" : "", best ? best : "", best ? "'" : "");
	free(name);
	return err;
}

/* Searches for " is VERDICT:" as a whole, since a claim may contain a colon. */
int paper_claims_find(struct paper_claims *p, const char *finding, struct err_note *why)
{
	for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
		struct buf between = buf_of(" is %s:", verdicts[v]);
		buf_end(&between);
		const char *is = strstr(finding, between.at), *text = is ? is + between.used : NULL;
		buf_release(&between);
		if (!is)
			continue;
		const size_t claim = place_of(p, finding, (size_t)(is - finding));
		if (claim == p->claims)
			return unknown_claim(p, finding, (size_t)(is - finding), why);
		p->finding = mem_grow(p->finding, &p->finding_room, p->findings + 1, sizeof *p->finding);
		p->finding[p->findings++] = (struct paper_finding){claim, verdicts[v], mem_text(text + strspn(text, " \t"))};
		return 0;
	}
	return err_set(why, ERR_USAGE,
		"finding = %s: 'CLAIM is VERDICT: TEXT' is wanted; a verdict is holds, not shown or contradicted", finding);
}

static int number_of(const void *ctx, const char *name, size_t n, struct buf *out)
{
	const struct paper_claim *claim = ctx;
	const int is_holds = n == 5 && strncmp(name, "holds", n) == 0;

	if (!is_holds && (n != 6 || strncmp(name, "graphs", n) != 0))
		return 0;
	buf_format(out, "%zu", is_holds ? claim->holds : claim->graphs);
	return 1;
}

/* Writes the row of a claim: its sentence with the numbers filled in, the verdict, and on how many graphs it holds. */
static void report_row(const struct paper_claim *claim, const char *text, const char *kind, struct study *s)
{
	char *filled = sentence_filled(text, number_of, claim);
	struct buf seen = BUF_EMPTY;

	if (claim->graphs)
		buf_format(&seen, "on %zu of %zu graphs", claim->holds, claim->graphs);
	else
		buf_text(&seen, "tested on no graph");
	buf_end(&seen);
	STUDY_CELLS(s, cell_text(filled), cell_text(paper_claims_verdict(claim)), cell_text(seen.at), cell_text(kind));
	buf_release(&seen);
	free(filled);
}

void paper_claims_report(const struct paper_claims *p, struct study *s)
{
	study_table(s, "claims", "Claims",
		mem_text(
			"A claim holds where the sign test over graphs says, below 0.05, that it holds on most of them, and is contradicted where "
			"it says the opposite: fewer than six graphs show nothing. A finding is a sentence whose verdict was told beforehand: "
			"another one fails the study."),
		"claim verdict seen kind", STUDY_SHOWN);
	for (size_t i = 0; i < p->findings; i++)
		report_row(&p->claim[p->finding[i].claim], p->finding[i].text, "finding", s);
	for (size_t i = 0; i < p->claims; i++)
		report_row(&p->claim[i], p->claim[i].text, "claim", s);
	study_table(s, "claims_by_graph", NULL, mem_text("Each claim on each graph."), "graph claim verdict seen", STUDY_SHOWN);
	for (size_t i = 0; i < p->tests; i++) {
		STUDY_CELLS(s, cell_text(p->test[i].graph), cell_text(p->claim[p->test[i].claim].text),
			cell_text(p->test[i].verdict), cell_text(p->test[i].seen));
	}
}

int paper_claims_check(const struct paper_claims *p, struct err_note *why)
{
	for (size_t i = 0; i < p->findings; i++) {
		const struct paper_claim *claim = &p->claim[p->finding[i].claim];
		const char *found = paper_claims_verdict(claim);
		if (strcmp(found, p->finding[i].expected) != 0)
			return err_set(why, ERR_OTHER,
				"the finding '%s' states the verdict '%s' on its claim, but the verdict is '%s': the claim holds on %zu of %zu graphs",
				p->finding[i].text, p->finding[i].expected, found, claim->holds, claim->graphs);
	}
	return 0;
}
