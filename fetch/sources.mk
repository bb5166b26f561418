noinst_LIBRARIES += fetch/libfetch.a
fetch_libfetch_a_SOURCES = \
	fetch/answer.c \
	fetch/answer.h \
	fetch/archive.c \
	fetch/archive.h \
	fetch/body_memory.h \
	fetch/channel.c \
	fetch/channel.h \
	fetch/credentials.c \
	fetch/credentials.h \
	fetch/descriptors.c \
	fetch/descriptors.h \
	fetch/fetch.c \
	fetch/fetch.h \
	fetch/guard.c \
	fetch/guard.h \
	fetch/net_address.c \
	fetch/net_address.h \
	fetch/page_build.c \
	fetch/page_build.h \
	fetch/page_fill.c \
	fetch/page_fill.h \
	fetch/proxies.c \
	fetch/proxies.h \
	fetch/robots_cache.c \
	fetch/robots_cache.h \
	fetch/robots_fetch.c \
	fetch/robots_fetch.h \
	fetch/sockets.c \
	fetch/sockets.h \
	fetch/transfer.c \
	fetch/transfer.h \
	fetch/transfer_end.c \
	fetch/trust.c \
	fetch/trust.h \
	fetch/worker.c \
	fetch/worker.h
