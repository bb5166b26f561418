noinst_LIBRARIES += agents/libagents.a
agents_libagents_a_SOURCES = \
	agents/exchange.c \
	agents/exchange.h \
	agents/letter.c \
	agents/letter.h \
	agents/partition.c \
	agents/partition.h
