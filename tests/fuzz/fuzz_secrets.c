/* Two bytes, how much of the rest is a file of secrets and how much a file of cookies; what is left is a
 * no_proxy. */
#include "tests/fuzz/graph_input.h"

#include "fetch/credentials.h"
#include "fetch/proxies.h"

static const char *const asked[] = {"http://example.org/", "https://a.example.org:8443/x?y", "http://127.0.0.1/",
	"http://[::1]:8080/", "https://example.org/"};

/* A value that goes into a request must stay one line. */
static void check_line(const struct buf *b)
{
	graph_input_require(!b->used || (strlen(b->at) == b->used && !strpbrk(b->at, "\r\n")));
}

static void ask(const struct credentials *c, const struct proxies *p)
{
	struct buf authorization = BUF_EMPTY, cookie = BUF_EMPTY;
	struct url u = URL_EMPTY;

	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		graph_input_require(url_parse(&u, asked[i], strlen(asked[i]), NULL) == URL_OK);
		credentials_for(c, &u, 1700000000, &authorization, &cookie);
		check_line(&authorization);
		check_line(&cookie);
		const char *proxy = proxies_for(p, &u);
		graph_input_require(!proxy || strcmp(proxy, "http://proxy.test:1") == 0);
	}
	buf_release(&authorization);
	buf_release(&cookie);
	url_release(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int auth_fd = -1, cookies_fd = -1;
	struct credentials *c = NULL;
	struct err_note why = {""};
	char auth[64], cookies[64];

	if (n < 2)
		return 0;
	size_t first = (n - 2) * bytes[0] / 255, second = (n - 2 - first) * bytes[1] / 255;
	const uint8_t *rest = bytes + 2;
	graph_input_file(&auth_fd, rest, first, auth);
	graph_input_file(&cookies_fd, rest + first, second, cookies);
	char *spared = strndup((const char *)rest + first + second, n - 2 - first - second);
	graph_input_require(spared && !setenv("no_proxy", spared, 1) && !setenv("all_proxy", "http://proxy.test:1", 1));
	free(spared);
	const int err = credentials_read(&c, auth, cookies, &why);
	graph_input_require(!err == !*why.text);
	struct proxies *p = proxies_new(NULL);
	ask(err ? NULL : c, p);
	proxies_free(p);
	if (!err)
		credentials_free(c);
	return 0;
}
