# Unit tests: a program a file.
unit_tests = \
	tests/simweb/test_address \
	tests/agents/test_address_book \
	tests/graph/test_adjacency \
	tests/fetch/test_answer \
	tests/fetch/test_archive \
	tests/graph/test_asciigraph \
	tests/agents/test_agents \
	tests/agents/test_agent_shares \
	tests/agents/test_page_record \
	tests/agents/test_member \
	tests/agents/test_faulty_fleet \
	tests/seeds/test_attributes \
	tests/base/test_paged \
	tests/agents/test_partition_log \
	tests/agents/test_agent_gifts \
	tests/agents/test_agent_adopt \
	tests/agents/test_post \
	tests/lab/test_audit \
	tests/base/test_base \
	tests/graph/test_bfs \
	tests/graph/test_bits \
	tests/graph/test_bvgraph \
	tests/graph/test_bvhuge \
	tests/graph/test_bvproperties \
	tests/graph/test_bvrandom \
	tests/graph/test_bvrows \
	tests/agents/test_bus \
	tests/lab/test_by_time \
	tests/fetch/test_channel \
	tests/simweb/test_changing \
	tests/fetch/test_commands \
	tests/graph/test_components \
	tests/lab/test_contest \
	tests/fetch/test_connect_to \
	tests/monitor/test_control \
	tests/lab/test_drawing \
	tests/traps/test_duplicates \
	tests/seeds/test_coverage \
	tests/crawler/test_crawl \
	tests/fetch/test_credentials \
	tests/graph/test_csr \
	tests/graph/test_degrees \
	tests/lab/test_depth \
	tests/lab/test_map_order \
	tests/fetch/test_descriptors \
	tests/cli/test_destinations \
	tests/graph/test_edges \
	tests/parser/test_encoding \
	tests/storage/test_env_map \
	tests/simweb/test_endless \
	tests/simweb/test_endless_expected \
	tests/lab/test_fates \
	tests/simweb/test_fault \
	tests/fetch/test_fetch \
	tests/fetch/test_fetch_more \
	tests/frontier/test_fifo \
	tests/agents/test_fleet \
	tests/base/test_flag \
	tests/cli/test_flag_file \
	tests/cli/test_flags \
	tests/graph/test_formats \
	tests/traps/test_sessions \
	tests/traps/test_sinks \
	tests/frontier/test_deferred \
	tests/frontier/test_frontier \
	tests/cli/test_export \
	tests/storage/test_store_let_go \
	tests/frontier/test_schedule \
	tests/frontier/test_share \
	tests/frontier/test_snapshot \
	tests/graph/test_generate \
	tests/parser/test_fingerprint \
	tests/graph/test_graph \
	tests/fetch/test_guard \
	tests/graph/test_hits \
	tests/frontier/test_host_manners \
	tests/monitor/test_hot_share \
	tests/parser/test_host_settings \
	tests/graph/test_hits_cores \
	tests/seeds/test_hits_rank \
	tests/parser/test_html \
	tests/parser/test_link_kind \
	tests/parser/test_html_page \
	tests/parser/test_html_pages \
	tests/parser/test_html_seen \
	tests/parser/test_html_text \
	tests/parser/test_idna \
	tests/graph/test_igraph \
	tests/storage/test_image \
	tests/lab/test_crawl_ranking \
	tests/base/test_input \
	tests/lab/test_kendall \
	tests/crawler/test_knowledge \
	tests/crawler/test_agent_charter \
	tests/crawler/test_scrub \
	tests/crawler/test_snapshot_file \
	tests/crawler/test_tell_frontier \
	tests/lab/test_lab \
	tests/lab/test_order_log \
	tests/storage/test_latest \
	tests/agents/test_leases \
	tests/lib/test_library \
	tests/crawler/test_live_decision \
	tests/crawler/test_captures \
	tests/cli/test_job \
	tests/storage/test_lmdb_check \
	tests/base/test_long_hash \
	tests/base/test_map \
	tests/base/test_mem \
	tests/storage/test_merge_rules \
	tests/monitor/test_metrics \
	tests/parser/test_mime \
	tests/traps/test_mirrors \
	tests/graph/test_mtx \
	tests/graph/test_names \
	tests/fetch/test_names_resolved \
	tests/fetch/test_net_address \
	tests/crawler/test_net_source \
	tests/crawler/test_reasons \
	tests/base/test_outcome \
	tests/crawler/test_outages \
	tests/base/test_output \
	tests/fetch/test_page_build \
	tests/fetch/test_page_fill \
	tests/fetch/test_page_jail \
	tests/fetch/test_page_topic \
	tests/graph/test_pagerank \
	tests/seeds/test_per_site \
	tests/frontier/test_pile \
	tests/traps/test_places \
	tests/lab/test_paper_claims \
	tests/policies/test_policies \
	tests/policies/test_explorers \
	tests/policies/test_words \
	tests/policies/test_policy_orders \
	tests/base/test_progress \
	tests/fetch/test_proxies \
	tests/graph/test_gather \
	tests/lab/test_ranks \
	tests/graph/test_reorder \
	tests/parser/test_requisites \
	tests/cli/test_results \
	tests/parser/test_robots \
	tests/fetch/test_robots_cache \
	tests/scope/test_rules \
	tests/graph/test_runs \
	tests/base/test_sandbox \
	tests/graph/test_scc \
	tests/scope/test_scope \
	tests/crawler/test_seed_limits \
	tests/seeds/test_seed_methods \
	tests/lab/test_seeds_study \
	tests/simweb/test_serve \
	tests/policies/test_server \
	tests/parser/test_shape \
	tests/policies/test_sights \
	tests/simweb/test_simweb \
	tests/parser/test_sitemap \
	tests/cli/test_sites \
	tests/fetch/test_sockets \
	tests/lab/test_stats \
	tests/storage/test_store \
	tests/storage/test_store_commit \
	tests/storage/test_store_bits \
	tests/storage/test_store_damage \
	tests/storage/test_store_dump \
	tests/storage/test_store_faults \
	tests/storage/test_store_log \
	tests/storage/test_store_links \
	tests/storage/test_salvage \
	tests/storage/test_verb_bits \
	tests/storage/test_store_hostile \
	tests/storage/test_store_merge \
	tests/storage/test_store_open \
	tests/storage/test_store_robots \
	tests/storage/test_store_urls \
	tests/storage/test_store_visits \
	tests/storage/test_store_verify \
	tests/storage/test_stored \
	tests/lab/test_study_page \
	tests/graph/test_harmonic \
	tests/graph/test_subgraph \
	tests/graph/test_tables \
	tests/graph/test_tiles \
	tests/refresh/test_rates \
	tests/refresh/test_refresh \
	tests/archive/test_replay_rewrite \
	tests/frontier/test_visit \
	tests/lab/test_relocate \
	tests/lab/test_summary \
	tests/policies/test_swap \
	tests/storage/test_tags \
	tests/lab/test_taking_part \
	tests/fetch/test_time_limits \
	tests/graph/test_topk \
	tests/graph/test_transpose \
	tests/traps/test_traps \
	tests/traps/test_traps_crawl \
	tests/traps/test_traps_families \
	tests/traps/test_traps_real \
	tests/fetch/test_trust \
	tests/parser/test_url \
	tests/parser/test_url_host \
	tests/parser/test_url_normalise \
	tests/parser/test_url_query \
	tests/parser/test_url_rules \
	tests/cli/test_verbs \
	tests/lab/test_verdict \
	tests/crawler/test_virtual_source \
	tests/simweb/test_virtual_web \
	tests/fetch/test_wakeup \
	tests/crawler/test_wall_time \
	tests/storage/test_cdxj \
	tests/storage/test_warc \
	tests/storage/test_warc_mend \
	tests/storage/test_warc_items \
	tests/storage/test_warc_records \
	tests/storage/test_warc_rules \
	tests/frontier/test_operator \
	tests/lab/test_op_counts \
	tests/parser/test_words \
	tests/fetch/test_worker

