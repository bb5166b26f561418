noinst_LIBRARIES += frontier/libfrontier.a
frontier_libfrontier_a_SOURCES = \
	frontier/counts.c \
	frontier/deferred.c \
	frontier/follower.c \
	frontier/follower.h \
	frontier/frontier.c \
	frontier/frontier.h \
	frontier/heap.h \
	frontier/inside.h \
	frontier/pile.c \
	frontier/pile.h \
	frontier/plain.c \
	frontier/policy.h \
	frontier/queue.c \
	frontier/queue.h \
	frontier/queue_look.c \
	frontier/restore.c \
	frontier/server.c \
	frontier/server.h \
	frontier/swap.c
