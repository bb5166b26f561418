/* What the words of links and URLs tell of pages: a linear prediction of a page's score, learned in the crawl from the pages whose
 * scores are known.
 *
 * The words of a page are what is known of it when it is discovered: the words of the anchor text of the link, those of the path
 * and query of its URL, its file name with each number as a 0, its folders and its host; and the link's place on its page, which is
 * 1/16 of its index: what a list has side by side is often alike. The prediction is the sum of the weights of these words over the
 * root of their number. Each crawled page moves the weights of its words against the error of its prediction, those of a word the
 * less the more errors the word has had before (AdaGrad; Duchi, Hazan and Singer, 2011).
 *
 *	words_meet(&page->words, view, id);              page id was discovered
 *	words_learn(&w, &page->words, value);            it was crawled, and has this value
 *	words_predict(&w, &page->words)                  of any page; 0 before anything was learned, or if it has no words */
#ifndef POLICIES_WORDS_H
#define POLICIES_WORDS_H

#include "frontier/policy.h"

#define WORDS_MOST 24
#define WORDS_ALL  16384 /* words of one number count as one */

struct words_of_page {
	uint16_t n, word[WORDS_MOST];
};

/* All zeros: nothing is learned. */
struct words {
	float weight[WORDS_ALL], errors[WORDS_ALL]; /* errors: the sum of their squares */
};

/* Keeps the words of page `id`. There are none if the policy sees neither URLs nor anchor texts. */
void words_meet(struct words_of_page *, const struct policy_view *, uint32_t id);

/* Returns the prediction. */
double words_predict(const struct words *, const struct words_of_page *);

/* Learns the value of a page. */
void words_learn(struct words *, const struct words_of_page *, double value);

#endif
