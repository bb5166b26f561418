"""The Python module beyond doc/python.md: lifetimes, errors, threads. Runs in a folder with web.txt (2000
nodes), web.graph (the same as a BVGraph) and the store `crawled`. Prints TAP."""

import faulthandler
import gc
import inspect
import locale
import os
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
WRONG = (None, -1, SMALL, INTEGER, 0.9, float("nan"), "", b"", [], ["x"], [0.9], [-1], [SMALL], [INTEGER], [None], {}, object())
REFUSALS = (TypeError, ValueError, OverflowError, IndexError, lycosa.Error, FileNotFoundError)


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
        self._try(lycosa.Graph, {"path": "web.txt"}, path=never, urls=path, hosts=path, threads=small, memory=number)
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
        self._try(lycosa.Store, {"path": "crawled"}, path=never)
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


faulthandler.dump_traceback_later(600, exit=True)  # what hangs is told
suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in (Module, Arguments))
print(f"1..{suite.countTestCases()}")
suite.run(Tap())
sys.stdout.flush()
