"""The package weft: figures and tables against report.json and the CSV files, relations that close, errors with places.

Needs the program ($WEFT, or build/weft of the checkout).
"""
import contextlib
import io
import json
import os
import pathlib
import pickle
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import matplotlib
import pandas as pd

import weft
from weft.command import text_of
from weft.errors import diagnostics_of_text
from weft.results import read_csv

matplotlib.use("Agg")
CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
FIRST = CONFIGS / "packet/first.yaml"


class InFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)


class Documents(unittest.TestCase):
    """What the pages show behind a line of Python, "...": any text."""

    def check(self, page, last):
        blocks = re.findall(r"```python\n(import weft\n.*?)```", (CONFIGS.parent / page).read_text(), re.S)
        self.assertEqual(len(blocks), 1)
        names, checked = {}, 0
        for line in blocks[0].splitlines():
            code, _, shown = (part.strip() for part in line.partition("#"))
            code = code.replace('"configs/', f'"{CONFIGS}/')
            if re.match(r"\w+ = |import ", code) or not re.search(r"\d|'", shown):
                exec(code, names)
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                value = eval(code, names)
            got = printed.getvalue().strip() or repr(value)
            self.assertTrue(got.startswith(shown.removesuffix("...")) if shown.endswith("...") else got == shown,
                            f"{page}: {code} gives {got}, not {shown}")
            checked += 1
        self.assertGreaterEqual(checked, last)

    def test_readme(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.check("README.md", 1)

    def test_python_page(self):
        self.check("docs/python.md", 3)


class Run(InFolder):
    def test_figures_and_tables_are_those_of_the_files(self):
        report = weft.run(FIRST, out=self.folder / "r")
        written = json.loads((self.folder / "r/report.json").read_text())
        names = 0
        for section, keys in written["figures"].items():
            for key, figure in keys.items():
                names += 1
                self.assertEqual(report[f"{section}.{key}"], figure["value"])
                self.assertEqual(report.figures[section][key], weft.Figure(**figure))
        self.assertGreater(names, 20)
        self.assertEqual(list(report.tables), ["services", "histogram", "links", "switches", "hops", "pairs"])
        for key, frame in report.tables.items():
            from_csv = read_csv(self.folder / f"r/{key}.csv").replace({"yes": True, "no": False})
            pd.testing.assert_frame_equal(frame, from_csv, check_dtype=False)
            self.assertEqual(frame.attrs["units"], {c["key"]: c["unit"] for c in written["tables"][key]["columns"]})
            # counts have unit 1, which headings of the CSV leave out
            self.assertEqual({k: u.replace("1", "") if u == "1" else u for k, u in frame.attrs["units"].items()},
                             from_csv.attrs["units"])
        self.assertEqual(weft.load(self.folder / "r").json, report.json)
        self.assertEqual(report.folder, self.folder / "r")

    def test_relations_close(self):
        report = weft.run(FIRST)
        self.assertIsNone(report.folder)
        self.assertTrue(report.complete)
        self.assertEqual(report["run.generated"], sum(report[f"run.{k}"] for k in (
            "delivered", "lost", "withdrawn", "stalled", "in_flight")))
        self.assertEqual(report["run.missing"], 0)
        services, histogram, links = (report.tables[k] for k in ("services", "histogram", "links"))
        self.assertAlmostEqual(services["accepted"].sum(), report["run.accepted"], 12)
        self.assertAlmostEqual(report["run.accepted"] * report["network.nodes"] * report["network.link_rate"],
                               report["run.accepted_rate"], 6)
        self.assertEqual(histogram.groupby("service")["messages"].sum().to_dict(),
                         services.set_index("service")["messages"].to_dict())
        parts = services[["queueing", "network", "serialization"]].sum(axis=1)
        pd.testing.assert_series_equal(parts, services["latency_mean"], check_names=False)
        cycles = report["run.window"] / report["network.cycle"]
        pd.testing.assert_series_equal(100 * links["flits"] / cycles, links["utilization"], check_names=False)

    def test_words(self):
        report = weft.run(FIRST, set={"run.measure": "20us"})
        self.assertEqual(report.units["run.accepted"], "flits/cycle/node")
        self.assertEqual(repr(report), "<weft.Report 'two levels on a 4-ary 2-tree', seed 1, "
                                       "tables: services, histogram, links, switches, hops, pairs>")
        with self.assertRaisesRegex(KeyError, "run.accepted"):
            report["run.nothing"]
        with self.assertRaises(ValueError):
            weft.run(FIRST, waves="w.fst")

    def test_waves_and_folders_of_others(self):
        folder = self.folder / "r"
        folder.mkdir()
        (folder / "report.json").write_text("mine")
        with self.assertRaisesRegex(weft.WeftError, "not empty"):
            weft.run(FIRST, out=folder)
        self.assertEqual((folder / "report.json").read_text(), "mine")
        report = weft.run(FIRST, {"run.measure": "5us"}, folder, waves=folder / "w.fst", overwrite=True)
        self.assertTrue((folder / "w.fst").is_file())
        self.assertEqual(weft.load(folder).json, report.json)

    def test_settings_and_seed(self):
        low = weft.run(FIRST, set={"traffic.1.load": 0.1 + 0.2, "run.measure": "50us"}, seed=7)
        self.assertEqual(low.seed, 7)
        self.assertAlmostEqual(low["run.offered"], 0.35, delta=0.02)
        self.assertAlmostEqual(low["run.window"], 50000, delta=10)
        whole = weft.run(FIRST, set={"run": {"warm_up": "20us", "measure": "50us", "drain": "100us"},
                                     "traffic.1.load": 0.3}, seed=7)
        self.assertEqual(whole["run.offered"], low["run.offered"])
        self.assertNotEqual(weft.run(FIRST, seed=8)["run.offered"], weft.run(FIRST, seed=7)["run.offered"])

    def test_every_family(self):
        for config in ("ideal/first.yaml", "tdm/mesh_4x4.yaml", "optweb/collectives_4.yaml"):
            with self.subTest(config):
                report = weft.run(CONFIGS / config, out=self.folder / "family")
                self.assertEqual(report.figures["run"]["time" if "time" in report.figures["run"] else "window"].unit, "ns")
                for key, frame in report.tables.items():
                    self.assertEqual(len(frame), len(read_csv(self.folder / f"family/{key}.csv")))
                    self.assertEqual(set(frame.columns), set(frame.attrs["units"]))

    def test_unknown_figure_and_folder(self):
        report = weft.run(FIRST)
        self.assertEqual(report["sections.run.accepted"], report["run.accepted"])
        for name in ("run.nothing", "nothing", "nothing.accepted"):
            with self.assertRaises(KeyError):
                report[name]
        with self.assertRaises(FileNotFoundError):
            weft.load(self.folder)
        (self.folder / "report.json").write_text('{"schema": "weft-report/1"}')
        with self.assertRaisesRegex(ValueError, "weft-report/1"):
            weft.load(self.folder)
        for damaged in ("[]", "null", '{"schema": "weft-report/2"}', '{"schema": "weft-report/2", "figures": []}',
                        "[" * 100_000):
            (self.folder / "report.json").write_text(damaged)
            with self.assertRaises(ValueError):
                weft.load(self.folder)


class Errors(InFolder):
    def test_bad_configuration_has_its_places(self):
        bad = self.folder / "bad.yaml"
        text = FIRST.read_text()
        bad.write_text(text + "bogus: 3\nother: 4\n")
        line = text.count("\n") + 1
        with self.assertRaises(weft.WeftError) as caught:
            weft.run(bad)
        self.assertEqual(caught.exception.exit_status, 2)
        self.assertEqual([(d.severity, d.file, d.line, d.column) for d in caught.exception.diagnostics],
                         [("error", str(bad), line, 1), ("error", str(bad), line + 1, 1)])
        self.assertIn(f"{bad}:{line}:1: error: unknown key 'bogus'", str(caught.exception))
        self.assertIsNone(caught.exception.result)

    def test_bad_setting_and_missing_file(self):
        with self.assertRaises(weft.WeftError) as caught:
            weft.run(FIRST, set={"foo.bar": 3})
        self.assertEqual(caught.exception.diagnostics[0].file, "--set foo.bar=3")
        self.assertEqual(caught.exception.diagnostics[0].line, 0)
        with self.assertRaises(weft.WeftError) as caught:
            weft.run(self.folder / "none.yaml")
        self.assertEqual(caught.exception.exit_status, 2)

    def test_failed_run_has_its_report(self):
        with self.assertRaises(weft.WeftError) as caught:
            weft.run(CONFIGS / "packet/ring_deadlock.yaml")
        self.assertEqual(caught.exception.exit_status, 1)
        self.assertIn("nothing has moved", caught.exception.diagnostics[0].message)
        self.assertFalse(caught.exception.result.complete)
        self.assertGreater(caught.exception.result["run.generated"], 0)

    def test_lines_of_standard_error(self):
        found = diagnostics_of_text("a b.yaml:3:6: error: x: y\nprogress\n--set a=1: warning: z\n")
        self.assertEqual(found, [weft.Diagnostic("error", "a b.yaml", 3, 6, "x: y"),
                                 weft.Diagnostic("warning", "--set a=1", 0, 0, "z")])
        self.assertEqual(str(found[0]), "a b.yaml:3:6: error: x: y")

    def test_errors_pass_between_processes(self):
        with self.assertRaises(weft.WeftError) as caught:
            weft.run(self.folder / "none.yaml")
        other = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(other), other.exit_status, other.diagnostics),
                         (str(caught.exception), 2, caught.exception.diagnostics))

    def test_interrupt_reaches_the_program(self):
        script = (f"import sys; sys.path.insert(0, {str(pathlib.Path(weft.__file__).parents[1])!r}); import weft\n"
                  f"print('begun', flush=True)\n"
                  f"weft.run({str(FIRST)!r}, set={{'run.measure': '2000ms'}}, out={str(self.folder / 'i')!r})")
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as process:
            process.stdout.readline()
            for _ in range(200):  # the program has begun when its folder is there
                if (self.folder / "i/.weft-manifest").exists():
                    break
                time.sleep(0.05)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", err)
        report = weft.load(self.folder / "i")
        self.assertFalse(report.complete)
        self.assertIn("interrupt", report.incomplete_because)

    def test_no_answer(self):
        with self.assertRaises(weft.WeftError) as caught:
            weft.run(FIRST, program="/bin/false")
        self.assertEqual(caught.exception.exit_status, 1)