# The compiler's time with these files is most of what they cost, since each of their programs runs once; slow_*.c, the fuzz targets and the
# benchmarks, which calculate, are compiled like the rest.
tests/agents/test_%.$(OBJEXT) tests/archive/test_%.$(OBJEXT) tests/base/test_%.$(OBJEXT) tests/cli/test_%.$(OBJEXT) \
tests/crawler/test_%.$(OBJEXT) tests/fetch/test_%.$(OBJEXT) tests/frontier/test_%.$(OBJEXT) tests/graph/test_%.$(OBJEXT) \
tests/lab/test_%.$(OBJEXT) tests/lib/test_%.$(OBJEXT) tests/monitor/test_%.$(OBJEXT) tests/parser/test_%.$(OBJEXT) \
tests/policies/test_%.$(OBJEXT) tests/refresh/test_%.$(OBJEXT) tests/scope/test_%.$(OBJEXT) tests/seeds/test_%.$(OBJEXT) \
tests/simweb/test_%.$(OBJEXT) tests/storage/test_%.$(OBJEXT) tests/traps/test_%.$(OBJEXT): private CFLAGS += -O0 -U_FORTIFY_SOURCE

# Programs that are more than their own file.
web_test_files = tests/fetch/webtable.c tests/fetch/webtable.h tests/test.h
tests_agents_test_faulty_fleet_SOURCES = tests/agents/test_faulty_fleet.c tests/agents/sim/sim_bus.c tests/agents/sim/sim_bus.h tests/agents/sim/sim_disk.c tests/agents/sim/sim_disk.h tests/agents/sim/sim_fetchers.c tests/agents/sim/sim_fetchers.h tests/agents/sim/sim_time.c tests/agents/sim/sim_time.h
tests_agents_test_faulty_fleet_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=paged_open -Wl,--wrap=log_say
tests_storage_test_warc_SOURCES = tests/storage/test_warc.c tests/storage/warc_read.h tests/storage/warc_write.h
tests_storage_test_warc_records_SOURCES = tests/storage/test_warc_records.c tests/storage/warc_read.h tests/storage/warc_write.h
tests_storage_test_warc_mend_SOURCES = tests/storage/test_warc_mend.c tests/storage/warc_read.h tests/storage/warc_write.h
tests_powerloss_powerloss_SOURCES = tests/powerloss/powerloss.c tests/powerloss/trace.h
tests_archive_warc_bodies_SOURCES = tests/archive/warc_bodies.c tests/storage/warc_read.h
tests_traps_trap_server_SOURCES = tests/traps/trap_server.c tests/traps/trap_sites.c tests/traps/view_sites.c tests/traps/trap_sites.h tests/traps/honest_sites.c \
	tests/traps/twin_sites.c tests/traps/kind_sites.c tests/traps/family_sites.c tests/traps/family_sites.h tests/traps/families.c tests/traps/families.h
