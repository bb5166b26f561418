noinst_LIBRARIES += traps/libtraps.a
traps_libtraps_a_SOURCES = \
	traps/copies.c \
	traps/copies.h \
	traps/forms.c \
	traps/forms.h \
	traps/mirrors.c \
	traps/mirrors.h \
	traps/traps.c \
	traps/traps.h