class Sweeps(InFolder):
    def test_points_of_the_table(self):
        sweep = weft.sweep(CONFIGS / "tdm/sweep_load.yaml", out=self.folder / "s", quick=True, jobs=2)
        self.assertEqual(sweep.summary[["slots", "interval"]].values.tolist(), [[8, 160], [8, 80], [16, 160], [16, 80]])
        self.assertEqual(sweep.summary.attrs["units"]["interval"], "us")
        self.assertEqual(sweep.summary.attrs["units"]["waiting_mean"], "ns")
        self.assertEqual(list(sweep.results["status"]), ["done"] * 8)
        means = sweep.results.groupby(["slots", "interval"])["waiting"].mean()
        pd.testing.assert_series_equal(sweep.summary.set_index(["slots", "interval"])["waiting_mean"].sort_index(), means,
                                       check_names=False, check_dtype=False)
        pd.testing.assert_frame_equal(weft.load(self.folder / "s").summary, sweep.summary)

    def test_without_a_folder_and_drawn(self):
        sweep = weft.sweep(CONFIGS / "packet/sweep_steady.yaml",
                           set={"seeds": 1, "axes.0.values": [0.1, 0.4], "quick": None})
        self.assertIsNone(sweep.folder)
        self.assertEqual(list(sweep.summary["load"]), [0.1, 0.4])
        self.assertEqual(sweep.summary.attrs["units"]["latency[bulk]_mean"], "ns")
        axes = sweep.summary.plot(x="load", y=["latency[control]_mean", "latency[bulk]_mean"])
        self.assertEqual(len(axes.get_lines()), 2)

    def test_failures(self):
        file = self.folder / "s.yaml"
        file.write_text(f"sweep: {CONFIGS / 'packet/ring_deadlock.yaml'}\n"
                        "axes: [ { key: run.measure, values: [30us, 40us] } ]\nmetrics: { l: sections.run.latency_mean }\n")
        with self.assertRaises(weft.WeftError) as caught:
            weft.sweep(file)
        self.assertEqual([d.file for d in caught.exception.diagnostics], ["measure=30us, seed 1", "measure=40us, seed 1"])
        self.assertEqual(list(caught.exception.result.results["status"]), ["failed", "failed"])
        file.write_text("sweep: none.yaml\naxes: []\n")
        with self.assertRaises(weft.WeftError) as caught:
            weft.sweep(file)
        self.assertEqual(caught.exception.exit_status, 2)
        self.assertEqual(caught.exception.diagnostics[0].file, str(file))
        self.assertGreater(caught.exception.diagnostics[0].line, 0)


