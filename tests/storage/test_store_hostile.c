/* Stores as somebody makes them who knows the format and means harm: the checksums fit, and the contents are at their worst. Every
 * verb that reads a store is run on each of them. It answers, or ends with a status of the manual and a line that says why; it does
 * not crash, hang, print control characters, write outside of the store, run a program or connect.
 *
 *	test_store_hostile [SHARE]    each store under one of SHARE verbs, in turn; 1: under all */
#include "tests/storage/store_verbs.h"

#include "base/flag.h"
#include "storage/lmdb_check.h"
#include "tests/storage/raw_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#define DAMAGED 18
#define ABROAD  "../abroad"    /* the folder of files that no verb may touch */
#define MARK    ABROAD "/mark" /* what a program would make that a store has somebody run */

static char *sound, *url;
static size_t sound_n;
static int listener; /* nobody may connect to it */
static unsigned port;
static unsigned wrong;
static size_t share = 10, turn;

/* --- what may not change */

static uint64_t seen_abroad;

static int add_file(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)at;
	seen_abroad = XXH3_64bits_withSeed(path, strlen(path), seen_abroad + (uint64_t)kind);
	if (kind == FTW_F) {
		seen_abroad ^= store_verbs_hash(path) + (uint64_t)st->st_mode + (uint64_t)st->st_ino;
		seen_abroad = XXH3_64bits_withSeed(&st->st_mtim, sizeof st->st_mtim, seen_abroad);
	}
	return 0;
}

/* Returns a number that tells the files abroad from all others. */
static uint64_t abroad(void)
{
	seen_abroad = 0;
	assert_int_equal(nftw(ABROAD, add_file, 8, FTW_PHYS), 0);
	return seen_abroad;
}

/* Says whether only what the verbs may write lies beside the store. */
static int is_beside(const char *name)
{
	static const char *const known[] = {".", "..", "s", "other", "settings", "both", "new", "converted", "out", "err", "seeds"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(name, known[i]) == 0)
			return 1;
	return 0;
}

static void look_around(const char *what, uint64_t before)
{
	const struct dirent *e;
	DIR *here = opendir(".");

	if (abroad() != before) {
		wrong++;
		print_message("# %s: something is written or removed outside of the store\n", what);
	}
	assert_non_null(here);
	while ((e = readdir(here)))
		if (!is_beside(e->d_name)) {
			wrong++;
			print_message("# %s: '%s' is written beside the store\n", what, e->d_name);
		}
	closedir(here);
	if (accept(listener, NULL, NULL) >= 0) {
		wrong++;
		print_message("# %s: somebody has connected\n", what);
	}
}

/* --- judging a verb */

/* Says whether a text has a control character other than line feed and TAB, of C0, C1 or DEL. */
static int has_controls(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)at[i];
		if ((c < ' ' && c != '\n' && c != '\t' && c != '\r') || c == 0x7f)
			return 1;
		if (c == 0xc2 && i + 1 < n && (unsigned char)at[i + 1] >= 0x80 && (unsigned char)at[i + 1] < 0xa0)
			return 1;
	}
	return 0;
}

/* Returns what is wrong with how a verb has ended, or NULL. */
static const char *judge(const struct store_verb *v, int status)
{
	static const int known[] = {0, 1, 2, 3, 4, DAMAGED, 19, 21};
	const char *problem = "ends with a status that no manual has";
	size_t out_n, err_n;
	char *out = store_verbs_slurp("out", &out_n), *err = store_verbs_slurp("err", &err_n);

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (status == known[i])
			problem = NULL;
	if (status >= 128)
		problem = "crashes or hangs";
	else if (status && strncmp(err, "lycosa: ", 8) != 0)
		problem = "says not why";
	else if ((v->kind != VERB_LIBRARY && has_controls(out, out_n)) || has_controls(err, err_n))
		problem = "prints control characters";
	free(out);
	free(err);
	return problem;
}

