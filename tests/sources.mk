# Unit tests: a program a file.
unit_tests = \
	tests/test_address \
	tests/test_address_book \
	tests/test_adjacency \
	tests/test_answer \
	tests/test_archive \
	tests/test_asciigraph \
	tests/test_agents \
	tests/test_agent_shares \
	tests/test_page_record \
	tests/test_member \
	tests/test_attributes \
	tests/test_paged \
	tests/test_partition_log \
	tests/test_agent_gifts \
	tests/test_agent_adopt \
	tests/test_post \
	tests/test_audit \
	tests/test_base \
	tests/test_bfs \
	tests/test_bits \
	tests/test_bvgraph \
	tests/test_bvhuge \
	tests/test_bvproperties \
	tests/test_bvrandom \
	tests/test_bvrows \
	tests/test_bus \
	tests/test_by_time \
	tests/test_channel \
	tests/test_changing \
	tests/test_commands \
	tests/test_components \
	tests/test_contest \
	tests/test_connect_to \
	tests/test_control \
	tests/test_drawing \
	tests/test_duplicates \
	tests/test_coverage \
	tests/test_crawl \
	tests/test_credentials \
	tests/test_csr \
	tests/test_degrees \
	tests/test_depth \
	tests/test_descriptors \
	tests/test_destinations \
	tests/test_edges \
	tests/test_encoding \
	tests/test_env_map \
	tests/test_endless \
	tests/test_endless_expected \
	tests/test_fates \
	tests/test_fault \
	tests/test_fetch \
	tests/test_fetch_more \
	tests/test_fifo \
	tests/test_fleet \
	tests/test_flag \
	tests/test_flag_file \
	tests/test_flags \
	tests/test_formats \
	tests/test_sessions \
	tests/test_deferred \
	tests/test_frontier \
	tests/test_export \
	tests/test_store_let_go \
	tests/test_snapshot \
	tests/test_generate \
	tests/test_fingerprint \
	tests/test_graph \
	tests/test_guard \
	tests/test_hits \
	tests/test_host_manners \
	tests/test_hot_share \
	tests/test_host_settings \
	tests/test_hits_cores \
	tests/test_hits_rank \
	tests/test_html \
	tests/test_html_page \
	tests/test_html_pages \
	tests/test_html_seen \
	tests/test_html_text \
	tests/test_idna \
	tests/test_igraph \
	tests/test_image \
	tests/test_crawl_ranking \
	tests/test_input \
	tests/test_kendall \
	tests/test_knowledge \
	tests/test_tell_frontier \
	tests/test_lab \
	tests/test_latest \
	tests/test_leases \
	tests/test_library \
	tests/test_live_decision \
	tests/test_job \
	tests/test_lmdb_check \
	tests/test_long_hash \
	tests/test_map \
	tests/test_mem \
	tests/test_merge_rules \
	tests/test_metrics \
	tests/test_mime \
	tests/test_mirrors \
	tests/test_mtx \
	tests/test_names \
	tests/test_names_resolved \
	tests/test_net_address \
	tests/test_net_source \
	tests/test_outcome \
	tests/test_outages \
	tests/test_output \
	tests/test_page_build \
	tests/test_page_fill \
	tests/test_page_topic \
	tests/test_pagerank \
	tests/test_per_site \
	tests/test_pile \
	tests/test_places \
	tests/test_paper_claims \
	tests/test_policies \
	tests/test_policy_orders \
	tests/test_progress \
	tests/test_proxies \
	tests/test_gather \
	tests/test_ranks \
	tests/test_reorder \
	tests/test_requisites \
	tests/test_results \
	tests/test_robots \
	tests/test_robots_cache \
	tests/test_rules \
	tests/test_runs \
	tests/test_sandbox \
	tests/test_scc \
	tests/test_scope \
	tests/test_seed_limits \
	tests/test_seed_methods \
	tests/test_seeds_study \
	tests/test_serve \
	tests/test_server \
	tests/test_shape \
	tests/test_sights \
	tests/test_simweb \
	tests/test_sitemap \
	tests/test_sites \
	tests/test_sockets \
	tests/test_stats \
	tests/test_store \
	tests/test_store_commit \
	tests/test_store_bits \
	tests/test_store_damage \
	tests/test_store_dump \
	tests/test_store_faults \
	tests/test_store_log \
	tests/test_store_links \
	tests/test_store_merge \
	tests/test_store_open \
	tests/test_store_robots \
	tests/test_store_urls \
	tests/test_store_visits \
	tests/test_store_verify \
	tests/test_stored \
	tests/test_study_page \
	tests/test_subgraph \
	tests/test_tiles \
	tests/test_rates \
	tests/test_refresh \
	tests/test_replay_rewrite \
	tests/test_visit \
	tests/test_relocate \
	tests/test_summary \
	tests/test_swap \
	tests/test_tags \
	tests/test_taking_part \
	tests/test_topk \
	tests/test_transpose \
	tests/test_traps \
	tests/test_traps_crawl \
	tests/test_trust \
	tests/test_url \
	tests/test_url_host \
	tests/test_url_normalise \
	tests/test_url_query \
	tests/test_url_rules \
	tests/test_verbs \
	tests/test_verdict \
	tests/test_virtual_source \
	tests/test_virtual_web \
	tests/test_wakeup \
	tests/test_wall_time \
	tests/test_warc \
	tests/test_warc_mend \
	tests/test_warc_records \
	tests/test_operator \
	tests/test_op_counts \
	tests/test_words \
	tests/test_worker

