"""The Python module beyond doc/python.md: lifetimes, errors, threads. Runs in a folder with web.txt (2000
nodes), web.graph (the same as a BVGraph) and the store `crawled`. Prints TAP."""

import faulthandler
import functools
import gc
import inspect
import locale
import os
import signal
import sys
import threading
import unittest
from ctypes import ArgumentError
from unittest import mock

import lycosa
from lycosa import _native as native
import numpy as np

if "TEST_LOCALE" in os.environ:  # tests/cli/locales.sh
    locale.setlocale(locale.LC_ALL, os.environ["TEST_LOCALE"])


class Module(unittest.TestCase):
    def test_of_a_damaged_store_the_rest_is_read(self):
        with lycosa.Store("crawled", damaged="skip") as whole:
            self.assertEqual(whole.missing, "")
            urls = {page.url for page in whole.pages()}
        with open("crawled/data.mdb", "rb") as file:
            content = bytearray(file.read())
        os.makedirs("damaged")
        missing = set()
        for at in range(4096 * 2 + 1000, len(content), 4096):  # a hole in each page but the file's heads
            hole = content[:at] + bytes(300) + content[at + 300:]
            with open("damaged/data.mdb", "wb") as file:
                file.write(hole)
            with lycosa.Store("damaged", damaged="skip") as store:
                self.assertLessEqual({page.url for page in store.pages()}, urls)
                missing.add(store.missing)
            if store.missing:
                with self.assertRaisesRegex(lycosa.Error, "damaged"):
                    lycosa.Store("damaged")
                self.assertEqual(lycosa.Graph("damaged", damaged="skip").missing, store.missing)
        self.assertTrue(any("of pages" in text for text in missing), missing)

    def test_results_depend_on_no_locale(self):
        robots = lycosa.Robots("USER-AGENT: *\nDISALLOW: /private\nCRAWL-DELAY: 2.5\nSITEMAP: http://h.test/s.xml\n")
        self.assertFalse(robots.allowed("lycosa", "/private/"))
        self.assertEqual(robots.delay("lycosa"), 2.5)
        self.assertEqual(robots.sitemaps(), ["http://h.test/s.xml"])
        self.assertEqual(lycosa.normalise("HTTP://H.test/I?PHPSESSID=1234567890abcdef1234567890abcdef", "all"), "http://h.test/I")
        self.assertEqual(lycosa.replay("web.txt", "ieca", [5], options={"delta0": 0.3}).order[0], 5)
        with self.assertRaisesRegex(lycosa.Error, r"a damping of 1\.5:"):
            lycosa.Graph("web.txt").pagerank(damping=1.5)
        self.assertTrue(len(lycosa.compare("web.txt", ["bfs"], seeds="random:0.05").trials))

    def test_an_array_keeps_the_memory_that_it_shows(self):
        graph = lycosa.Graph("web.txt")
        targets, row, total = graph.targets, graph.row(1999), int(graph.targets.sum())
        graph.close()
        del graph
        gc.collect()
        lycosa.Graph("web.txt")  # would take the memory, had it been freed
        self.assertEqual(int(targets.sum()), total)
        self.assertEqual(list(row), list(targets[-len(row):]))

    def test_rows_are_views_of_the_targets_and_read_only(self):
        graph = lycosa.Graph("web.txt")
        u = next(u for u in range(graph.nodes) if len(graph.row(u)))
        self.assertEqual(graph.row(u).ctypes.data, graph.targets.ctypes.data + 4 * int(graph.offsets[u]))
        with self.assertRaises(ValueError):
            graph.row(u)[0] = 1

    def test_an_order_outlives_its_replay_and_its_graph(self):
        order = lycosa.replay("web.txt", "opic", [5]).order
        gc.collect()
        self.assertEqual(len(set(order.tolist())), len(order))

    def test_what_is_closed_says_so(self):
        graph, store = lycosa.Graph("web.txt"), lycosa.Store("crawled")
        graph.close()
        store.close()
        graph.close()
        self.assertRaisesRegex(ValueError, "closed", graph.pagerank)
        self.assertRaisesRegex(ValueError, "closed", lambda: len(store))

    def test_an_error_has_the_sentence_and_the_code_of_the_library(self):
        with self.assertRaises(lycosa.Error) as caught:
            lycosa.Graph.from_arcs(2, [0], [2])
        self.assertEqual(str(caught.exception), "arc 0 leads from 0 to 2 in a graph of 2 nodes")
        self.assertEqual(caught.exception.code, -2)

    def test_nodes_that_are_not_there_are_refused(self):
        graph = lycosa.Graph("web.txt")
        for u in (-1, 2000):
            self.assertRaises(IndexError, graph.row, u)
            self.assertRaises(IndexError, graph.url, u)
            self.assertRaises(IndexError, graph.label, u)
        self.assertRaises(lycosa.Error, graph.bfs, [2000])
        self.assertRaises(lycosa.Error, lycosa.replay, graph, "bfs", [2000])
        self.assertIsNone(graph.find(2000))

    def test_arrays_of_the_wrong_length_are_refused(self):
        graph = lycosa.Graph("web.txt")
        self.assertRaises(ValueError, lycosa.Graph.from_arcs, 3, [0, 1], [1])
        self.assertRaises(ValueError, graph.pagerank, start=np.ones(3))

    def test_pagerank_begins_where_it_is_told(self):
        graph = lycosa.Graph("web.txt")
        rank = graph.pagerank()
        self.assertAlmostEqual(float(rank.sum()), 1, places=12)
        self.assertTrue(np.allclose(graph.pagerank(start=rank, max_sweeps=1), rank, atol=1e-12))

    def test_a_graph_without_nodes_has_empty_arrays(self):
        graph = lycosa.Graph.from_arcs(0, [], [])
        self.assertEqual([len(graph.targets), len(graph.pagerank()), len(graph.scc())], [0, 0, 0])
        self.assertRaises(lycosa.Error, lycosa.replay, graph, "bfs", "random:1")

    def test_rows_from_the_disk_are_those_in_memory(self):
        graph, rows = lycosa.Graph("web"), lycosa.Rows("web")
        for u in (1999, 0, 7, 780):
            self.assertEqual(list(rows.row(u)), list(graph.row(u)))
        self.assertRaises(lycosa.Error, rows.row, 2000)

    def test_threads_share_a_graph(self):
        graph, areas = lycosa.Graph("web.txt"), []
        threads = [threading.Thread(target=lambda: areas.append(lycosa.replay(graph, "ieca", [779]).auc))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(areas), 4)
        self.assertEqual(len(set(areas)), 1)

    def test_options_reach_the_policy_that_has_them(self):
        plain = lycosa.compare("web.txt", ["bfs", "ieca"], [779])
        other = lycosa.compare("web.txt", ["bfs", "ieca"], [779], options={"ieca.beta": 0.9})
        self.assertEqual(plain.trials[0].auc, other.trials[0].auc)
        self.assertNotEqual(plain.trials[1].auc, other.trials[1].auc)
        with self.assertRaisesRegex(lycosa.Error, "none of these policies has the option"):
            lycosa.compare("web.txt", ["bfs", "ieca"], [779], options={"no": 1})

    def test_a_chain_is_a_policy(self):
        self.assertEqual(lycosa.compare("web.txt", ["bfs:100,opic"], [779]).trials[0].policy,
                         "bfs:100,opic")

    def test_a_store_is_opened_once_at_a_time(self):
        with lycosa.Store("crawled"):
            self.assertRaisesRegex(lycosa.Error, "this process has it open", lycosa.Store, "crawled")
        self.assertEqual(lycosa.Store("crawled").find("http://h40.test/13"), 0)

    def test_links_of_bytes_are_read_in_the_encoding_of_the_header(self):
        body = "<a href='?q=\u00e9'>".encode("latin-1")
        found = lycosa.links(body, "http://a.test/", "text/html; charset=iso-8859-1")
        self.assertEqual(found[0].url, "http://a.test/?q=%E9")
        found = lycosa.links("<a href='?q=\u00e9'>", "http://a.test/")
        self.assertEqual(found[0].url, "http://a.test/?q=%C3%A9")
        self.assertRaises(lycosa.Error, lycosa.links, "", "no URL")

    def test_a_robots_txt_has_rules_for_each_agent(self):
        robots = lycosa.Robots("User-agent: a\nDisallow: /\n\nUser-agent: b\nAllow: /\nSitemap: /s")
        self.assertFalse(robots.allowed("a", "/x"))
        self.assertTrue(robots.allowed("b", "http://a.test/x"))
        self.assertEqual(robots.sitemaps(), ["/s"])
        self.assertIsNone(robots.delay("a"))
        self.assertRaises(lycosa.Error, robots.allowed, "a", "ftp://a.test/")


