#include "simweb/endless_words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FREQUENT  16 /* true words of a language */
#define SYLLABLES 16

struct language {
	const char *code;
	const char *frequent[FREQUENT];
	const char *syllable[SYLLABLES];
};

static const struct language languages[ENDLESS_LANGUAGES] = {
	{"en", {"the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "on", "are", "as", "with", "at"},
		{"ter", "ing", "on", "ver", "ly", "ment", "con", "er", "al", "ten", "com", "per", "sto", "ri", "wa", "de"}},
	{"de", {"der", "die", "und", "in", "den", "von", "zu", "das", "mit", "sich", "des", "auf", "für", "ist", "im", "dem"},
		{"schl", "ung", "ver", "ge", "lich", "ein", "kün", "tra", "ber", "stei", "mö", "wach", "en", "haf", "tig", "el"}},
	{"fr", {"de", "la", "le", "et", "les", "des", "en", "un", "du", "une", "que", "est", "pour", "qui", "dans", "à"},
		{"tion", "ré", "eau", "mon", "pré", "gue", "oir", "che", "lan", "eur", "vi", "ment", "fê", "sou", "ter", "on"}},
	{"es", {"de", "la", "que", "el", "en", "y", "a", "los", "del", "se", "las", "por", "un", "para", "con", "no"},
		{"ción", "do", "tra", "men", "ría", "ca", "lo", "ñe", "gue", "per", "so", "dad", "mu", "ji", "bre", "zo"}},
	{"it", {"di", "e", "il", "la", "che", "in", "a", "un", "per", "del", "della", "non", "con", "le", "si", "da"},
		{"zio", "ne", "gli", "ta", "men", "to", "scu", "pra", "lle", "vo", "ri", "cchi", "ssa", "fe", "lo", "mu"}},
	{"ru", {"и", "в", "не", "на", "что", "с", "он", "как", "это", "по", "но", "из", "к", "за", "от", "для"},
		{"ство", "ная", "пере", "ло", "ния", "во", "та", "мо", "ски", "ря", "бу", "вы", "де", "гор", "щи", "ле"}},
	{"el", {"και", "το", "η", "της", "να", "ο", "του", "για", "με", "την", "από", "των", "που", "οι", "τα", "είναι"},
		{"λογ", "μα", "τη", "ρία", "κος", "σης", "πα", "νο", "θε", "γρα", "φι", "δυ", "ξε", "βα", "χω", "ζή"}},
	{"ja", {"の", "に", "は", "を", "た", "が", "で", "て", "と", "し", "れ", "さ", "ある", "いる", "も", "する"},
		{"山", "川", "学", "校", "時", "間", "会", "社", "東", "方", "カ", "メ", "ラ", "ト", "行く", "見る"}},
};

const char *endless_language(unsigned language)
{
	return languages[language].code;
}

void endless_word(unsigned language, unsigned rank, struct buf *out)
{
	const struct language *l = &languages[language];

	assert(rank < ENDLESS_VOCABULARY);
	if (rank < FREQUENT) {
		buf_text(out, l->frequent[rank]);
		return;
	}
	/* the rank in base 16, scattered by an odd factor so that neighbours do not look alike */
	for (unsigned left = rank * 40503u & (ENDLESS_VOCABULARY - 1), n = rank > 8192 ? 4 : rank > 512 ? 3 : 2; n; n--, left >>= 4)
		buf_text(out, l->syllable[left & (SYLLABLES - 1)]);
}

void endless_ascii_word(uint64_t bits, struct buf *out)
{
	static const char consonant[] = "bdfgklmnprstvzhj", vowel[] = "aeio";

	for (uint64_t n = 2 + bits % 3; n; n--) {
		bits >>= 6;
		buf_byte(out, consonant[bits & 15]);
		buf_byte(out, vowel[bits >> 4 & 3]);
	}
}

void endless_text(unsigned language, unsigned words, struct rng *r, struct buf *out)
{
	static const double log_vocabulary = 11.090354888959125;

	for (unsigned i = 0; i < words; i++) {
		endless_word(language, (unsigned)exp(rng_unit(r) * log_vocabulary) - 1, out);
		buf_text(out, i % 11 == 10 && i + 1 < words ? ". " : i + 1 < words ? " " : ".");
	}
}
