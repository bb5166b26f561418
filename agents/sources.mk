noinst_LIBRARIES += agents/libagents.a
agents_libagents_a_SOURCES = \
	agents/address_book.c \
	agents/address_book.h \
	agents/bus.c \
	agents/bus.h \
	agents/bus_absent.c \
	agents/bus_access.c \
	agents/bus_access.h \
	agents/charter.c \
	agents/charter.h \
	agents/exchange.c \
	agents/exchange.h \
	agents/leases.c \
	agents/leases.h \
	agents/letter.c \
	agents/log_pack.c \
	agents/log_pack.h \
	agents/letter.h \
	agents/news.c \
	agents/news.h \
	agents/roster.c \
	agents/roster.h \
	agents/post.c \
	agents/post.h \
	agents/member.c \
	agents/member_log.c \
	agents/member.h \
	agents/member_letters.c \
	agents/member_parts.h \
	agents/member_past.c \
	agents/member_past.h \
	agents/partition.c \
	agents/partition.h