SMALL, INTEGER = 2**32, 2**64
WRONG = (None, -1, SMALL, INTEGER, 0.9, float("nan"), float("inf"), "", b"", "\ud800", [], ["x"], [0.9], [-1], [SMALL], [INTEGER], [None], {}, object())
REFUSALS = (TypeError, ValueError, OverflowError, IndexError, lycosa.Error, FileNotFoundError)


class Opic(lycosa.Policy):
    first_key = 1

    def crawled(self, page, links):
        if len(links):
            self.key[links] += self.key[page] / len(links)


class Backlink(lycosa.Policy):
    def start(self):
        self.count = np.zeros(self.graph.nodes, dtype=np.int64)

    def crawled(self, page, links):
        self.count[links] += 1

    def rerank(self):
        self.key = self.count


class Dfs(lycosa.Policy):  # the page that was discovered last comes first
    def start(self):
        self.last = 0

    def seeds(self, pages):
        self._queue(pages)

    def crawled(self, page, links):
        self._queue(links[self.key[links] == 0])

    def _queue(self, pages):
        self.key[pages] = self.last + 1 + np.arange(len(pages))
        self.last += len(pages)


class Fica(lycosa.Policy):  # the least distance, a link of a page with d links being ln(d) + 1 long
    lowest_first = True
    first_key = 1e300

    def seeds(self, pages):
        self.key[pages] = 0

    def crawled(self, page, links):
        if len(links):
            self.key[links] = np.minimum(self.key[links], self.key[page] + np.log(len(links)))


