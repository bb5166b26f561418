/* Pages that are read in a jail: the same comes of them, what a stranger's bytes make of the process reaches nothing, and a process
 * that dies, or that gives what page_read() cannot give, costs one page. */
#include "tests/test.h"

#include "base/sandbox.h"
#include "fetch/page_jail.h"
#include "fetch/robots_cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a stranger: whoever reads a page with "<script" in it calls this in place of the C library's */

static unsigned reached; /* what the stranger has reached, in this process */

/* Tries what a stranger would try, and counts what succeeds. The body that he reads lies beside those of other pages. */
static unsigned attack(const char *body)
{
	char *const page = (char *)((uintptr_t)body & ~(uintptr_t)4095);
	char *const arguments[] = {(char[]){"true"}, NULL};
	unsigned n = 0;

#ifndef __SANITIZE_ADDRESS__
	n += open("/etc/passwd", O_RDONLY) >= 0;
	n += syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY) >= 0;
	n += write(STDERR_FILENO, "", 0) >= 0;
	n += kill(getppid(), 0) == 0;
#endif
	n += socket(AF_INET, SOCK_STREAM, 0) >= 0;
	n += socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
	n += unlink("/nowhere/at/all") == 0 || errno != EPERM;
	n += execv("/nowhere/at/all", arguments) == 0 || errno != EPERM;
	n += ptrace(PTRACE_SEIZE, 1, NULL, NULL) == 0 || errno != EPERM;
	n += mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0;
	n += madvise(page, 4096, MADV_REMOVE) == 0;
	n += mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	n += memory == MAP_FAILED || mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0;
	const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		_exit(0);
	return n + (child > 0);
}

void *memmem(const void *text, size_t n, const void *what, size_t m)
{
	static const char script[] = "<script";
	const char *at = text;
	static volatile char *volatile nowhere; /* in a jail no signal can be raised */

	for (size_t i = 0; i + m <= n; i++) {
		if (memcmp(at + i, what, m) != 0)
			continue;
		if (m == strlen(script) && memcmp(what, script, m) == 0 && strstr(at + i, "die"))
			*nowhere = 1;
		if (m == strlen(script) && memcmp(what, script, m) == 0 && strstr(at + i, "attack") && (reached = attack(at + i)))
			abort();
		return (void *)(uintptr_t)(at + i);
	}
	return NULL;
}

static pid_t test;            /* this process */
static _Atomic pid_t *orphan; /* shared by all processes: -1, the next process of a nursery loses it at once; then its number */

/* --- pages */

#define MOST 40

static struct transfer_options options;
static struct robots_cache *cache;
static struct page_build build, requisites;
static struct page_nursery *nursery;
static struct page_jail *jail;
static struct page_reader reader;
static struct page_unread unread[MOST];
static struct fetch_page *pages[MOST];
static size_t n_unread, n_pages;

static void keep(void *ctx, struct page_unread *u)
{
	(void)ctx;
	pages[n_pages++] = page_build_take(&build, &u->head);
}

