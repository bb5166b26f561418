noinst_LIBRARIES += crawler/libcrawler.a
crawler_libcrawler_a_SOURCES = \
	crawler/agent_adopt.c \
	crawler/agent_elsewhere.c \
	crawler/agent_elsewhere.h \
	crawler/agent_gifts.c \
	crawler/agent_gone.c \
	crawler/agent_log.c \
	crawler/agent_log.h \
	crawler/agent_pages.c \
	crawler/agent_pages.h \
	crawler/agent_shares.c \
	crawler/agent_shares.h \
	crawler/agent_shares_parts.h \
	crawler/agent_turns.c \
	crawler/agent_turns.h \
	crawler/change_history.c \
	crawler/change_history.h \
	crawler/crawl.c \
	crawler/crawl.h \
	crawler/distinct.c \
	crawler/distinct.h \
	crawler/graph_source.c \
	crawler/graph_source.h \
	crawler/graph_world.c \
	crawler/graph_world.h \
	crawler/json_text.c \
	crawler/json_text.h \
	crawler/knowledge.c \
	crawler/knowledge.h \
	crawler/knowledge_image.c \
	crawler/knowledge_log.c \
	crawler/live.c \
	crawler/live.h \
	crawler/live_agent.c \
	crawler/live_agent.h \
	crawler/live_agent_letters.c \
	crawler/live_agent_news.c \
	crawler/live_agent_parts.h \
	crawler/live_archive.c \
	crawler/live_archive.h \
	crawler/live_asked.c \
	crawler/live_asked.h \
	crawler/live_config.c \
	crawler/live_config.h \
	crawler/live_decision.c \
	crawler/live_decision.h \
	crawler/live_exec.c \
	crawler/live_exec.h \
	crawler/live_memory.c \
	crawler/live_memory.h \
	crawler/live_network.c \
	crawler/live_network.h \
	crawler/live_parts.h \
	crawler/live_policy.c \
	crawler/live_policy.h \
	crawler/live_requisites.c \
	crawler/live_requisites.h \
	crawler/live_run.c \
	crawler/live_scores.c \
	crawler/live_scores.h \
	crawler/live_seed.c \
	crawler/live_seed.h \
	crawler/monitor/census.c \
	crawler/monitor/census.h \
	crawler/monitor/control.c \
	crawler/monitor/control.h \
	crawler/monitor/control_command.c \
	crawler/monitor/control_hosts.c \
	crawler/monitor/control_internal.h \
	crawler/monitor/control_page.c \
	crawler/monitor/control_status.c \
	crawler/monitor/discovery_paths.c \
	crawler/monitor/discovery_paths.h \
	crawler/monitor/hot_share.c \
	crawler/monitor/hot_share.h \
	crawler/monitor/inbox.c \
	crawler/monitor/inbox.h \
	crawler/monitor/metrics.c \
	crawler/monitor/metrics.h \
	crawler/monitor/metrics_machine.c \
	crawler/monitor/monitor.c \
	crawler/monitor/monitor.h \
	crawler/monitor/monitor_guard.c \
	crawler/monitor/tally.c \
	crawler/monitor/tally.h \
	crawler/net_beside.c \
	crawler/net_beside.h \
	crawler/net_fleet.c \
	crawler/net_fleet.h \
	crawler/net_hosts.c \
	crawler/net_hosts.h \
	crawler/net_pages.c \
	crawler/net_pages.h \
	crawler/net_robots.c \
	crawler/net_robots.h \
	crawler/net_source.c \
	crawler/net_source.h \
	crawler/net_visits.c \
	crawler/net_visits.h \
	crawler/net_world.c \
	crawler/net_world.h \
	crawler/outages.c \
	crawler/outages.h \
	crawler/page_log.c \
	crawler/page_log.h \
	crawler/page_record.c \
	crawler/page_record.h \
	crawler/post_log.c \
	crawler/post_log.h \
	crawler/previous.c \
	crawler/previous.h \
	crawler/record.c \
	crawler/record.h \
	crawler/rescope.c \
	crawler/rescope.h \
	crawler/resume.c \
	crawler/resume.h \
	crawler/retry.c \
	crawler/retry.h \
	crawler/revisit.c \
	crawler/revisit.h \
	crawler/snapshot.c \
	crawler/snapshot.h \
	crawler/source.h \
	crawler/stop_when.c \
	crawler/stop_when.h \
	crawler/store_pagerank.c \
	crawler/store_pagerank.h \
	crawler/tell_frontier.c \
	crawler/tell_frontier.h \
	crawler/trap_verdict.c \
	crawler/trap_verdict.h \
	crawler/virtual_source.c \
	crawler/virtual_source.h


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
