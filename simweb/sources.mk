noinst_LIBRARIES += simweb/libsimweb.a
simweb_libsimweb_a_SOURCES = \
	simweb/address.c \
	simweb/address.h \
	simweb/answer.c \
	simweb/answer.h \
	simweb/changing.c \
	simweb/changing.h \
	simweb/endless.c \
	simweb/endless.h \
	simweb/endless_draws.c \
	simweb/endless_draws.h \
	simweb/endless_expected.c \
	simweb/endless_expected.h \
	simweb/endless_graph.c \
	simweb/endless_graph.h \
	simweb/endless_host.c \
	simweb/endless_host.h \
	simweb/endless_links.c \
	simweb/endless_links.h \
	simweb/expected.c \
	simweb/expected.h \
	simweb/fault.c \
	simweb/fault.h \
	simweb/page_change.c \
	simweb/page_change.h \
	simweb/serve.c \
	simweb/serve.h \
	simweb/site.c \
	simweb/site.h \
	simweb/virtual_web.c \
	simweb/virtual_web.h