class Bfs(lycosa.Policy):
    pass


def _graphs():
    """Ten graphs: of few nodes and of many, sparse and dense, with loops, with pages without links, in pieces, and none to crawl on."""
    rng = np.random.default_rng(5)
    yield lycosa.Graph("web.txt")
    yield lycosa.Graph("web")
    yield lycosa.Graph("crawled")
    yield lycosa.Graph.from_arcs(1, [], [])
    yield lycosa.Graph.from_arcs(6, [0, 1, 2, 3, 4, 5], [0, 2, 3, 4, 5, 1])
    yield lycosa.Graph.from_arcs(300, np.zeros(299, dtype=int), np.arange(1, 300))
    for nodes, arcs in ((50, 2000), (500, 500), (700, 3000), (3000, 20000)):
        to = (nodes * rng.random(arcs) ** 3).astype(int)
        yield lycosa.Graph.from_arcs(nodes, rng.integers(0, nodes, arcs), to)


class OwnPolicies(unittest.TestCase):
    """Policies that are written in Python."""

    def test_a_policy_takes_the_pages_in_the_order_of_its_twin_in_c(self):
        for i, graph in enumerate(_graphs()):
            for seeds in ([0], f"random:{min(graph.nodes, 7)}"):
                for batch in (0, 1) if graph.nodes < 1000 else (0,):
                    for own in (Opic, Backlink, Dfs, Bfs):
                        with self.subTest(graph=i, seeds=seeds, batch=batch, policy=own.__name__):
                            mine = lycosa.replay(graph, own, seeds, batch=batch, rng_seed=i)
                            twin = lycosa.replay(graph, own.__name__.lower(), seeds, batch=batch, rng_seed=i)
                            self.assertEqual(mine.order.tolist(), twin.order.tolist())
                            self.assertEqual(mine.auc, twin.auc)

    def test_the_lowest_key_may_be_the_best(self):
        graph = lycosa.Graph.from_arcs(6, [0, 0, 0, 1, 2, 4], [1, 2, 3, 4, 5, 5])
        self.assertEqual(lycosa.replay(graph, Fica, [0]).order.tolist(), [0, 1, 2, 3, 4, 5])
        far = type("Far", (lycosa.Policy,), {"start": lambda self: self.key.__setitem__(slice(None), np.arange(6))})
        self.assertEqual(lycosa.replay(graph, far, [0]).order.tolist(), [0, 3, 2, 5, 1, 4])
        near = type("Near", (far,), {"lowest_first": True})
        self.assertEqual(lycosa.replay(graph, near, [0]).order.tolist(), [0, 1, 2, 3, 4, 5])

    def test_crawls_of_a_comparison_run_at_the_same_time_with_an_object_each(self):
        graph = lycosa.Graph("web.txt")
        graph._threads = 4
        found = lycosa.compare(graph, [Backlink, "backlink", Opic, "opic"], "random:3", draws=6)
        areas = {}
        for trial in found.trials:
            areas.setdefault(trial.policy, []).append(trial.auc)
        self.assertEqual(list(areas), ["backlink", "opic", "Backlink", "Opic"])
        self.assertEqual(areas["Backlink"], areas["backlink"])
        self.assertEqual(areas["Opic"], areas["opic"])

    def test_a_class_with_arguments_and_a_name(self):
        class Damped(lycosa.Policy):
            name = "damped"

            def __init__(self, by):
                self.by = by

            def crawled(self, page, links):
                if len(links):
                    self.key[links] += (1 + self.key[page]) * self.by / len(links)

        orders = [lycosa.replay("web.txt", functools.partial(Damped, by), [779]).order.tolist() for by in (0.1, 0.9, 0.9)]
        self.assertNotEqual(orders[0], orders[1])
        self.assertEqual(orders[1], orders[2])
        self.assertEqual(lycosa.compare("web.txt", [functools.partial(Damped, 0.5)], [779]).trials[0].policy, "damped")

    def test_a_policy_sees_the_crawl_as_it_is(self):
        test = self
        seen = []

        class Watcher(lycosa.Policy):
            def crawled(self, page, links):
                test.assertFalse(links.flags.writeable)
                test.assertEqual(links.tolist(), self.graph.row(page).tolist())
                seen.append(page)
                if len(seen) % 50 == 0:
                    state = self.state
                    test.assertEqual(sorted(np.flatnonzero(state == lycosa.CRAWLED)), sorted(seen))
                    test.assertEqual(self.n_crawled, len(seen))
                    test.assertEqual(len(self.queued), self.n_queued)
                    test.assertTrue(all(state[links] >= lycosa.QUEUED))

        order = lycosa.replay("web.txt", Watcher, [779]).order.tolist()
        self.assertEqual(order, seen)
        self.assertGreater(len(seen), 1000)

    def test_keys_of_other_pages_count_from_the_next_reranking_on(self):
        class Late(lycosa.Policy):
            def crawled(self, page, links):
                self.key += np.arange(self.graph.nodes)  # of every page

            def rerank(self):
                pass

        order = lycosa.replay("web.txt", Late, [779]).order
        self.assertEqual(len(set(order.tolist())), len(order))

    def test_an_exception_ends_the_crawl_and_is_raised_again(self):
        class Enough(Exception):
            pass

        def failing(method, exception, after=0):
            def fail(self, *_):
                Failing.calls += 1
                if Failing.calls > after:
                    raise exception

            Failing = type("Failing", (lycosa.Policy,), {method: fail, "calls": 0})
            return Failing

        for method in ("start", "seeds", "crawled", "rerank"):
            for after in (0, 1) if method in ("crawled", "rerank") else (0,):
                for exception in (Enough("no"), KeyboardInterrupt(), SystemExit(3)):
                    one = failing(method, exception, after)
                    with self.assertRaises(type(exception)):
                        lycosa.replay("web.txt", one, [779])
                    self.assertEqual(one.calls, after + 1)
                    with self.assertRaises(type(exception)):
                        lycosa.compare("web.txt", ["bfs", one], "random:3", draws=3)

    def test_keys_that_are_not_finite_are_refused_with_the_page(self):
        for value in (np.nan, np.inf, -np.inf):
            class Odd(lycosa.Policy):
                def crawled(self, page, links):
                    self.key[links] = value

            with self.assertRaisesRegex(lycosa.Error, r"'Odd' has given page \d+ the key -?(nan|inf), which is not finite"):
                lycosa.replay("web.txt", Odd, [779])
            with self.assertRaisesRegex(lycosa.Error, "not finite"):
                lycosa.replay("web.txt", type("First", (lycosa.Policy,), {"first_key": value if value == value else np.inf}), [779])

    def test_what_is_no_policy_is_refused(self):
        for policy in (None, 3, object(), object, dict, Opic(), lambda: Opic(), functools.partial(dict)):
            with self.assertRaises(TypeError):
                lycosa.replay("web.txt", policy, [779])
            with self.assertRaises(TypeError):
                lycosa.compare("web.txt", [policy], [779])
        with self.assertRaises(TypeError):
            lycosa.replay("web.txt", type("Text", (lycosa.Policy,), {"first_key": "1"}), [779])
        with self.assertRaises(ValueError):
            lycosa.replay("web.txt", type("Nul", (lycosa.Policy,), {"name": "a\0b"}), [779])
        with self.assertRaisesRegex(lycosa.Error, "has no options"):
            lycosa.replay("web.txt", Opic, [779], options={"beta": 1})

    def test_keys_outlive_the_crawl(self):
        kept = []

        class Keeper(Opic):
            def start(self):
                kept.append(self)

        lycosa.replay("web.txt", Keeper, [779])
        gc.collect()
        self.assertGreater(float(kept[0].key.max()), 1)
        with self.assertRaisesRegex(ValueError, "no crawl"):
            kept[0].state


