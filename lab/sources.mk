noinst_LIBRARIES += lab/liblab.a
lab_liblab_a_SOURCES = \
	lab/measure/audit.c \
	lab/measure/audit.h \
	lab/measure/by_time.c \
	lab/measure/by_time.h \
	lab/study/contest.c \
	lab/study/contest.h \
	lab/measure/throughput.c \
	lab/measure/throughput.h \
	lab/study/oracle.c \
	lab/study/oracle.h \
	lab/measure/stats.c \
	lab/measure/stats.h \
	lab/study/summary.c \
	lab/study/summary.h \
	lab/measure/op_counts.c \
	lab/measure/op_counts.h \
	lab/measure/order_log.c \
	lab/measure/order_log.h \
	lab/replay/graph_source.c \
	lab/replay/graph_source.h \
	lab/replay/virtual_source.c \
	lab/replay/virtual_source.h \
	lab/report/chart.c \
	lab/report/chart.h \
	lab/report/contest_curves.c \
	lab/report/contest_report.c \
	lab/report/contest_report.h \
	lab/report/drawing.c \
	lab/report/drawing.h \
	lab/report/study_page.c \
	lab/study/compare.c \
	lab/study/compare.h \
	lab/report/coverage_study.c \
	lab/report/coverage_study.h \
	lab/study/crawl_order.c \
	lab/study/crawl_order.h \
	lab/study/dataset.c \
	lab/study/dataset.h \
	lab/study/fleet.c \
	lab/study/fleet.h \
	lab/study/virtual_time.c \
	lab/study/virtual_time.h \
	lab/study/replay.c \
	lab/study/replay.h \
	lab/report/seeds_study.c \
	lab/report/seeds_study.h \
	lab/study/seedset.c \
	lab/study/seedset.h \
	lab/report/study.c \
	lab/report/study.h \
	lab/study/relocate.c \
	lab/study/relocate.h

# the page's styles and script, as strings of C
EXTRA_DIST += lab/report/page.css lab/report/page.js
CLEANFILES += lab/report/page.css.inc lab/report/page.js.inc
lab/report/study_page.$(OBJEXT): lab/report/page.css.inc lab/report/page.js.inc
lab/report/page.css.inc: $(srcdir)/lab/report/page.css
	$(AM_V_GEN)$(MKDIR_P) lab/report && sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $(srcdir)/lab/report/page.css >$@
lab/report/page.js.inc: $(srcdir)/lab/report/page.js
	$(AM_V_GEN)$(MKDIR_P) lab/report && sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $(srcdir)/lab/report/page.js >$@
