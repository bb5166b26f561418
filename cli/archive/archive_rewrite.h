/* Rewrites archived HTML and CSS so that references lead to the replay server, and to nobody else; or, with name(), to extracted
 * files.
 *
 *	struct rewrite r = {.prefix = "/20261122083015/pKEY/", .base = &url_of_the_page};
 *	rewrite_html(&r, body, n, "text/html; charset=latin1", &out);
 *
 * A reference to http://a.test/x becomes PREFIXhttp://a.test/x. References in scripts are not changed: the headers that the
 * server sends stop their requests to other sites. */
#ifndef CLI_ARCHIVE_ARCHIVE_REWRITE_H
#define CLI_ARCHIVE_ARCHIVE_REWRITE_H

#include "base/buf.h"
#include "parser/url.h"

struct rewrite {
	const char *prefix;
	const char *frame;      /* the prefix of references of frames; NULL: as of all others */
	const struct url *base; /* the URL of the document */
	/* NULL, or appends what a reference to a URL becomes, in place of the prefix and the URL. Returns 1; or 0 if the URL alone
	 * is to be written. */
	int (*name)(void *ctx, const struct url *, struct buf *out);
	void *ctx;
};

/* Appends a document of n bytes with its references rewritten: those of attributes (href, src, srcset, style ...), of style
 * elements and of a meta refresh. References are relative to the base that the document declares; its base element leads into the
 * archive, too, or says nothing any more if there is a name(). Integrity checks and policies that the document declares are taken
 * out, as its bytes have changed. `type` is the value of its Content-Type, or NULL. */
void rewrite_html(const struct rewrite *, const char *bytes, size_t n, const char *type, struct buf *out);

/* Appends a style sheet of n bytes with the references of url() and @import rewritten. */
void rewrite_css(const struct rewrite *, const char *bytes, size_t n, struct buf *out);

/* Appends a reference, rewritten; unchanged, if it is no http or https URL (data:, mailto:) or only a #fragment. */
void rewrite_reference(const struct rewrite *, const char *text, size_t n, struct buf *out);

#endif