tests_traps_test_traps_families_SOURCES = tests/traps/test_traps_families.c tests/traps/families.c tests/traps/families.h
tests_policies_test_policies_SOURCES = tests/policies/test_policies.c tests/policies/policy_run.h
tests_policies_test_policies_LDFLAGS = $(AM_LDFLAGS) $(exported)
tests_policies_test_sights_SOURCES = tests/policies/test_sights.c tests/policies/policy_run.h
tests_policies_test_swap_SOURCES = tests/policies/test_swap.c tests/policies/policy_run.h
tests_policies_test_policy_orders_SOURCES = tests/policies/test_policy_orders.c tests/policies/policy_run.h tests/policies/slow_aim.c tests/policies/slow_quality.c tests/policies/slow_echo.c tests/policies/slow_policies.c tests/policies/slow_policies.h
tests_crawler_test_virtual_source_SOURCES = tests/crawler/test_virtual_source.c tests/lab/slow_crawl.c tests/lab/slow_crawl.h tests/lab/slow_crawl_state.h
tests_simweb_test_simweb_SOURCES = tests/simweb/test_simweb.c tests/simweb/web.h
tests_fetch_test_fetch_SOURCES = tests/fetch/test_fetch.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_fetch_more_SOURCES = tests/fetch/test_fetch_more.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_sockets_SOURCES = tests/fetch/test_sockets.c $(web_test_files)
tests_storage_test_store_faults_SOURCES = tests/storage/test_store_faults.c tests/storage/failing.h tests/storage/told_store.h
tests_storage_test_lmdb_check_SOURCES = tests/storage/test_lmdb_check.c tests/storage/told_store.h
tests_fetch_test_archive_SOURCES = tests/fetch/test_archive.c tests/fetch/fetching.h tests/storage/warc_read.h tests/storage/warc_write.h $(web_test_files)
tests_fetch_test_net_address_SOURCES = tests/fetch/test_net_address.c tests/fetch/fetching.h $(web_test_files)
tests_crawler_test_knowledge_SOURCES = tests/crawler/test_knowledge.c tests/crawler/net_bench.h $(web_test_files)
tests_crawler_test_wall_time_SOURCES = tests/crawler/test_wall_time.c tests/crawler/net_bench.h $(web_test_files)
tests_crawler_test_net_source_SOURCES = tests/crawler/test_net_source.c tests/crawler/net_bench.h $(web_test_files)
tests_crawler_test_reasons_SOURCES = tests/crawler/test_reasons.c tests/crawler/net_bench.h $(web_test_files)
tests_fetch_test_robots_cache_SOURCES = tests/fetch/test_robots_cache.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_descriptors_SOURCES = tests/fetch/test_descriptors.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_names_resolved_SOURCES = tests/fetch/test_names_resolved.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_time_limits_SOURCES = tests/fetch/test_time_limits.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_wakeup_SOURCES = tests/fetch/test_wakeup.c tests/fetch/fetching.h $(web_test_files)
tests_fetch_test_worker_SOURCES = tests/fetch/test_worker.c tests/fetch/fetching.h $(web_test_files)
tests_parser_test_url_SOURCES = tests/parser/test_url.c tests/test.h tests/parser/urls.h
tests_parser_test_html_SOURCES = tests/parser/test_html.c tests/parser/pages.h tests/test.h
tests_parser_test_html_page_SOURCES = tests/parser/test_html_page.c tests/parser/pages.h tests/test.h

