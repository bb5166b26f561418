noinst_LIBRARIES += base/libbase.a
base_libbase_a_SOURCES = \
	base/buf.c \
	base/buf.h \
	base/clock.h \
	base/err.c \
	base/err.h \
	base/flag.c \
	base/flag.h \
	base/gunzip.c \
	base/gunzip.h \
	base/input.c \
	base/input.h \
	base/lanes.h \
	base/log.c \
	base/log.h \
	base/map.c \
	base/map.h \
	base/mem.c \
	base/mem.h \
	base/mem_end.c \
	base/mem_end.h \
	base/nearest.c \
	base/nearest.h \
	base/num.c \
	base/num.h \
	base/opt.c \
	base/opt.h \
	base/outcome.c \
	base/outcome.h \
	base/output.c \
	base/output.h \
	base/progress.c \
	base/progress.h \
	base/rng.c \
	base/rng.h \
	base/sandbox.c \
	base/sandbox.h