def _is_text(value):
    return isinstance(value, (str, bytes))


def _is_whole(value):
    return isinstance(value, int) and 0 <= value


class Arguments(unittest.TestCase):
    """Every argument of every public function is given every value of WRONG, the others good ones. What is no value for the argument is
    refused with a sentence; what is one (`fits`) may be taken. A crash ends the program, and a hang is ended after minutes."""

    def _try(self, function, good, **fits):
        names = list(inspect.signature(function).parameters)
        self.assertEqual(set(names), set(fits), f"{function.__qualname__} has an argument that is not tried")
        for name in names:
            for wrong in WRONG:
                arguments = dict(good, **{name: wrong})
                said = f"{function.__qualname__}({name}={wrong!r})"
                try:
                    function(**arguments)
                except REFUSALS as refusal:
                    if isinstance(refusal, (TypeError, ValueError, OverflowError)):
                        self.assertRegex(str(refusal), "node" if name == "u" else name, said)
                else:
                    self.assertTrue(fits[name](wrong), f"{said} was taken")

    def test_graph(self):
        def number(value):
            return _is_whole(value) and value < INTEGER

        def small(value):
            return _is_whole(value) and value < SMALL

        def path(value):
            return value is None

        def never(value):
            return False

        graph = lycosa.Graph("web.txt")
        self._try(lycosa.Graph, {"path": "web.txt"}, path=never, urls=path, hosts=path, threads=small, memory=number,
                  damaged=never)
        self._try(lycosa.Graph.from_arcs, {"nodes": 3, "source": [0], "target": [2]}, nodes=never, source=never, target=never,
                  threads=small)
        self._try(graph.row, {}, u=never)
        self._try(graph.url, {}, u=never)
        self._try(graph.label, {}, u=never)
        self._try(graph.find, {}, label=number)
        self._try(graph.pagerank, {"max_sweeps": 2}, damping=lambda value: value == 0.9, max_sweeps=small, start=path,
                  tolerance=lambda value: isinstance(value, (int, float)) and value > 0)
        self._try(graph.hits, {}, iterations=small)
        self._try(graph.bfs, {}, seeds=lambda value: value == [])
        self._try(lycosa.Rows, {"path": "web"}, path=never)
        self._try(lycosa.Rows("web").row, {}, u=never)

    def test_crawls(self):
        def number(value):
            return _is_whole(value) and value < INTEGER

        def never(value):
            return False

        def options(value):
            return value is None or value == {}

        graph = lycosa.Graph("web.txt")
        crawl = {"graph": graph, "seeds": [5], "max_pages": 9}
        self._try(lycosa.replay, dict(crawl, policy="bfs"), graph=never, policy=never, seeds=never, options=options, batch=number,
                  total=number, max_pages=number, rng_seed=number)
        self._try(lycosa.compare, dict(crawl, policies=["bfs"]), graph=never, policies=lambda value: value == [] or value == {},
                  seeds=never, draws=never, options=options, batch=number, total=number, max_pages=number, rng_seed=number)
        replay = lycosa.replay(graph, "bfs", [5])
        self._try(replay.curve, {}, points=never)
        self._try(replay.frame, {}, points=never)
        self.assertRaises(ArgumentError, lycosa.Replay, graph, None)
        self.assertRaises(ArgumentError, lycosa.Comparison, None)
        for options in ({"beta": None}, {"beta": float("nan")}, {"beta": "0\0"}, {None: 1}, {"": ""}):
            self.assertRaises(REFUSALS, lycosa.replay, graph, "ieca", [5], options=options)

    def test_pages_and_stores(self):
        def text(value):
            return _is_text(value)

        def never(value):
            return False

        def optional(value):
            return value is None or _is_text(value)

        robots = lycosa.Robots("User-agent: *")
        self._try(lycosa.links, {"html": "", "base": "http://a.test/"}, html=text, base=never, content_type=optional)
        self._try(lycosa.resolve, {"reference": "x", "base": "http://a.test/"}, reference=text, base=never)
        self._try(lycosa.normalise, {"url": "http://a.test/"}, url=never, rules=text)
        self._try(lycosa.Robots, {}, body=text)
        self._try(robots.allowed, {"agent": "a", "url": "/"}, agent=text, url=never)
        self._try(robots.delay, {}, agent=text)
        self._try(lycosa.Store, {"path": "crawled"}, path=never, damaged=never)
        with lycosa.Store("crawled") as store:
            self._try(store.page, {}, id=never)
            self._try(store.links, {}, id=never)
            self._try(store.find, {}, url=text)
            self._try(store.setting, {}, name=text)
        self._try(lycosa.study, {}, folder=never)
        for function in (lycosa.Graph, lycosa.Rows, lycosa.Store):
            self.assertRaisesRegex(ValueError, "NUL", function, "web.txt\0")

    def test_what_is_closed(self):
        graph, rows, store = lycosa.Graph("web.txt"), lycosa.Rows("web"), lycosa.Store("crawled")
        for each in (graph, rows, store):
            each.close()
        calls = [lambda name=name: getattr(graph, name) for name in ("format", "remark", "fingerprint", "offsets", "targets")]
        calls += [lambda: graph.row(0), lambda: graph.url(0), lambda: graph.label(0), lambda: graph.find(0), graph.pagerank, graph.hits,
                  graph.scc, lambda: graph.bfs([0]), lambda: lycosa.replay(graph, "bfs", [0]), lambda: lycosa.compare(graph, ["bfs"]),
                  lambda: rows.row(0), lambda: len(store), lambda: store.page(0), lambda: next(store.pages()),
                  lambda: store.find("http://a.test/"), lambda: store.links(0), lambda: store.setting("policy"), store.frame]
        for each in calls:
            self.assertRaisesRegex(ValueError, "is closed", each)

    def test_a_graph_that_is_closed_while_a_kernel_runs_lives_until_the_kernel_ends(self):
        def close_before(name, graph, told):
            function = getattr(native.call, name)

            def call(*arguments):
                graph.close()  # as another thread does
                gc.collect()
                result = function(*arguments)
                told.append("done")
                return result

            return mock.patch.object(native.call, name, call)

        kernels = {"pagerank": lambda g: g.pagerank(), "hits": lambda g: g.hits(), "scc": lambda g: g.scc(), "bfs": lambda g: g.bfs([0]),
                   "replay_run": lambda g: lycosa.replay(g, "bfs", [0]), "compare": lambda g: lycosa.compare(g, ["bfs"], [0]),
                   "graph_offsets": lambda g: g.offsets, "graph_targets": lambda g: g.row(0), "graph_url": lambda g: g.url(0)}
        for name, kernel in kernels.items():
            graph, told = lycosa.Graph("web.txt"), []
            free = graph.handle._free
            graph.handle._free = lambda pointer: (told.append("freed"), free(pointer))
            with close_before(name, graph, told):
                shown = kernel(graph)
            del shown
            gc.collect()
            self.assertEqual(told[-2:], ["done", "freed"], name)

    def test_ctrl_c_is_heard_at_once_and_the_kernel_keeps_its_memory_to_its_end(self):
        def slow(name, may_end, ended):
            function = getattr(native.call, name)

            def call(*arguments):
                os.kill(os.getpid(), signal.SIGINT)
                may_end.wait()
                result = function(*arguments)
                ended.set()
                return result

            return mock.patch.object(native.call, name, call)

        kernels = {"pagerank": lambda g: g.pagerank(start=np.full(g.nodes, 1 / g.nodes)), "hits": lambda g: g.hits(),
                   "bfs": lambda g: g.bfs(list(range(9))), "scc": lambda g: g.scc(), "graph_from_arcs": lambda g:
                   lycosa.Graph.from_arcs(9, [0, 1, 2], [3, 4, 5]), "graph_open": lambda g: lycosa.Graph("web.txt"),
                   "replay_run": lambda g: lycosa.replay(g, "bfs", [5, 6]), "compare": lambda g: lycosa.compare(g, ["bfs"], [5, 6])}
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            for name, kernel in kernels.items():
                graph, may_end, ended = lycosa.Graph("web.txt"), threading.Event(), threading.Event()
                with slow(name, may_end, ended), self.assertRaises(KeyboardInterrupt):
                    kernel(graph)
                graph.close()
                del graph
                gc.collect()
                junk = [np.zeros(2000) for _ in range(50)]  # takes the memory, had it been freed
                may_end.set()
                self.assertTrue(ended.wait(300), name)
                self.assertEqual(sum(float(each.sum()) for each in junk), 0, name)
        finally:
            signal.signal(signal.SIGINT, before)

    def test_threads_may_share_rows_and_a_store(self):
        rows, store, graph = lycosa.Rows("web"), lycosa.Store("crawled"), lycosa.Graph("web.txt")
        links = [list(store.links(id)) for id in range(20)]
        wrong = []

        def read():
            for u in range(500):
                if list(rows.row(u)) != list(graph.row(u)) or list(store.links(u % 20)) != links[u % 20]:
                    wrong.append(u)
                store.page(u % 20)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Tap(unittest.TestResult):
    def _tell(self, word, test, text=""):
        print(word, self.testsRun, "-", test._testMethodName[5:].replace("_", " "))
        for line in text.splitlines()[-20:]:
            print("#", line)

    def addSuccess(self, test):
        self._tell("ok", test)

    def addFailure(self, test, err):
        self._tell("not ok", test, self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._tell("not ok", test, f"{subtest}\n{self._exc_info_to_string(err, test)}")


faulthandler.dump_traceback_later(600, exit=True)  # what hangs is told
suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in (Module, OwnPolicies, Arguments))
print(f"1..{suite.countTestCases()}")
suite.run(Tap())
sys.stdout.flush()
