noinst_LIBRARIES += crawler/libcrawler.a
crawler_libcrawler_a_SOURCES = \
	crawler/crawl.c \
	crawler/crawl.h \
	crawler/source.h \
	crawler/agent/agent_adopt.c \
	crawler/agent/agent_log.c \
	crawler/agent/agent_log.h \
	crawler/agent/agent_pages.c \
	crawler/agent/agent_pages.h \
	crawler/agent/agent_shares.c \
	crawler/agent/agent_shares.h \
	crawler/agent/agent_shares_parts.h \
	crawler/agent/live_agent.c \
	crawler/agent/live_agent.h \
	crawler/agent/page_record.c \
	crawler/agent/page_record.h \
	crawler/agent/post_log.c \
	crawler/agent/post_log.h \
	crawler/knowledge/knowledge.c \
	crawler/knowledge/knowledge.h \
	crawler/knowledge/outages.c \
	crawler/knowledge/outages.h \
	crawler/knowledge/trap_verdict.c \
	crawler/knowledge/trap_verdict.h \
	crawler/live/live.c \
	crawler/live/live.h \
	crawler/live/live_observers.c \
	crawler/live/live_observers.h \
	crawler/live/live_parts.h \
	crawler/live/live_requisites.c \
	crawler/live/live_requisites.h \
	crawler/live/live_run.c \
	crawler/monitor/census.c \
	crawler/monitor/census.h \
	crawler/monitor/control.c \
	crawler/monitor/control.h \
	crawler/monitor/control_internal.h \
	crawler/monitor/control_readings.c \
	crawler/monitor/discovery_paths.c \
	crawler/monitor/discovery_paths.h \
	crawler/monitor/hot_share.c \
	crawler/monitor/hot_share.h \
	crawler/monitor/inbox.c \
	crawler/monitor/inbox.h \
	crawler/monitor/metrics.c \
	crawler/monitor/metrics.h \
	crawler/monitor/monitor.c \
	crawler/monitor/monitor.h \
	crawler/monitor/tally.c \
	crawler/monitor/tally.h \
	crawler/network/distinct.c \
	crawler/network/distinct.h \
	crawler/network/net_fleet.c \
	crawler/network/net_fleet.h \
	crawler/network/net_pages.c \
	crawler/network/net_pages.h \
	crawler/network/net_source.c \
	crawler/network/net_source.h \
	crawler/network/net_visits.c \
	crawler/network/net_visits.h \
	crawler/observers/json_text.c \
	crawler/observers/json_text.h \
	crawler/observers/page_log.c \
	crawler/observers/page_log.h \
	crawler/observers/record.c \
	crawler/observers/record.h \
	crawler/observers/stop_when.c \
	crawler/observers/stop_when.h \
	crawler/observers/store_pagerank.c \
	crawler/observers/store_pagerank.h \
	crawler/resume/rescope.c \
	crawler/resume/rescope.h \
	crawler/resume/resume.c \
	crawler/resume/resume.h \
	crawler/resume/retry.c \
	crawler/resume/retry.h \
	crawler/resume/snapshot.c \
	crawler/resume/snapshot.h \
	crawler/revisit/change_history.c \
	crawler/revisit/change_history.h \
	crawler/revisit/revisit.c \
	crawler/revisit/revisit.h \
	crawler/settings/live_config.c \
	crawler/settings/live_config.h \
	crawler/settings/live_decision.c \
	crawler/settings/live_decision.h


# the page of the monitor, as bytes of C
monitor_page = crawler/monitor/page/page.html crawler/monitor/page/page.css crawler/monitor/page/page.js
monitor_bytes = crawler/monitor/page/page.html.inc crawler/monitor/page/page.css.inc crawler/monitor/page/page.js.inc
EXTRA_DIST += $(monitor_page)
CLEANFILES += $(monitor_bytes)
crawler/monitor/monitor.$(OBJEXT): $(monitor_bytes)
as_bytes = $(AM_V_GEN)$(MKDIR_P) crawler/monitor/page && od -An -v -tu1
with_commas = sed 's/[0-9][0-9]*/&,/g'
crawler/monitor/page/page.html.inc: $(srcdir)/crawler/monitor/page/page.html
	$(as_bytes) $(srcdir)/crawler/monitor/page/page.html | $(with_commas) >$@
crawler/monitor/page/page.css.inc: $(srcdir)/crawler/monitor/page/page.css
	$(as_bytes) $(srcdir)/crawler/monitor/page/page.css | $(with_commas) >$@
crawler/monitor/page/page.js.inc: $(srcdir)/crawler/monitor/page/page.js
	$(as_bytes) $(srcdir)/crawler/monitor/page/page.js | $(with_commas) >$@
