noinst_LIBRARIES += refresh/librefresh.a
refresh_librefresh_a_SOURCES = \
	refresh/allocation.c \
	refresh/allocation.h \
	refresh/changes.c \
	refresh/changes.h \
	refresh/rates.c \
	refresh/rates.h \
	refresh/schedule.c \
	refresh/schedule.h
