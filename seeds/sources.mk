noinst_LIBRARIES += seeds/libseeds.a
seeds_libseeds_a_SOURCES = \
	seeds/ball.c \
	seeds/baselines.c \
	seeds/ball.h \
	seeds/best.c \
	seeds/best.h \
	seeds/greedy.c \
	seeds/greedy.h \
	seeds/maxout.c \
	seeds/method.h \
	seeds/per_site.c \
	seeds/per_site.h \
	seeds/rootscc.c \
	seeds/table.c \
	seeds/values.c \
	seeds/values.h \
	seeds/hits/cores.c \
	seeds/hits/cores.h \
	seeds/hits/extract.c \
	seeds/hits/degree_one.c \
	seeds/hits/degree_one.h \
	seeds/hits/hits_rank.c \
	seeds/hits/hits_rank.h \
	seeds/hits/bicover.c \
	seeds/hits/bicover.h