static int begin(void **state)
{
	struct err_note why;

	(void)state;
	test = getpid();
	orphan = mmap(NULL, sizeof *orphan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(orphan != MAP_FAILED);
	options.set = fetch_defaults;
	options.set.kinds = ((1u << LINK_KINDS) - 1) & ~(1u << LINK_REQUISITE);
	options.set.requisites = options.set.fingerprints = options.set.simhash = 1;
	options.set.keep_anchors = 1;
	options.set.heed |= HEED_CANONICAL;
	cache = robots_cache_new("lycosa", NULL);
	page_build_init(&build, options.set.max_links, 1);
	page_build_init(&requisites, FETCH_MAX_REQUISITES, 1);
	if (page_nursery_new(&nursery, &why) || page_jail_new(&jail, nursery, 1, &options.set, &why))
		fail_msg("%s", why.text);
	reader = (struct page_reader){page_jail_cell(jail), &build, &requisites, keep, NULL};
	return 0;
}

static void clear(void)
{
	while (n_pages)
		fetch_page_free(pages[--n_pages]);
	for (; n_unread; n_unread--) {
		struct transfer *t = unread[n_unread - 1].transfer;
		answer_release(&t->answer);
		url_release(&t->url);
		if (t->is_lent)
			body_windows_give(page_cell_windows(reader.cell), t->body.at);
		else
			buf_release(&t->body);
		free(t);
	}
}

static int end(void **state)
{
	(void)state;
	clear();
	page_jail_free(jail);
	page_nursery_free(nursery);
	page_build_release(&build);
	page_build_release(&requisites);
	robots_cache_free(cache);
	munmap((void *)orphan, sizeof *orphan);
	return 0;
}

static void add(const char *path, const char *type, const char *body, size_t n)
{
	struct transfer *t = calloc(1, sizeof *t);
	char line[1024], url[64];

	assert_true(n_unread < MOST);
	snprintf(url, sizeof url, "http://a.test%s", path);
	assert_int_equal(url_parse(&t->url, url, strlen(url), NULL), URL_OK);
	t->options = &options;
	t->origin = robots_cache_find(cache, &t->url, 0);
	snprintf(line, sizeof line, "Content-Type: %s\n", type);
	assert_int_equal(answer_line(&t->answer, "HTTP/1.1 200 OK\n", 16, "lycosa", 0), 0);
	assert_int_equal(answer_line(&t->answer, line, strlen(line), "lycosa", 0), 0);
	assert_int_equal(answer_line(&t->answer, "Link: </next>; rel=next\n", 24, "lycosa", 0), 0);
	/* every other body lies where the process can read it */
	t->is_lent = n_unread % 2 && n && n < BODY_WINDOW;
	if (t->is_lent) {
		t->body = (struct buf){body_windows_lend(page_cell_windows(reader.cell)), n, BODY_WINDOW};
		body_windows_use(page_cell_windows(reader.cell), t->body.at, n + 1);
		memcpy(t->body.at, body, n);
		t->body.at[n] = 0;
	} else {
		buf_add(&t->body, body, n);
	}
	unread[n_unread++] = (struct page_unread){.transfer = t,
		.head.result = {.status = 200, .state = PAGE_CRAWLED, .outcome = OUTCOME_CRAWLED}};
}

static void add_text(const char *path, const char *type, const char *body)
{
	add(path, type, body, strlen(body));
}

static void add_html(const char *path, const char *body)
{
	add_text(path, "text/html", body);
}

static void expect_equal(const struct fetch_page *a, const struct fetch_page *b)
{
	assert_int_equal(a->result.outcome, b->result.outcome);
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->start, b->start, (a->n + 1) * sizeof *a->start);
	assert_memory_equal(a->kinds, b->kinds, a->n);
	assert_memory_equal(a->host, b->host, a->n * sizeof *a->host);
	assert_memory_equal(a->host_end, b->host_end, a->n * sizeof *a->host_end);
	assert_memory_equal(a->text, b->text, a->start[a->n]);
	assert_string_equal(a->about.type, b->about.type);
	assert_string_equal(a->about.title, b->about.title);
	assert_string_equal(a->about.language, b->about.language);
	assert_memory_equal(a->result.digest, b->result.digest, sizeof a->result.digest);
	assert_true(a->result.fingerprint == b->result.fingerprint && a->result.simhash == b->result.simhash);
	assert_int_equal(a->result.is_shell, b->result.is_shell);
	assert_int_equal(a->result.requisites_n, b->result.requisites_n);
	if (a->result.requisites_n)
		assert_memory_equal(a->result.requisites, b->result.requisites, a->result.requisites_n);
}

/* Pages of each kind, some more than fit into one batch, and one whose text needs iconv for its links, too. */
static void add_pages(void)
{
	static char large[3 << 20];
	static const char *const encodings[] = {"shift_jis", "euc-kr", "gb18030", "big5", "euc-jp", "iso-2022-jp", "koi8-r",
		"windows-1251", "iso-8859-7", "utf-16le"};
	static const char legacy[] = "<title>\x83\x65\x83\x58\xb0\xa1</title><a href='/?q=\x83\x65\xb0\xa1'>x</a>";
	char text[512];

	add_html("/",
		"<html lang=de><title>T\xc3\xa9st</title><a href=a>one</a><a href=//b.test/?q=\xe4 rel=nofollow>two</a>"
		"<img src=i.png><link rel=alternate type=application/rss+xml href=/feed><link rel=canonical href=/c>");
	add_html("/empty", "");
	add_html("/shell", "<script src=x.js></script>");
	add_text("/map.xml", "application/xml", "<sitemapindex><sitemap><loc>http://a.test/m1.xml</loc></sitemap></sitemapindex>");
	add_text("/m1.xml", "application/xml", "<urlset><url><loc>http://a.test/p1</loc></url></urlset>");
	add("/feed", "application/rss+xml", "<rss version='2.0'><channel><item><link>http://a.test/i</link></item></channel></rss>",
		84);
	add_text("/s.css", "text/css", "@import url(t.css); a { background: url(u.png) }");
	add_text("/x.pdf", "application/pdf", "%PDF-1.4 and bytes");
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		snprintf(text, sizeof text, "text/html; charset=%s", encodings[i]);
		add("/legacy", text, legacy, sizeof legacy - 1);
	}
	for (size_t i = 0, used = 0; i < 8; i++) {
		for (used = 0; used + 64 < sizeof large;)
			used += (size_t)sprintf(large + used, "<a href=/large/%zu>w</a> word%zu\n", used, used);
		add("/large", "text/html", large, used);
	}
}