# The compiler's time with these files is most of what they cost, since each of their programs runs once; slow_*.c, the fuzz targets and the
# benchmarks, which calculate, are compiled like the rest.
tests/test_%.$(OBJEXT): private CFLAGS += -O0 -U_FORTIFY_SOURCE

# Programs that are more than their own file.
web_test_files = tests/webtable.c tests/webtable.h tests/test.h
tests_test_warc_SOURCES = tests/test_warc.c tests/warc_read.h tests/warc_write.h
tests_test_warc_records_SOURCES = tests/test_warc_records.c tests/warc_read.h tests/warc_write.h
tests_test_warc_mend_SOURCES = tests/test_warc_mend.c tests/warc_read.h tests/warc_write.h
tests_powerloss_powerloss_SOURCES = tests/powerloss/powerloss.c tests/powerloss/trace.h
tests_warc_bodies_SOURCES = tests/warc_bodies.c tests/warc_read.h
tests_trap_server_SOURCES = tests/trap_server.c tests/trap_sites.c tests/view_sites.c tests/trap_sites.h tests/honest_sites.c tests/twin_sites.c
tests_test_policies_SOURCES = tests/test_policies.c tests/policy_run.h
tests_test_policies_LDFLAGS = $(AM_LDFLAGS) $(exported)
tests_test_sights_SOURCES = tests/test_sights.c tests/policy_run.h
tests_test_swap_SOURCES = tests/test_swap.c tests/policy_run.h
tests_test_policy_orders_SOURCES = tests/test_policy_orders.c tests/policy_run.h tests/slow_aim.c tests/slow_echo.c tests/slow_policies.c tests/slow_policies.h
tests_test_virtual_source_SOURCES = tests/test_virtual_source.c tests/slow_crawl.c tests/slow_crawl.h tests/slow_crawl_state.h
tests_test_simweb_SOURCES = tests/test_simweb.c tests/web.h
tests_test_fetch_SOURCES = tests/test_fetch.c tests/fetching.h $(web_test_files)
tests_test_fetch_more_SOURCES = tests/test_fetch_more.c tests/fetching.h $(web_test_files)
tests_test_sockets_SOURCES = tests/test_sockets.c $(web_test_files)
tests_test_store_faults_SOURCES = tests/test_store_faults.c tests/failing.h tests/told_store.h
tests_test_lmdb_check_SOURCES = tests/test_lmdb_check.c tests/told_store.h
tests_test_archive_SOURCES = tests/test_archive.c tests/fetching.h tests/warc_read.h tests/warc_write.h $(web_test_files)
tests_test_net_address_SOURCES = tests/test_net_address.c tests/fetching.h $(web_test_files)
tests_test_knowledge_SOURCES = tests/test_knowledge.c tests/net_bench.h $(web_test_files)
tests_test_wall_time_SOURCES = tests/test_wall_time.c tests/net_bench.h $(web_test_files)
tests_test_net_source_SOURCES = tests/test_net_source.c tests/net_bench.h $(web_test_files)
tests_test_robots_cache_SOURCES = tests/test_robots_cache.c tests/fetching.h $(web_test_files)
tests_test_descriptors_SOURCES = tests/test_descriptors.c tests/fetching.h $(web_test_files)
tests_test_names_resolved_SOURCES = tests/test_names_resolved.c tests/fetching.h $(web_test_files)
tests_test_wakeup_SOURCES = tests/test_wakeup.c tests/fetching.h $(web_test_files)
tests_test_worker_SOURCES = tests/test_worker.c tests/fetching.h $(web_test_files)
tests_test_url_SOURCES = tests/test_url.c tests/test.h tests/urls.h
tests_test_html_SOURCES = tests/test_html.c tests/pages.h tests/test.h
tests_test_html_page_SOURCES = tests/test_html_page.c tests/pages.h tests/test.h