class Program(InFolder):
    def make(self, place):
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_order(self):
        argument, variable, on_path = self.make("a/weft"), self.make("v/weft"), self.make("p/weft")
        installed, built = self.make("bin/weft"), self.make("build/weft")
        dist, source = self.folder / "lib/python3/dist-packages/weft", self.folder / "python/weft"
        with mock.patch.dict(os.environ, {"WEFT": variable, "PATH": str(self.folder / "p")}):
            self.assertEqual(weft.find_program(argument, dist), argument)
            self.assertEqual(weft.find_program(None, dist), variable)
            del os.environ["WEFT"]
            self.assertEqual(weft.find_program(None, dist), on_path)
            os.environ["PATH"] = ""
            self.assertEqual(weft.find_program(None, dist), installed)
            self.assertEqual(weft.find_program(None, source), built)
            with self.assertRaises(weft.ProgramNotFound):
                weft.find_program(None, self.folder)
            os.environ["WEFT"] = str(self.folder / "none")
            with self.assertRaisesRegex(weft.ProgramNotFound, r"\$WEFT"):
                weft.find_program(None, dist)


# What YAML reads as something else, or not at all.
OTHERWISE = ("run: fast", "a:", "[1", "[draft] of mine", "{a", "[1}", "@b", "`b", "%b", "~", "null", "", "&a b", "*a", "!a", "'a'", '"a"',
             "'a", "| a", "> a", "- a", "-", "? a", ": a", "# a", "--- a", "...", ", a", "] a", "} a", "a\tb", "a \\ # \"b\"")