# Tests of the whole program, the longest first, so that the others fill the time beside them.
script_tests = \
	tests/agents/e2e_fleet_faults.sh \
	tests/agents/e2e_fleet.sh \
	tests/agents/e2e_fleet_moves.sh \
	tests/agents/e2e_fleet_lease.sh \
	tests/agents/e2e_fleet_heir.sh \
	tests/agents/e2e_fleet_server.sh \
	tests/crawler/e2e_busy.sh \
	tests/crawler/e2e_render.sh \
	tests/crawler/e2e_remedies.sh \
	tests/graph/data.sh \
	tests/graph/e2e_uci.sh \
	tests/crawler/e2e_outage.sh \
	tests/refresh/e2e_refresh.sh \
	tests/crawler/e2e_addresses.sh \
	tests/lab/agree_times.sh \
	tests/traps/e2e_traps.sh \
	tests/lab/study.sh \
	tests/crawler/e2e_nothing_lost.sh \
	tests/agents/e2e_fleet_access.sh \
	tests/cli/man_examples.sh \
	tests/monitor/monitor_page.sh \
	tests/monitor/e2e_monitor.sh \
	tests/monitor/e2e_watch.sh \
	tests/archive/e2e_mirror.sh \
	tests/policies/e2e_orders.sh \
	tests/traps/e2e_traps_policies.sh \
	tests/traps/e2e_made_up.sh \
	tests/traps/e2e_traps_links.sh \
	tests/traps/e2e_traps_kinds.sh \
	tests/fetch/e2e_served_tls.sh \
	tests/archive/archive.sh \
	tests/archive/crawlers.sh \
	tests/archive/import.sh \
	tests/archive/odd_archives.sh \
	tests/archive/wacz.sh \
	tests/seeds/e2e_scores.sh \
	tests/cli/bad_input.sh \
	tests/agents/agents.sh \
	tests/lab/agree.sh \
	tests/archive/archive_serve.sh \
	tests/lab/audit.sh \
	tests/cli/cli.sh \
	tests/policies/cli_policies.sh \
	tests/graph/cli_rank.sh \
	tests/lab/compare.sh \
	tests/lab/measure.sh \
	tests/cli/crawl_flags.sh \
	tests/fetch/e2e_dns.sh \
	tests/crawler/e2e_commands.sh \
	tests/crawler/e2e_cut_file.sh \
	tests/crawler/e2e_depth.sh \
	tests/crawler/e2e_descriptors.sh \
	tests/crawler/e2e_endless.sh \
	tests/fetch/e2e_evil.sh \
	tests/policies/e2e_expected.sh \
	tests/cli/e2e_files.sh \
	tests/fetch/e2e_guard.sh \
	tests/fetch/e2e_hostile.sh \
	tests/crawler/e2e_kill.sh \
	tests/crawler/e2e_outcomes.sh \
	tests/fetch/e2e_polite.sh \
	tests/fetch/e2e_sandbox.sh \
	tests/storage/e2e_readers.sh \
	tests/crawler/e2e_requisites.sh \
	tests/crawler/e2e_robots_kept.sh \
	tests/scope/e2e_scope.sh \
	tests/seeds/e2e_seeds.sh \
	tests/crawler/e2e_host_settings.sh \
	tests/cli/e2e_settings.sh \
	tests/crawler/e2e_site.sh \
	tests/crawler/e2e_snapshot.sh \
	tests/crawler/e2e_stop.sh \
	tests/crawler/e2e_stop_when.sh \
	tests/policies/e2e_swap.sh \
	tests/fetch/e2e_tls.sh \
	tests/crawler/e2e_kinds.sh \
	tests/crawler/e2e_topic.sh \
	tests/crawler/e2e_usage.sh \
	tests/archive/e2e_warc.sh \
	tests/storage/export.sh \
	tests/storage/export_readers.sh \
	tests/graph/graph.sh \
	tests/cli/json.sh \
	tests/cli/outputs.sh \
	tests/lab/lab_edges.sh \
	tests/lib/library.sh \
	tests/lib/python.sh \
	tests/policies/policies_md.sh \
	tests/policies/policy_sights.sh \
	tests/policies/focus.sh \
	tests/storage/store_diff.sh \
	tests/storage/store_merge.sh \
	tests/storage/store_salvage.sh \
	tests/storage/store_named.sh \
	tests/storage/upgrade.sh \
	tests/lab/target.sh \
	tests/house/coming_from.sh \
	tests/house/doors.sh \
	tests/lab/virtual_time.sh \
	tests/cli/words.sh