/* Makes the store sound. */
static void begin(void)
{
	nftw("s", scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(mkdir("s", 0777), 0);
	store_verbs_put(sound, sound_n);
}

/* Runs all verbs, each on a store that `make` has spoiled. `verified` is the status of `store verify`; -1: any. */
static void try_case(const char *what, void (*make)(const void *), const void *with, int verified)
{
	static const struct store_verb more[] = {
		{VERB_WRITES, {"store", "salvage", "s", "--to", "new", "-q"}},
		{VERB_READS, {"ctl", "status", "--store", "s"}},
	};
	const uint64_t before = abroad();

	int is_spoiled = 0; /* and no verb has written into it since */
	turn++;
	for (size_t i = 0; i < STORE_VERBS + sizeof more / sizeof *more; i++) {
		const struct store_verb *v = i < STORE_VERBS ? &store_verbs[i] : &more[i - STORE_VERBS];
		if ((i + turn) % share && v->kind != VERB_TELLS)
			continue;
		store_verbs_clear();
		if (!is_spoiled) {
			begin();
			make(with);
		}
		is_spoiled = v->kind != VERB_WRITES;
		const int status = store_verb_run(v->args, url);
		const char *problem = judge(v, status);
		if (!problem && v->kind == VERB_TELLS && verified >= 0 && status != verified)
			problem = "says something else of the store";
		if (!problem)
			continue;
		size_t n;
		char *said = store_verbs_slurp("err", &n);
		err_escape(said);
		print_message("# %s: '%s %s' %s (status %d): %.300s\n", what, v->args[0], v->args[1] ? v->args[1] : "", problem,
			status, said);
		free(said);
		wrong++;
	}
	look_around(what, before);
}

/* --- values at their worst */

struct value {
	const char *what, *db, *key, *bytes;
	size_t key_n, n;
	int verified;
};
#define VALUE(what, db, key, bytes, verified) \
	{ \
		what, db, key, bytes, sizeof(key) - 1, sizeof(bytes) - 1, verified \
	}
#define BIG "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" /* 2^64 - 1 */
#define U32 "\xff\xff\xff\xff\x0f"                     /* 2^32 - 1 */

static const struct value values[] = {
	VALUE("counts without end", "meta", "counts", BIG BIG BIG BIG BIG, DAMAGED),
	VALUE("as many pages as there can be", "meta", "counts", "\x01\xfe\xff\xff\xff\x0f\x01\x01\x01", DAMAGED),
	VALUE("a log without end", "meta", "counts", "\x05\x20\x20\x20" BIG, DAMAGED),
	VALUE("counts of nothing", "meta", "counts", "\0\0\0\0\0", DAMAGED),
	VALUE("counts that are cut", "meta", "counts", "\x05\x20\x20\x20\xff", DAMAGED),
	VALUE("no counts", "meta", "counts", "", DAMAGED),
	VALUE("the number of a later format", "meta", "format", "7", DAMAGED),
	VALUE("a negative format", "meta", "format", "-5", DAMAGED),
	VALUE("a format that is none", "meta", "format", "5 ", DAMAGED),
	VALUE("a format without end", "meta", "format", "99999999999999999999", DAMAGED),
	VALUE("a chunk whose key is short", "pages", "\0\0\1", "\1\0\0\0", DAMAGED),
	VALUE("a chunk at the end of all numbers", "links", "\xff\xff\xff\xff\xff\xff\xff\xff", "\0\0", DAMAGED),
	VALUE("a chunk of pages that is empty", "pages", "\0\0\0\0\0\0\0\0", "", DAMAGED),
	VALUE("a chunk of links whose ends descend", "links", "\0\0\0\0\0\0\0\0",
		"\0\0\1\0\2\0\3\0\4\0\5\0\6\0\7\0" BIG BIG BIG BIG BIG BIG BIG BIG BIG BIG BIG BIG BIG BIG BIG, DAMAGED),
	VALUE("a setting with line feeds", "settings", "user-agent", "x\r\nHost: evil.test\r\nX: \x1b]0;owned\x07", 0),
	VALUE("a setting's name with line feeds", "settings", "proxy\nlog=/x\x1b[2J", "x", 0),
	VALUE("a setting of no name that fits", "settings", "../../abroad/file", "x", 0),
	VALUE("a setting with a NUL", "settings", "policy", "bfs\0opic", DAMAGED),
	VALUE("a robots.txt of no origin", "robots", "../../abroad/file", "\x02User-agent: *\nDisallow: /\x1b[2J", 0),
	VALUE("a robots.txt without its time", "robots", "http://h0.test", BIG, -1),
	VALUE("a robots.txt of all times", "robots", "http://h0.test", "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01x", 0),
	VALUE("a visit of no page", "visits", "\xff\xff\xff\xff", "\0\0\1\0\0\0\0................\0", DAMAGED),
	VALUE("a visit that is cut", "visits", "\0\0\0\1", "\0", DAMAGED),
	VALUE("a visit with counts without end", "visits", "\0\0\0\1", "\0\0" BIG BIG BIG BIG BIG "................" BIG, DAMAGED),
	VALUE("a change without its visit", "visits", "\0\0\0\1\xff\xff\xff\xff", "\2\0" BIG BIG "\0................\0\0", DAMAGED),
	VALUE("a change whose key is long", "visits", "\0\0\0\1\0\0\0\0\0", "\0", DAMAGED),
};

static void put_value(const void *with)
{
	const struct value *v = with;

	raw_put("s", v->db, v->key, v->key_n, v->bytes, v->n);
}

static void no_value_of_a_stranger_does_harm(void **state)
{
	(void)state;
	wrong = 0;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		try_case(values[i].what, put_value, &values[i], values[i].verified);
	assert_int_equal(wrong, 0);
}

/* --- records at their worst */

struct record {
	enum { OF_HOSTS, OF_PAGES, OF_RESULTS, OF_LINKS, OF_LOG } of;
	const char *what, *bytes;
	size_t n;
	int verified;
};
#define RECORD(of, what, bytes, verified) \
	{ \
		of, what, bytes, sizeof(bytes) - 1, verified \
	}

static const struct record records[] = {
	RECORD(OF_HOSTS, "a host that is a path", "../../abroad/file\0", 0),
	RECORD(OF_HOSTS, "a host with control characters", "\x1b[2J\xc2\x9b\x7f.test\0", 0),
	RECORD(OF_HOSTS, "a host of lines and columns", "a.test\nhttp://b.test/\tc\0", 0),
	RECORD(OF_HOSTS, "a host without its end", "h.test", DAMAGED),
	RECORD(OF_HOSTS, "a host without a name", "\0", DAMAGED),
	RECORD(OF_HOSTS, "a host twice", "h0.test\0", DAMAGED),
	RECORD(OF_PAGES, "a page that shares more than there is", "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0x", DAMAGED),
	RECORD(OF_PAGES, "a page of no host", "\0" U32 "\0\0http://h0.test/x", DAMAGED),
	RECORD(OF_PAGES, "a page deeper than pages are", "\0\0" U32 "\0http://h0.test/x", DAMAGED),
	RECORD(OF_PAGES, "a page without a URL", "\0\0\0\0", DAMAGED),
	RECORD(OF_PAGES, "a page whose URL has a NUL", "\0\0\0\0http://h0.test/\0x", DAMAGED),
	RECORD(OF_PAGES, "a page whose URL has control characters", "\0\0\0\0http://h0.test/\x1b[2J\n\x7f", DAMAGED),
	RECORD(OF_PAGES, "a page that is a flag", "\0\0\0\0--exec=touch", -1),
	RECORD(OF_PAGES, "a page that is a program", "\0\0\0\0javascript:alert(1)", -1),
	RECORD(OF_PAGES, "a page that is a file", "\0\0\0\0file:///etc/passwd", -1),
	RECORD(OF_PAGES, "a page that is a formula", "\0\0\0\0=cmd|'/c'!A1", -1),
	RECORD(OF_PAGES, "a page whose host is none", "\0\0\0\0http://[::1/:99999/%00", -1),
	RECORD(OF_PAGES, "a page that is no UTF-8", "\0\0\0\0http://h0.test/\xff\xfe\xc2\x9b", -1),
	RECORD(OF_RESULTS, "a result of no page", U32 "\1\1\0\0\0\0\0", DAMAGED),
	RECORD(OF_RESULTS, "a state that there is not", "\1\x0f\1\0\0\0\0\0", DAMAGED),
	RECORD(OF_RESULTS, "an outcome that there is not", "\1\4\xff\0\0\0\0\0", -1),
	RECORD(OF_RESULTS, "a status without end", "\1\4\1" BIG "\0\0\0\0", DAMAGED),
	RECORD(OF_RESULTS, "a target that there is not", "\1\5\1\0" U32 "\0\0\0", DAMAGED),
	RECORD(OF_RESULTS, "numbers at their ends", "\1\4\1\0\0" U32 BIG BIG, -1),
	RECORD(OF_RESULTS, "a score that is no number", "\1\x14\1\0\0\0\0\0\0\0\0\0\0\0\xf8\x7f", -1),
	RECORD(OF_RESULTS, "texts with control characters", "\1\x24\1\0\0\0\0\0\x1b[2J\0\n\0\x7f\xc2\x9b=1+1\0", -1),
	RECORD(OF_RESULTS, "a text without its end", "\1\x24\1\0\0\0\0\0text/html", DAMAGED),
	RECORD(OF_RESULTS, "a result that is cut", "\1\xf4\1\0\0\0\0\0", DAMAGED),
	RECORD(OF_LINKS, "links of no page", U32 "\0", DAMAGED),
	RECORD(OF_LINKS, "4 billion links", "\1\xfe\xff\xff\xff\x1f\0", DAMAGED),
	RECORD(OF_LINKS, "links without end", "\1\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\0", DAMAGED),
	RECORD(OF_LINKS, "a million links of no bytes", "\1\x80\x80\x80\x01", DAMAGED),
	RECORD(OF_LINKS, "a link to a page that there is not", "\1\2\xfe\xff\xff\xff\x0f", DAMAGED),
	RECORD(OF_LINKS, "a run of links without end", "\1\4" BIG "\0", DAMAGED),
	RECORD(OF_LINKS, "a run of no links", "\1\4\1\0", DAMAGED),
	RECORD(OF_LINKS, "a run of links beyond the last page", "\1\4\5" U32, DAMAGED),
	RECORD(OF_LINKS, "a link twice", "\1\4\0\0", DAMAGED),
	RECORD(OF_LINKS, "kinds without end", "\1\3\0\1" BIG, DAMAGED),
	RECORD(OF_LINKS, "kinds of no links", "\1\3\0\1\0", DAMAGED),
	RECORD(OF_LINKS, "an anchor without its end", "\1\3\0\1\1=HYPERLINK(1)", DAMAGED),
	RECORD(OF_LOG, "an entry of a later version", "\xc8\0\0\0", DAMAGED),
	RECORD(OF_LOG, "an entry of no page", "\2\xfe\xff\xff\xff\x1f", DAMAGED),
	RECORD(OF_LOG, "an entry of a page below all", "\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", DAMAGED),
	RECORD(OF_LOG, "an entry that leads to pages without end", "\x10\0" BIG, DAMAGED),
	RECORD(OF_LOG, "a page that was never queued", "\x10\0\0\x10\0\0\x10\0\0", DAMAGED),
	RECORD(OF_LOG, "a redirect to no page", "\x11\0" U32 "\0", DAMAGED),
	RECORD(OF_LOG, "a policy in a file", "\x08../abroad/policy.so\0", -1),
	RECORD(OF_LOG, "a policy without its end",
		"\x08"
		"bfs",
		DAMAGED),
	RECORD(OF_LOG, "a policy with control characters", "\x08\x1b[2J\n=1\0", -1),
	RECORD(OF_LOG, "a scope with everything", "\x0alog=../abroad/file\nexec=touch ../abroad/mark\nmax-depth=-1\n\x1b[2J\0", -1),
	RECORD(OF_LOG, "a letter without end",
		"\x15\0\xff\xff\xff\xff\x0f"
		"x",
		DAMAGED),
	RECORD(OF_LOG, "a letter that says nothing", "\x16\0\4\xff\xff\xff\xff\0", -1),
	RECORD(OF_LOG, "a letter of many pages", "\x16\0\4\1\xff\xff\xff\xff\xff\xff\xff\x0f", -1),
	RECORD(OF_LOG, "shares of nobody",
		"\x18"
		"1023-0,-1,99999999999999999999\n\x1b[2J\0",
		-1),
	RECORD(OF_LOG, "counts of nobody", "\x17-1 99999999999999999999 \x1b[2J\0", -1),
	RECORD(OF_LOG, "times at their ends",
		"\0\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", -1),
};

static void put_record(const void *with)
{
	const struct record *r = with;
	struct store *s = open_store("s", STORE_WRITE);
	struct records *all[] = {&s->hosts.records, &s->pages.records, &s->results, &s->links, &s->log};

	records_append(all[r->of], r->bytes, r->n);
	s->uncommitted_bytes += r->n;
	commit(s);
	store_drop(s);
}

static void no_record_of_a_stranger_does_harm(void **state)
{
	(void)state;
	wrong = 0;
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		try_case(records[i].what, put_record, &records[i], records[i].verified);
	assert_int_equal(wrong, 0);
}

/* A page whose texts have no measure: a megabyte of columns, lines and escape sequences, which is no end of a text. */
static void put_long_texts(const void *with)
{
	enum { LENGTH = 1 << 20 };
	static const char begins[] = "\1\x24\1\0\0\0\0";
	struct buf long_one = BUF_EMPTY;

	(void)with;
	buf_add(&long_one, begins, sizeof begins);
	while (long_one.used < LENGTH)
		buf_add(&long_one, "\t\n\x1b[2J", 6);
	for (unsigned i = 0; i < 3; i++)
		buf_add(&long_one, "", 1);
	put_record(&(struct record){OF_RESULTS, NULL, long_one.at, long_one.used, 0});
	buf_release(&long_one);
}

static void texts_of_a_megabyte_end(void **state)
{
	(void)state;
	wrong = 0;
	for (unsigned i = 0; i < share; i++) /* every verb once */
		try_case("texts of a megabyte", put_long_texts, NULL, -1);
	assert_int_equal(wrong, 0);
}

/* --- graphs that no crawl makes */

static uint32_t page_of(struct store *s, unsigned i)
{
	char text[64];

	snprintf(text, sizeof text, "http://h.test/circle/%u", i);
	return add(s, text);
}

/* Redirects and duplicates in circles: of one page, of two, and of many. */
static void put_circles(const void *with)
{
	struct store *s = open_store("s", STORE_WRITE);
	uint32_t id[40];

	for (unsigned i = 0; i < 40; i++)
		id[i] = page_of(s, i);
	for (unsigned i = 0; i < 40; i++) {
		const unsigned to = i == 0 ? 0 : i < 3 ? 3 - i : i < 39 ? i + 1 : 3;
		const struct result r = {.state = *(const uint8_t *)with, .outcome = OUTCOME_REDIRECTED, .target = id[to]};
		assert_int_equal(store_put_result(s, id[i], &r, NULL), 0);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = id[i]}, NULL), 0);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_TAKE, .id = id[i]}, NULL), 0);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_REDIRECTED, .id = id[i], .target = id[to]}, NULL), 0);
	}
	commit(s);
	store_drop(s);
}

