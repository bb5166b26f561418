noinst_LIBRARIES += policies/libpolicies.a
policies_libpolicies_a_SOURCES = \
	policies/aim.c \
	policies/backlink.c \
	policies/batch_pagerank.c \
	policies/bfs.c \
	policies/crawled_rank.c \
	policies/crawled_rank.h \
	policies/dfs.c \
	policies/echo.c \
	policies/echo.h \
	policies/expected_rank.c \
	policies/expected_rank.h \
	policies/fica.c \
	policies/find.c \
	policies/ieca.c \
	policies/largest_site.c \
	policies/least_squares.c \
	policies/least_squares.h \
	policies/load.c \
	policies/name_prior.c \
	policies/name_prior.h \
	policies/mean_score.h \
	policies/needs.c \
	policies/opic.c \
	policies/oracles.c \
	policies/partial_pagerank.c \
	policies/policies.h \
	policies/random.c \
	policies/rankmass.c \
	policies/rerank.c \
	policies/rerank.h \
	policies/explorers.c \
	policies/explorers.h \
	policies/scout.c \
	policies/seed_bonus.c \
	policies/seed_bonus.h \
	policies/table.c