static void pages_are_the_same_in_a_jail_and_outside(void **state)
{
	struct fetch_page *here[MOST];

	(void)state;
	add_pages();
	page_jail_read(&(struct page_reader){NULL, &build, &requisites, keep, NULL}, unread, n_unread);
	assert_int_equal(n_pages, n_unread);
	memcpy(here, pages, sizeof here);
	n_pages = 0;
	clear();
	robots_cache_free(cache); /* the origin has had a sitemap and feeds */
	cache = robots_cache_new("lycosa", NULL);
	add_pages();
	page_jail_read(&reader, unread, n_unread);
	assert_int_equal(n_pages, n_unread);
	for (size_t i = 0; i < n_pages; i++) {
		expect_equal(here[i], pages[i]);
		fetch_page_free(here[i]);
	}
	assert_true(here[0] && pages[0]->n >= 3);
	clear();
}

static void a_page_that_ends_its_process_costs_itself_alone(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		add_html("/before", "<a href=x>1</a>");
		add_html("/deadly", "<script>die</script>");
		add_html("/after", "<a href=y>2</a>");
	}
	page_jail_read(&reader, unread, n_unread);
	assert_int_equal(n_pages, 9);
	for (size_t i = 0; i < n_pages; i++) {
		const int is_deadly = i % 3 == 1;
		assert_int_equal(pages[i]->result.outcome, is_deadly ? OUTCOME_PARSER : OUTCOME_CRAWLED);
		assert_int_equal(pages[i]->result.state, is_deadly ? PAGE_FAILED : PAGE_CRAWLED);
		assert_int_equal(pages[i]->n, is_deadly ? 0 : 2);
	}
	clear();
}

static void whoever_takes_a_cell_over_reaches_nothing(void **state)
{
	(void)state;
	if (!sandbox_has_jail())
		skip_because("this kernel has no filters of system calls");
	add_html("/hostile", "<script>attack</script>");
	page_jail_read(&reader, unread, n_unread);
	assert_int_equal(n_pages, 1);
	assert_int_equal(pages[0]->result.outcome, OUTCOME_CRAWLED);
	assert_int_equal(pages[0]->result.is_shell, 1); /* so the page was read, and the stranger at work */
	clear();
	char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(attack(memory) >= 7); /* here he would have reached something */
	munmap(memory, 4096);
}

static void pages_are_read_although_the_nursery_was_killed(void **state)
{
	FILE *in = fopen("/proc/thread-self/children", "re");
	int child;

	(void)state;
	if (!in || fscanf(in, "%d", &child) != 1)
		skip_because("this kernel does not say which children a process has");
	fclose(in);
	assert_int_equal(kill(child, SIGKILL), 0);
	for (int i = 0; i < 2; i++) { /* the process of the cell ends with it, before the first page or at it */
		add_html("/lost", "<script>die</script>");
		add_html("/read", "<a href=x>1</a>");
		page_jail_read(&reader, unread, n_unread);
		assert_int_equal(n_pages, 2);
		assert_int_equal(pages[1]->result.outcome, OUTCOME_CRAWLED);
		assert_int_equal(pages[1]->n, 2);
		clear();
	}
}

/* --- a nursery that is killed before its process has begun */

pid_t fork(void)
{
	pid_t (*real)(void);
	*(void **)&real = dlsym(RTLD_NEXT, "fork");
	const pid_t parent = getpid(), child = real();

	if (child == 0 && parent != test && atomic_load(orphan) == -1) {
		atomic_store(orphan, getpid());
		kill(parent, SIGKILL);
		while (getppid() == parent)
			sched_yield();
	}
	return child;
}

static void a_process_that_has_lost_its_nursery_before_it_began_ends(void **state)
{
	int status;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	add_html("/lost", "<script>die</script>");
	add_html("/read", "<a href=x>1</a>");
	atomic_store(orphan, -1);
	page_jail_read(&reader, unread, n_unread);
	assert_int_equal(n_pages, 2);
	assert_true(atomic_load(orphan) > 0);
	assert_int_equal(waitpid(atomic_load(orphan), &status, 0), atomic_load(orphan));
	assert_true(WIFEXITED(status) || WIFSIGNALED(status));
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	clear();
}