static void circles_end(void **state)
{
	static const uint8_t states[] = {PAGE_REDIRECTED, PAGE_REFUSED, PAGE_CRAWLED};

	(void)state;
	wrong = 0;
	for (size_t i = 0; i < sizeof states; i++)
		try_case("circles", put_circles, &states[i], -1);
	assert_int_equal(wrong, 0);
}

/* --- heads of LMDB at their worst */

struct head {
	const char *what;
	size_t at; /* in both heads, behind the page's own head */
	uint64_t number;
	size_t bytes;
};

#define OF_HEAD(field) offsetof(struct file_head, field)

static const struct head heads[] = {
	{"pages of no bytes", OF_HEAD(free.pad), 0, 4},
	{"pages of three bytes", OF_HEAD(free.pad), 3, 4},
	{"pages of 512 bytes", OF_HEAD(free.pad), 512, 4},
	{"pages of 64 KB", OF_HEAD(free.pad), 65536, 4},
	{"pages of 4 GB", OF_HEAD(free.pad), UINT32_MAX, 4},
	{"a map of nothing", OF_HEAD(map_size), 0, 8},
	{"a map of everything", OF_HEAD(map_size), UINT64_MAX, 8},
	{"a map at a place", OF_HEAD(address), 0x400000, 8},
	{"pages without end", OF_HEAD(last_page), UINT64_MAX, 8},
	{"no page", OF_HEAD(last_page), 0, 8},
	{"a tree of heads", OF_HEAD(main.root), 0, 8},
	{"a tree without end", OF_HEAD(main.depth), 65535, 2},
	{"a tree of duplicates", OF_HEAD(main.flags), 4, 2},
	{"free pages that are the tree", OF_HEAD(free.root), 2, 8},
	{"a flag of LMDB", OF_HEAD(free.flags), 0xffff, 2},
};

