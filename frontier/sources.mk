noinst_LIBRARIES += frontier/libfrontier.a
frontier_libfrontier_a_SOURCES = \
	frontier/discovery.c \
	frontier/flight.c \
	frontier/frontier.c \
	frontier/frontier.h \
	frontier/frontier_internal.h \
	frontier/heap.h \
	frontier/operator.c \
	frontier/hosts.c \
	frontier/hosts.h \
	frontier/pages.h \
	frontier/pile.c \
	frontier/pile.h \
	frontier/policy.h \
	frontier/queue.c \
	frontier/queue.h \
	frontier/remote.c \
	frontier/remote.h \
	frontier/schedule.h \
	frontier/share.c \
	frontier/share.h \
	frontier/ranker.c \
	frontier/snapshot.c \
	frontier/snapshot.h \
	frontier/ranker.h
