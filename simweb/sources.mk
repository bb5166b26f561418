noinst_LIBRARIES += simweb/libsimweb.a
simweb_libsimweb_a_SOURCES = \
	simweb/access_log.c \
	simweb/access_log.h \
	simweb/address.c \
	simweb/address.h \
	simweb/answer.c \
	simweb/answer.h \
	simweb/delay.c \
	simweb/delay.h \
	simweb/expected.c \
	simweb/expected.h \
	simweb/fault.c \
	simweb/fault.h \
	simweb/gzip.c \
	simweb/gzip.h \
	simweb/node_page.c \
	simweb/node_page.h \
	simweb/request_log.c \
	simweb/request_log.h \
	simweb/serve.c \
	simweb/serve.h \
	simweb/site.c \
	simweb/site.h \
	simweb/stored.c \
	simweb/stored.h \
	simweb/virtual_web.c \
	simweb/virtual_web.h