static void put_head(const void *with)
{
	const struct head *h = with;
	char *bytes = mem_copy(sound, sound_n);

	for (size_t page = 0; page < 2; page++)
		memcpy(bytes + page * 4096 + sizeof(struct page_head) + h->at, &h->number, h->bytes);
	store_verbs_put(bytes, sound_n);
	free(bytes);
}

static void no_head_of_a_stranger_does_harm(void **state)
{
	(void)state;
	wrong = 0;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		try_case(heads[i].what, put_head, &heads[i], -1);
	assert_int_equal(wrong, 0);
}

/* --- what else may lie in a store's folder */

enum kind { A_LINK_TO_A_FILE, A_LINK_TO_A_STORE, A_LINK_TO_NOTHING, A_PIPE, A_SOCKET, A_FOLDER, A_FULL_FOLDER, KINDS };

struct entry {
	const char *name;
	enum kind kind;
};

static void put_entry(const void *with)
{
	static const char *const to[] = {"../" ABROAD "/file", "../" ABROAD "/store", "../" ABROAD "/none"};
	const struct entry *e = with;
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char path[64];

	snprintf(path, sizeof path, "s/%s", e->name);
	unlink(path);
	if (e->kind < A_PIPE)
		assert_int_equal(symlink(to[e->kind], path), 0);
	else if (e->kind == A_PIPE)
		assert_int_equal(mkfifo(path, 0666), 0);
	else if (e->kind == A_SOCKET) {
		const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
		snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
		assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
		close(fd);
	} else
		assert_int_equal(mkdir(path, 0777), 0);
	if (e->kind != A_FULL_FOLDER)
		return;
	snprintf(path, sizeof path, "s/%s/data.mdb", e->name);
	assert_int_equal(symlink("../../" ABROAD "/file", path), 0);
}