/* --- windows for bodies */

static void windows_are_lent_and_taken_back(void **state)
{
	struct body_windows *w = page_cell_windows(reader.cell);
	char *at[BODY_WINDOWS + 1];

	(void)state;
	assert_null(body_windows_lend(NULL));
	for (unsigned i = 0; i <= BODY_WINDOWS; i++)
		at[i] = body_windows_lend(w);
	assert_null(at[BODY_WINDOWS]);
	for (unsigned i = 0; i < BODY_WINDOWS; i++) {
		assert_true(body_windows_have(w, at[i]) && at[i] == w->at + i * BODY_WINDOW);
		body_windows_use(w, at[i], BODY_WINDOW);
		memset(at[i], 'x', BODY_WINDOW);
	}
	assert_int_equal(w->all, BODY_WINDOWS * BODY_WINDOW);
	for (unsigned i = 0; i < BODY_WINDOWS; i++)
		body_windows_give(w, at[i]);
	assert_true(w->all <= BODY_WINDOWS_KEPT + BODY_WINDOWS * BODY_WINDOW_STEP);
	assert_int_equal(at[0][BODY_WINDOW_STEP], 0); /* given back to the system */
	assert_ptr_equal(body_windows_lend(w), at[0]);
	body_windows_give(w, at[0]);
}

/* --- replies of a process that has been taken over */

static char cargo_bytes[4096];
static struct page_cargo cargo;

/* Writes the links of a page with two links and their anchors into the cargo. */
static struct page_link *write_cargo(void)
{
	struct url u = URL_EMPTY;

	page_build_reset(&build);
	for (const char *const *url = (const char *const[]){"http://a.test/1", "https://b.test/2", NULL}; *url; url++) {
		assert_int_equal(url_parse(&u, *url, strlen(*url), NULL), URL_OK);
		assert_int_equal(page_build_add(&build, &u, LINK_A, "text"), 0);
	}
	url_release(&u);
	page_build_put(&build, &cargo, cargo_bytes);
	return (struct page_link *)(void *)cargo_bytes;
}

static void only_what_a_page_can_be_is_taken(void **state)
{
	struct page_link *l = write_cargo();
	char *text = cargo_bytes + 2 * sizeof *l, *anchors = text + cargo.text_n;

	(void)state;
	assert_ptr_equal(page_build_load(&build, &cargo, cargo_bytes), anchors + cargo.anchors_n);
	assert_int_equal(build.n, 2);
#define SPOILT(change) \
	do { \
		l = write_cargo(); \
		change; \
		assert_null(page_build_load(&build, &cargo, cargo_bytes)); \
		assert_int_equal(build.n, 0); \
	} while (0)
	SPOILT(cargo.n = 1);
	SPOILT(cargo.n = options.set.max_links + 1);
	SPOILT(cargo.n = 0);
	SPOILT(cargo.text_n = PAGE_MAX_TEXT + 1);
	SPOILT(cargo.text_n -= 1);
	SPOILT(cargo.anchors_n = 1 << 20);
	SPOILT(cargo.anchors_n -= 1);
	SPOILT(l[0].start = 1);
	SPOILT(l[1].start = 0);
	SPOILT(l[1].start = UINT32_MAX);
	SPOILT(l[0].host_end = 4000);
	SPOILT(l[0].host = l[0].host_end);
	SPOILT(l[1].kind = LINK_KINDS);
	SPOILT(memcpy(text, "file", 4));
	SPOILT(text[8] = '\n');
	SPOILT(text[9] = (char)0xe4);
	SPOILT(text[10] = 0);
	SPOILT(anchors[0] = '\x1b');
	SPOILT(anchors[1] = (char)0xff);
	page_build_reset(&build);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_the_same_in_a_jail_and_outside),
		cmocka_unit_test(a_page_that_ends_its_process_costs_itself_alone),
		cmocka_unit_test(whoever_takes_a_cell_over_reaches_nothing),
		cmocka_unit_test(pages_are_read_although_the_nursery_was_killed),
		cmocka_unit_test(a_process_that_has_lost_its_nursery_before_it_began_ends),
		cmocka_unit_test(windows_are_lent_and_taken_back),
		cmocka_unit_test(only_what_a_page_can_be_is_taken),
	};

	return cmocka_run_group_tests_name("page_jail", tests, begin, end);
}