class Values(unittest.TestCase):
    def test_texts(self):
        self.assertEqual([text_of(v) for v in ("10us", 3, 0.1 + 0.2, 1e-05, 1e9, True, None, [1, "a"], {"k": [0.5]})],
                         ["10us", "3", "0.3", "0.00001", "1000000000", "true", "null", '[1, "a"]', '{"k": [0.5]}'])
        self.assertEqual([text_of(v) for v in ("a\nb", "  a ", " [1]", "[1,\n2]", "- 1\n- 2", "a: 1\nb: 2", "a: 1 # b")],
                         ['"a\\nb"', '"  a "', " [1]", "[1,\n2]", "- 1\n- 2", "a: 1\nb: 2", '"a: 1 # b"'])
        self.assertEqual([text_of(v) for v in ("load # 3", "[1] # one", "run#3", "'a' # b")],
                         ['"load # 3"', "[1] # one", "run#3", '"\'a\' # b"'])
        for taken in ("3", "0.5", "1e3", "true", "10us", "2.5Gb/s", "50%", "a:b", "-1", "-x", "a,b", "a [1]", "a'b", 'a "b"', "[]",
                      "{}", "[1, [2, 3]]", "{a: [1, 'x]']}", '["a\\"]", 2]', "sw[0..3]", "../a.txt", "a & b", "ä"):
            self.assertEqual(text_of(taken), taken)
        for quoted in OTHERWISE:
            self.assertEqual(text_of(quoted), json.dumps(quoted, ensure_ascii=False))
        self.assertEqual(text_of(pd.Series([0.1, 0.2]).to_numpy()), "[0.1, 0.2]")
        with self.assertRaises(TypeError):
            text_of(object())
        with self.assertRaises(ValueError):
            text_of(float("nan"))

    def test_strings_arrive_as_they_are(self):
        for title in (*OTHERWISE, "a:b", "a'b", 'a "b"', "-x", "true", "ä", "a & b"):
            with self.subTest(title=title):
                self.assertEqual(weft.run(FIRST, set={"run.measure": "1us", "run.warm_up": "0us", "title": title}).title, title)

    def test_settings_that_are_no_mapping(self):
        for settings in ([1], "a=b", [], "", 3):
            with self.subTest(settings=settings), self.assertRaisesRegex(TypeError, "set: expected a mapping"):
                weft.run(FIRST, set=settings)
            with self.subTest(settings=settings), self.assertRaisesRegex(TypeError, "set: expected a mapping"):
                weft.sweep(FIRST, set=settings)

    def test_whole_numbers_of_options_are_not_rounded(self):
        for seed in (1.5, True, "7", float("nan")):
            with self.subTest(seed=seed), self.assertRaisesRegex(TypeError, "seed: expected a whole number"):
                weft.run(FIRST, seed=seed)
        with self.assertRaisesRegex(TypeError, "jobs: expected a whole number"):
            weft.sweep(FIRST, jobs=1.5)
        self.assertEqual(weft.run(FIRST, set={"run.measure": "2us", "title": "load # 3"}, seed=pd.Series([7])[0]).title,
                         "load # 3")


if __name__ == "__main__":
    unittest.main()
