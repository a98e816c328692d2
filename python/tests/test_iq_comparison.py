"""Zero load of configs/packet/sweep_iq_comparison.yaml: every point of its first axis, one packet at a time from nodes
0 and 27 to all others, against the closed form of docs/iq_router.md and the means of docs/iq_comparison.md.
"""
import pathlib
import re
import tempfile
import unittest

import yaml

import weft
from weft.results import read_csv

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWEEP = ROOT / "configs/packet/sweep_iq_comparison.yaml"
FLIT, SIDE = 64, 8


def cycles(text):
    return int(re.fullmatch(r"(\d+)cycles?", text)[1])


def routers(source, destination, torus):
    """H: routers on a way in dimension order."""
    away = [abs(source % SIDE - destination % SIDE), abs(source // SIDE - destination // SIDE)]
    return 1 + sum(min(a, SIDE - a) if torus else a for a in away)


def zero_load(setting, hops):
    """Cycles of a packet that meets nobody over `hops` routers."""
    iq = setting["switch.iq"]
    stages = {name: cycles(iq.get("stages", {}).get(name, "1cycles"))
              for name in ("routing", "vc_allocation", "switch_allocation", "crossbar")}
    flits = int(setting.get("qos.levels.data.message", "64B")[:-1]) // FLIT
    buffer, link = int(iq["buffer"][:-1]) // FLIT, 1
    credit = cycles(setting.get("link.credit_delay", "1cycles"))
    allocation, crossbar = stages["switch_allocation"], stages["crossbar"]
    loop = link + credit + allocation + (allocation + crossbar if hops > 1 else crossbar)
    return hops * sum(stages.values()) + (hops + 1) * link + flits - 1 + (flits - 1) // buffer * max(0, loop - buffer)


class ZeroLoad(unittest.TestCase):
    def test_every_pair_takes_the_closed_form(self):
        points = yaml.safe_load(SWEEP.read_text())["axes"][0]["points"]
        self.assertEqual(len(points), 5)
        for point in points:
            setting = point["set"]
            torus, cycle = setting.get("topology.kind") == "torus", 2 if "link.rate" in setting else 1
            pairs = [(s, d) for s in (0, 27) for d in range(SIDE * SIDE) if s != d]
            with self.subTest(point["label"]), tempfile.TemporaryDirectory() as folder:
                trace = pathlib.Path(folder) / "trace.csv"
                trace.write_text("time_ns,source,destination,level\n" +
                                 "".join(f"{1000 + 200 * i},{s},{d},data\n" for i, (s, d) in enumerate(pairs)))
                weft.run(ROOT / "configs/packet/iq_comparison.yaml", out=pathlib.Path(folder) / "out",
                         set={**setting, "traffic": [], "trace": str(trace), "observe.message_log": True,
                              "run.warm_up": "0ns"})
                log = read_csv(pathlib.Path(folder) / "out/messages.csv")
                self.assertEqual(len(log), len(pairs))
                measured = dict(zip(zip(log["source"], log["destination"]), log["delivered"] - log["generated"]))
                self.assertEqual(measured, {(s, d): cycle * zero_load(setting, routers(s, d, torus)) for s, d in pairs})

    def test_means_of_the_page(self):
        page = (ROOT / "docs/iq_comparison.md").read_text()
        for point in yaml.safe_load(SWEEP.read_text())["axes"][0]["points"]:
            setting = point["set"]
            torus, cycle = setting.get("topology.kind") == "torus", 2 if "link.rate" in setting else 1
            nodes = range(SIDE * SIDE)
            times = [cycle * zero_load(setting, routers(s, d, torus)) for s in nodes for d in nodes if s != d]
            mean = sum(times) / len(times)
            self.assertRegex(page, rf"\| {point['label']} \|[^\n]*\| {mean:.2f} \|")


if __name__ == "__main__":
    unittest.main()