# Of a build with sanitizers these say nothing: they look at texts or try how the house is built, or cannot run with one.
plain_tests = \
	tests/house/checked.sh \
	tests/house/grows.sh \
	tests/house/mutate.sh \
	tests/cli/locales.sh \
	build-aux/floors.sh \
	tests/house/doc_links.sh \
	tests/house/reproduce.sh \
	tests/storage/e2e_powerloss.sh \
	tests/storage/e2e_synced.sh \
	tests/storage/faults.sh \
	tests/house/fuzz_folder.sh \
	tests/house/hardening.sh \
	tests/house/abi.sh \
	tests/house/site.sh \
	tests/cli/man_flags.sh \
	tests/house/service.sh \
	tests/house/setup.sh

# Fuzz targets: the inputs of fuzz_NAME lie in tests/fuzz/corpus/NAME.
fuzz_targets = \
	tests/fuzz/fuzz_access_log \
	tests/fuzz/fuzz_address \
	tests/fuzz/fuzz_answer \
	tests/fuzz/fuzz_archive \
	tests/fuzz/fuzz_asciigraph \
	tests/fuzz/fuzz_attributes \
	tests/fuzz/fuzz_bucket \
	tests/fuzz/fuzz_bvgraph \
	tests/fuzz/fuzz_csr \
	tests/fuzz/fuzz_edges \
	tests/fuzz/fuzz_endless \
	tests/fuzz/fuzz_flags \
	tests/fuzz/fuzz_gzip \
	tests/fuzz/fuzz_hosts \
	tests/fuzz/fuzz_html \
	tests/fuzz/fuzz_image \
	tests/fuzz/fuzz_links \
	tests/fuzz/fuzz_lists \
	tests/fuzz/fuzz_job \
	tests/fuzz/fuzz_log \
	tests/fuzz/fuzz_mime \
	tests/fuzz/fuzz_mtx \
	tests/fuzz/fuzz_names \
	tests/fuzz/fuzz_news \
	tests/fuzz/fuzz_items \
	tests/fuzz/fuzz_letter \
	tests/fuzz/fuzz_robots \
	tests/fuzz/fuzz_runs \
	tests/fuzz/fuzz_scope \
	tests/fuzz/fuzz_secrets \
	tests/fuzz/fuzz_seeds \
	tests/fuzz/fuzz_sitemap \
	tests/fuzz/fuzz_store \
	tests/fuzz/fuzz_stored \
	tests/fuzz/fuzz_url \
	tests/fuzz/fuzz_values \
	tests/fuzz/fuzz_wacz \
	tests/fuzz/fuzz_zip

# What the tests read.
EXTRA_DIST += \
	policies/exported.list \
	tests/graph/bvfiles.h \
	tests/archive/browser.sh \
	tests/archive/browser_keys.py \
	tests/archive/odd_archives.py \
	tests/archive/wacz_broken.py \
	tests/archive/wacz_rules.py \
	tests/house/site_links.py \
	tests/storage/kept/format-1.mdb.gz \
	tests/storage/kept/format-2.mdb.gz \
	tests/storage/kept/format-3.mdb.gz \
	tests/storage/kept/format-4.mdb.gz \
	tests/storage/kept/format-5.mdb.gz \
	tests/fetch/evil_server.py \
	tests/faults \
	tests/fuzz/corpus \
	tests/lib/python_module.py \
	tests/lib/python_page.py \
	tests/lib/python_types.py \
	tests/fuzz/fuzz_folder.h \
	tests/fuzz/graph_input.h \
	tests/refresh/changing_server.py \
	tests/fetch/needy_server.py \
	tests/graph/data_server.py \
	tests/archive/shown_site.py \
	tests/fetch/hostile_server.py \
	tests/agents/model/agents.pml tests/agents/model/check.sh \
	tests/agents/mutate_protocol \
	tests/mutate \
	tests/mutate.equivalent \
	tests/mutations.py \
	tests/parser/numbered_url.h \
	tests/monitor/prometheus.awk
