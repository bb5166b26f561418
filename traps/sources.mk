noinst_LIBRARIES += traps/libtraps.a
traps_libtraps_a_SOURCES = \
	traps/chains.c \
	traps/chains.h \
	traps/duplicates.c \
	traps/duplicates.h \
	traps/limits.c \
	traps/limits.h \
	traps/mirrors.c \
	traps/mirrors.h \
	traps/options.c \
	traps/places.c \
	traps/places.h \
	traps/sessions.c \
	traps/sessions.h \
	traps/sinks.c \
	traps/sinks.h \
	traps/traps.c \
	traps/traps.h
