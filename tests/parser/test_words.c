#include "tests/test.h"

#include "base/ascii.h"
#include "base/rng.h"
#include "parser/fingerprint.h"
#include "parser/words.h"

/* A second implementation of words_next(), byte by byte, for comparison. */
struct slow {
	const char *at, *end;
};

static int is_of_word(char c)
{
	return words_is_letter((unsigned char)c) || words_is_digit((unsigned char)c);
}

static int begins(const char *at, const char *end, const char *text)
{
	return (size_t)(end - at) >= strlen(text) && ascii_same(at, text, strlen(text));
}

static const char *behind(const char *at, const char *end, char c)
{
	while (at < end && *at != c)
		at++;
	return at < end ? at + 1 : end;
}

static int is_tag(const char *at, const char *end)
{
	return *at == '<' && at + 1 < end && (words_is_letter((unsigned char)at[1]) || strchr("/!?", at[1])) && at[1];
}

/* The end of the tag; of a script or style, the end of its end tag. */
static const char *end_of_tag(const char *at, const char *end)
{
	static const char *const raw[][2] = {{"<script", "</script"}, {"<style", "</style"}};

	for (size_t i = 0; i < 2; i++)
		if (begins(at, end, raw[i][0]) && (size_t)(end - at) >= strlen(raw[i][1])) {
			for (at++; at < end && !begins(at, end, raw[i][1]); at++)
				;
			break;
		}
	return behind(at, end, '>');
}

static int is_media(const char *at, const char *end)
{
	static const char *const names[] = {"<img", "<source", "<video", "<audio", "<iframe", "<frame", "<embed", "<object"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (begins(at, end, names[i]) && at + strlen(names[i]) < end &&
			!words_is_letter((unsigned char)at[strlen(names[i])]))
			return 1;
	return 0;
}

static enum words_kind slow_next(struct slow *s, struct words_text *text)
{
	unsigned letters = 0, digits = 0;

	for (; s->at < s->end && !is_of_word(*s->at); s->at++) {
		const char *start = s->at;
		if (!is_tag(start, s->end))
			continue;
		s->at = end_of_tag(start, s->end);
		*text = (struct words_text){start, (size_t)(s->at - start)};
		if (is_media(start, s->at))
			return WORDS_MEDIA;
		s->at--;
	}
	text->at = s->at;
	for (; s->at < s->end && is_of_word(*s->at); s->at++)
		*(words_is_digit((unsigned char)*s->at) ? &digits : &letters) += 1;
	text->length = letters + digits;
	return !text->length ? WORDS_END : !digits ? WORDS_LETTERS : letters ? WORDS_MIXED : WORDS_NUMBER;
}

/* Appends random pieces of HTML to a text of at most `room` bytes. Returns its length. */
static size_t make_document(struct rng *rng, char *text, size_t room)
{
	static const char *const pieces[] = {"<", ">", "<a href=x>", "</b>", "<script>", "</script>", "<STYLE a>", "</style x>",
		"<img src=1>", "<IMG/>", "<img", "<image>", "<video", "<iframe >", "<!--", "-->", "a", "word",
		"Antidisestablishmentarianism", "7", "2031", "ab12", " ", "    ", "\n", "\xc3\xa4", "<\xc3\xa4>", "< b", "<?x?>",
		"<s>", "<strong>", "<so", "<em>", "<embed>",
		"1234567890123456789012345678901234567890123456789012345678901234567890", "&lt;", "/", "=\"'"};
	const size_t most = 1 + (size_t)rng_below(rng, room);
	size_t n = 0;

	for (;;) {
		const char *piece = pieces[rng_below(rng, sizeof pieces / sizeof *pieces)];
		if (n + strlen(piece) > most)
			return n;
		memcpy(text + n, piece, strlen(piece));
		n += strlen(piece);
	}
}

static void words_are_those_of_a_reading_byte_by_byte(void **state)
{
	struct rng rng = {.state = 1};
	char text[700];
	(void)state;

	for (unsigned i = 0; i < 20000; i++) {
		const size_t n = make_document(&rng, text, sizeof text);
		char *exact = malloc(n + !n); /* sanitizers see reads beyond the end */
		struct words_text fast_text, slow_text;
		struct slow slow = {exact, exact + n};
		struct words fast;
		enum words_kind kind;
		memcpy(exact, text, n);
		words_init(&fast, exact, n);
		do {
			kind = words_next(&fast, &fast_text);
			if (slow_next(&slow, &slow_text) != kind || fast_text.at != slow_text.at ||
				fast_text.length != slow_text.length)
				fail_msg("document %u, byte %zu: %.*s", i, (size_t)(slow_text.at - exact), (int)n, exact);
		} while (kind != WORDS_END);
		free(exact);
	}
}

static void an_empty_document_has_no_words_wherever_it_is(void **state)
{
	static const char *const documents[] = {NULL, ""}; /* the body of an empty answer is NULL */
	struct words_text text;
	struct words w;
	(void)state;

	for (size_t i = 0; i < 2; i++) {
		words_init(&w, documents[i], 0);
		assert_int_equal(words_next(&w, &text), WORDS_END);
		assert_int_equal(text.length, 0);
		words_hash(&w, text); /* sanitizers see a use of NULL */
		assert_int_equal(fingerprint_html(documents[i], 0, NULL, 0, NULL).words, 0);
		assert_int_equal(simhash_html(documents[i], 0), 0);
	}
}

static void classes_are_the_same_with_and_without_the_processors_widest_vectors(void **state)
{
	enum { BLOCKS = 5 };
	char bytes[BLOCKS * CLASSES_BLOCK];
	struct classes wide[BLOCKS], plain[BLOCKS];
	struct rng rng = {.state = 7};
	(void)state;

	for (int round = 0; round < 200; round++) {
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (char)(round ? rng_next(&rng) : i);
		classes_find(bytes, BLOCKS, wide);
		classes_find_plainly(bytes, BLOCKS, plain);
		assert_memory_equal(wide, plain, sizeof wide);
		for (size_t i = 0; i < sizeof bytes; i++) {
			const struct classes c = wide[i / CLASSES_BLOCK];
			const unsigned bit = i % CLASSES_BLOCK;
			assert_int_equal(c.word >> bit & 1, is_of_word(bytes[i]));
			assert_int_equal(c.digit >> bit & 1, words_is_digit((unsigned char)bytes[i]));
			assert_int_equal(c.open >> bit & 1, bytes[i] == '<');
			assert_int_equal(c.close >> bit & 1, bytes[i] == '>');
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_are_the_same_with_and_without_the_processors_widest_vectors),
		cmocka_unit_test(an_empty_document_has_no_words_wherever_it_is),
		cmocka_unit_test(words_are_those_of_a_reading_byte_by_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