# Tests of the whole program, the longest first, so that the others fill the time beside them.
script_tests = \
	tests/e2e_fleet_faults.sh \
	tests/e2e_fleet.sh \
	tests/e2e_fleet_moves.sh \
	tests/e2e_fleet_lease.sh \
	tests/e2e_fleet_heir.sh \
	tests/e2e_fleet_server.sh \
	tests/e2e_busy.sh \
	tests/e2e_remedies.sh \
	tests/e2e_uci.sh \
	tests/e2e_outage.sh \
	tests/e2e_refresh.sh \
	tests/e2e_addresses.sh \
	tests/agree_times.sh \
	tests/e2e_traps.sh \
	tests/study.sh \
	tests/e2e_nothing_lost.sh \
	tests/e2e_fleet_access.sh \
	tests/man_examples.sh \
	tests/monitor_page.sh \
	tests/e2e_monitor.sh \
	tests/e2e_watch.sh \
	tests/e2e_mirror.sh \
	tests/e2e_orders.sh \
	tests/e2e_traps_policies.sh \
	tests/e2e_served_tls.sh \
	tests/archive.sh \
	tests/e2e_scores.sh \
	tests/bad_input.sh \
	tests/mutate.sh \
	tests/agents.sh \
	tests/agree.sh \
	tests/archive_serve.sh \
	tests/audit.sh \
	tests/cli.sh \
	tests/cli_policies.sh \
	tests/cli_rank.sh \
	tests/compare.sh \
	tests/crawl_flags.sh \
	tests/e2e_dns.sh \
	tests/e2e_commands.sh \
	tests/e2e_cut_file.sh \
	tests/e2e_depth.sh \
	tests/e2e_descriptors.sh \
	tests/e2e_endless.sh \
	tests/e2e_evil.sh \
	tests/e2e_expected.sh \
	tests/e2e_files.sh \
	tests/e2e_guard.sh \
	tests/e2e_hostile.sh \
	tests/e2e_kill.sh \
	tests/e2e_outcomes.sh \
	tests/e2e_polite.sh \
	tests/e2e_sandbox.sh \
	tests/e2e_readers.sh \
	tests/e2e_requisites.sh \
	tests/e2e_robots_kept.sh \
	tests/e2e_scope.sh \
	tests/e2e_seeds.sh \
	tests/e2e_host_settings.sh \
	tests/e2e_settings.sh \
	tests/e2e_site.sh \
	tests/e2e_snapshot.sh \
	tests/e2e_stop.sh \
	tests/e2e_stop_when.sh \
	tests/e2e_swap.sh \
	tests/e2e_tls.sh \
	tests/e2e_topic.sh \
	tests/e2e_warc.sh \
	tests/export.sh \
	tests/export_readers.sh \
	tests/graph.sh \
	tests/grows.sh \
	tests/json.sh \
	tests/lab_edges.sh \
	tests/library.sh \
	tests/policies_md.sh \
	tests/policy_sights.sh \
	tests/store_bits.sh \
	tests/store_diff.sh \
	tests/store_merge.sh \
	tests/store_named.sh \
	tests/target.sh \
	tests/tutorial.sh \
	tests/virtual_time.sh \
	tests/words.sh

# Of a build with sanitizers these say nothing: they look at texts, or cannot run with one.
plain_tests = \
	tests/locales.sh \
	build-aux/floors.sh \
	tests/doc_links.sh \
	tests/e2e_powerloss.sh \
	tests/e2e_synced.sh \
	tests/faults.sh \
	tests/fuzz_folder.sh \
	tests/hardening.sh \
	tests/html.sh \
	tests/man_flags.sh \
	tests/python.sh \
	tests/service.sh \
	tests/setup.sh

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
	tests/fuzz/fuzz_values

# What the tests read.
EXTRA_DIST += \
	policies/exported.list \
	tests/bvfiles.h \
	tests/browser_keys.py \
	tests/evil_server.py \
	tests/faults \
	tests/fuzz/corpus \
	tests/python_module.py \
	tests/python_page.py \
	tests/fuzz/fuzz_folder.h \
	tests/fuzz/graph_input.h \
	tests/changing_server.py \
	tests/needy_server.py \
	tests/png_compare.py \
	tests/shown_site.py \
	tests/hostile_server.py \
	tests/mutate \
	tests/mutate.equivalent \
	tests/mutations.py \
	tests/numbered_url.h \
	tests/prometheus.awk
