noinst_LIBRARIES += parser/libparser.a
parser_libparser_a_SOURCES = \
	parser/decode.c \
	parser/decode.h \
	parser/fingerprint.c \
	parser/fingerprint.h \
	parser/host_settings.c \
	parser/host_settings.h \
	parser/html.c \
	parser/html.h \
	parser/html_text.c \
	parser/html_text.h \
	parser/html_encoding.c \
	parser/html_encoding.h \
	parser/html_meta.c \
	parser/html_meta.h \
	parser/html_token.c \
	parser/html_token.h \
	parser/html_value.c \
	parser/html_value.h \
	parser/usage.c \
	parser/usage.h \
	parser/json_feed.c \
	parser/json_feed.h \
	parser/link_kind.c \
	parser/link_kind.h \
	parser/match.c \
	parser/match.h \
	parser/mime.c \
	parser/mime.h \
	parser/requisites.c \
	parser/requisites.h \
	parser/robots.c \
	parser/robots.h \
	parser/shape.c \
	parser/shape.h \
	parser/sitemap.c \
	parser/sitemap.h \
	parser/url.c \
	parser/url.h \
	parser/url_idna.c \
	parser/url_host.c \
	parser/url_part.h \
	parser/url_query.c \
	parser/url_rules.c \
	parser/url_rules.h \
	parser/utf8.h \
	parser/words.c \
	parser/words.h

# the named character references of HTML, as bytes of C
EXTRA_DIST += parser/entities.txt
CLEANFILES += parser/entities.txt.inc
parser/html_value.$(OBJEXT): parser/entities.txt.inc
parser/entities.txt.inc: $(srcdir)/parser/entities.txt
	$(AM_V_GEN)$(MKDIR_P) parser && od -An -v -tu1 $(srcdir)/parser/entities.txt | sed 's/[0-9][0-9]*/&,/g' >$@