static void no_file_of_a_stranger_leads_elsewhere(void **state)
{
	static const char *const names[] = {"data.mdb", "lock.mdb", "writer", "frontier", "monitor", "requisites", "making",
		"compacting", "archive-00000.warc.gz"};
	char what[80];

	(void)state;
	wrong = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int kind = 0; kind < KINDS; kind++) {
			snprintf(what, sizeof what, "'%s' of kind %d", names[i], kind);
			try_case(what, put_entry, &(struct entry){names[i], (enum kind)kind}, -1);
		}
	assert_int_equal(wrong, 0);
}

static void put_monitor(const void *with)
{
	FILE *f = fopen("s/monitor", "w");

	(void)with;
	fprintf(f, "http://127.0.0.1:%u\nsecret\n", port);
	fclose(f);
}

static void a_monitor_that_is_none_is_not_asked(void **state)
{
	(void)state;
	wrong = 0;
	try_case("the address of a stranger", put_monitor, NULL, 0);
	assert_int_equal(wrong, 0);
}

/* --- settings at their worst */

struct setting_case {
	const char *name, *text;
};

static void put_setting(const void *with)
{
	const struct setting_case *c = with;

	raw_put("s", "settings", c->name, strlen(c->name), c->text, strlen(c->text));
}

/* Runs the verbs that heed settings: the crawls, and the merge, which compares them. */
static void try_setting(const char *name, const char *text)
{
	const struct setting_case c = {name, text};
	const uint64_t before = abroad();
	char what[200];

	snprintf(what, sizeof what, "%s=%.100s", name, text);
	for (size_t i = 0; i < STORE_VERBS; i++) {
		const struct store_verb *v = &store_verbs[i];
		if ((strcmp(v->args[0], "crawl") != 0 && v->kind != VERB_WRITES) || ++turn % share)
			continue;
		store_verbs_clear();
		begin();
		put_setting(&c);
		fprintf(stderr, "%s %s %s\n", what, v->args[0], v->args[1]);
		const int status = store_verb_run(v->args, url);
		const char *problem = judge(v, status);
		if (problem) {
			print_message("# %s: '%s %s' %s (status %d)\n", what, v->args[0], v->args[1], problem, status);
			wrong++;
		}
	}
	look_around(what, before);
}

