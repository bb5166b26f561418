noinst_LIBRARIES += crawler/libcrawler.a
crawler_libcrawler_a_SOURCES = \
	crawler/crawl.c \
	crawler/crawl.h \
	crawler/distinct.c \
	crawler/distinct.h \
	crawler/graph_source.c \
	crawler/graph_source.h \
	crawler/knowledge.c \
	crawler/knowledge.h \
	crawler/live.c \
	crawler/live.h \
	crawler/live_config.c \
	crawler/live_config.h \
	crawler/live_decision.c \
	crawler/live_decision.h \
	crawler/live_network.c \
	crawler/live_network.h \
	crawler/live_policy.c \
	crawler/live_policy.h \
	crawler/metrics.c \
	crawler/metrics.h \
	crawler/metrics_server.c \
	crawler/metrics_server.h \
	crawler/net_source.c \
	crawler/net_source.h \
	crawler/page_log.c \
	crawler/page_log.h \
	crawler/previous.c \
	crawler/previous.h \
	crawler/record.c \
	crawler/record.h \
	crawler/rescope.c \
	crawler/rescope.h \
	crawler/resume.c \
	crawler/resume.h \
	crawler/source.h