static void no_setting_of_a_stranger_loads_runs_writes_or_sends(void **state)
{
	static const char *const names[] = {
#define SETTING(kind, field, fallback, name, ...) name,
#include "base/settings.h"
		"private-seeds", "agent", "agents", "seeds"};
	char proxy[64];

	(void)state;
	snprintf(proxy, sizeof proxy, "http://127.0.0.1:%u", port);
	wrong = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		try_setting(names[i], MARK);
		try_setting(names[i], "touch " MARK "; a=99999999999999999999 \x1b[2J\n");
		try_setting(names[i], proxy);
	}
	assert_int_equal(wrong, 0);
}

/* --- */

static int make_all(void **state)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof at;

	(void)state;
	store_verbs_enter();
	assert_true(mkdir("here", 0777) == 0 && mkdir("abroad", 0777) == 0 && chdir("here") == 0);
	setenv("HOME", ABROAD, 1);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	assert_true(listener >= 0 && bind(listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(listener, 8) == 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &n), 0);
	port = ntohs(at.sin_port);
	store_verbs_settings();
	url = store_verbs_make(5, 24);
	sound = store_verbs_slurp("s/data.mdb", &sound_n);
	assert_true(mkdir("other", 0777) == 0 && rename("s/data.mdb", "other/data.mdb") == 0);
	assert_true(mkdir(ABROAD "/store", 0777) == 0 && link("other/data.mdb", ABROAD "/store/data.mdb") == 0);
	assert_true(unlink("other/data.mdb") == 0 && rename(ABROAD "/store/data.mdb", "other/data.mdb") == 0);
	FILE *f = fopen(ABROAD "/file", "w");
	fputs("precious\n", f);
	fclose(f);
	f = fopen(ABROAD "/store/data.mdb", "w");
	assert_true(fwrite(sound, 1, sound_n, f) == sound_n && fclose(f) == 0);
	return 0;
}

static int drop_all(void **state)
{
	(void)state;
	free(sound);
	free(url);
	close(listener);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_value_of_a_stranger_does_harm),
		cmocka_unit_test(no_record_of_a_stranger_does_harm),
		cmocka_unit_test(texts_of_a_megabyte_end),
		cmocka_unit_test(circles_end),
		cmocka_unit_test(no_head_of_a_stranger_does_harm),
		cmocka_unit_test(no_file_of_a_stranger_leads_elsewhere),
		cmocka_unit_test(a_monitor_that_is_none_is_not_asked),
		cmocka_unit_test(no_setting_of_a_stranger_loads_runs_writes_or_sends),
	};

	share = argc > 1 && atoi(argv[1]) > 0 ? (size_t)atoi(argv[1]) : share;
	return cmocka_run_group_tests(tests, make_all, drop_all);
}
