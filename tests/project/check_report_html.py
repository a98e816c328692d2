#!/usr/bin/env python3
"""Looks at report.html of every kind of report in a headless Chromium: no error on the console and no request, every
promised chart there and drawn, numbers as in report.json, dark and light, wide and narrow.

usage: check_report_html.py <project folder> <weft> <folder for results> [--pictures FOLDER]
exit status 77: there is no Chromium, nothing was checked
"""
import concurrent.futures
import csv
import json
import math
import pathlib
import subprocess
import sys

import browser
from page_checks import Check, check_chart_hover, check_chart_keys, check_keyboard, check_link_column, check_paper, check_slider_keys, equal

MOST_BYTES = 3_000_000
LATENCY = ["histogram", "cumulative", "parts", "percentiles"]
PROFILE = ["chart-profile-load", "chart-profile-links"]
# Name, arguments, charts that must be there ("chart-*": at least one).
REPORTS = [
    ("mesh", "run configs/packet/iq_mesh_8x8.yaml", ["network-chart", "hops", *LATENCY]),
    ("profile", "run configs/packet/profile.yaml", ["network-chart", *PROFILE, "chart-profile-levels", "hops", *LATENCY]),
    ("profile_tdm", "run configs/tdm/traffic_4x4.yaml --set observe.profile=1us", ["network-chart", *PROFILE, "chart-profile-levels"]),
    ("profile_optweb", "run configs/optweb/is_16.yaml --set observe.profile=5us", ["network-chart", *PROFILE]),
    ("profile_ideal", "run configs/ideal/first.yaml --set observe.profile=1us", ["network-chart", *PROFILE]),
    ("tree", "run configs/packet/paper_tree_4ary3.yaml", ["network-chart", "hops", *LATENCY]),
    ("torus3", "check configs/packet/paper_torus_8x8x8.yaml", ["network-chart"]),
    ("groups", "check configs/optweb/dragonfly_968.yaml", ["network-chart"]),
    ("dragonfly", "run configs/packet/dragonfly.yaml", ["network-chart", *LATENCY]),
    ("tdm", "run configs/tdm/mesh_4x4.yaml", ["network-chart", "frame", "transit", "chart-pairs", "hops", *LATENCY]),
    ("phases", "run configs/tdm/phases_8x8.yaml", ["network-chart", "frame", "transit", *LATENCY]),
    ("setup", "run configs/tdm/setup_faults.yaml", ["network-chart", "chart-setups", *LATENCY]),
    ("program", "run configs/tdm/programs.yaml", ["network-chart", "frame", "chart-programs", "chart-throughput", *LATENCY]),
    ("collectives", "run configs/packet/mm_summa_torus_16.yaml",
     ["network-chart", "chart-programs", "chart-throughput", "chart-pairs", *LATENCY]),
    ("optweb", "run configs/optweb/is_16.yaml", ["network-chart", "chart-programs", "chart-throughput", "chart-pairs", *LATENCY]),
    ("traffic", "run configs/optweb/traffic_8.yaml", ["network-chart", *LATENCY]),
    ("ideal", "run configs/ideal/first.yaml", ["network-chart", *LATENCY]),
    ("large", "run configs/tdm/mesh_64x64_tornado.yaml", ["network-chart", "frame"]),
    ("sweep", "sweep configs/tdm/sweep_load.yaml --quick", ["network-chart", "chart-*"]),
    ("slots", "slots --table1", ["chart-*"]),
    ("pattern", "slots --topology mesh --dims 8,8 --pattern tornado", ["network-chart"]),
    ("alltoall", "alltoall --n 8 --wavelengths 8", ["network-chart"]),
    ("schedule", "schedule configs/workloads/poisson_4x4.txt --dims 4,4 --slots 4 --policy all", ["network-chart", "chart-*"]),
    ("dtable", "dtable configs/packet/table4.yaml", ["chart-entries", "chart-shares", "chart-errors", "chart-waits"]),
    ("dlt", "dlt configs/dlt/mesh_5x5.yaml", ["network-chart", "chart-*"]),
    ("cost", "optweb cost", ["network-chart", "chart-*"]),
]
PICTURES = {"alltoall"}  # whose pictures are drawn by the program
READY = "document.documentElement?.dataset.ready === 'true'"


def make(project: pathlib.Path, weft: str, out: pathlib.Path, name: str, arguments: str) -> str:
    """Runs the program; returns what went wrong."""
    done = subprocess.run([weft, *arguments.split(), "--overwrite", "--out", str(out / name)], cwd=project, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"weft {arguments}: exit status {done.returncode}: {done.stderr}"


def check_values(check: Check, b: browser.Browser, name: str, report: dict):
    """Tiles, figures and tables against report.json."""
    shown = b.value("[...document.querySelectorAll('.tile')].map(t => [t.dataset.section, t.dataset.key, t.dataset.value])")
    check(f"{name}: tiles", len(shown) >= 1)
    for section, key, value in shown:
        figure = report["figures"][section][key]["value"]
        check(f"{name}: tile {section}.{key}", equal(float(value), figure) if isinstance(figure, float) else
              str(figure).lower() == value.lower() or value == str(figure), f"{value} for {figure}")
    figures = b.value("[...document.querySelectorAll('[data-figure]')].map(t => [t.dataset.figure, t.dataset.value ?? null, t.textContent])")
    check(f"{name}: all figures", len(figures) == sum(len(s) for s in report["figures"].values()), len(figures))
    for place, value, text in figures:
        section, key = place.split(".", 1)
        figure = report["figures"][section][key]["value"]
        if isinstance(figure, (int, float)) and not isinstance(figure, bool):
            check(f"{name}: figure {place}", equal(float(value), figure), f"{value} for {figure}")
        else:
            check(f"{name}: figure {place}", figure is None or isinstance(figure, bool) or text == figure, f"{text} for {figure}")
    tables = b.value("Object.fromEntries(Object.entries(report.tables).map(([k, t]) => [k, [t.rows.slice(0, 50), t.rows_in_all]]))")
    check(f"{name}: tables", list(tables) == list(report["tables"]), list(tables))
    for key, (rows, in_all) in tables.items():
        wanted = report["tables"][key]["rows"]
        check(f"{name}: rows of {key}", in_all == len(wanted), in_all)
        check(f"{name}: cells of {key}", all(equal(a, w) for row, line in zip(rows, wanted) for a, w in zip(row, line.values())))
    # What stands in an open table is what its row is, in five digits.
    cells = b.value("[...document.querySelectorAll('table[data-table] td[data-value]')].map(t => [Number(t.dataset.value), t.textContent])")
    for value, text in cells[:500]:
        plain = text.replace(" ", "").replace(" ", "").replace(" ", "")
        check(f"{name}: cell", math.isclose(float(plain), value, rel_tol=1e-4, abs_tol=1e-12), f"{text} for {value}")


def check_sums(check: Check, name: str, report: dict):
    """Latencies by hops are those of the circuits with so many hops, if circuits stay; by hops, by pairs all messages are told."""
    tables = report["tables"]
    circuits_stay = "circuits" in tables and all("hops" in r for r in tables["circuits"]["rows"])
    if "hops" in tables and not circuits_stay:
        told = sum(r["messages"] for r in tables["hops"]["rows"])
        wanted = sum(r["messages"] for r in tables["services"]["rows"])
        check(f"{name}: messages of all hops", told == wanted, (told, wanted))
    for row in tables["hops"]["rows"] if "hops" in tables and circuits_stay else []:
        circuits = [r for r in tables["circuits"]["rows"] if r["hops"] == row["hops"] and r["messages"] > 0]
        messages = sum(r["messages"] for r in circuits)
        mean = sum(r["messages"] * r["latency_mean"] for r in circuits) / max(1, messages)
        largest = max((r["latency_max"] for r in circuits), default=None)
        check(f"{name}: circuits of {row['hops']} hops", row["messages"] == messages and equal(row["latency_mean"], mean) and
              row["latency_max"] == largest, (row, messages, mean, largest))
    if "pairs" in tables:
        told = sum(r["messages"] for r in tables["pairs"]["rows"])
        wanted = sum(r["messages"] for r in tables["services"]["rows"])
        check(f"{name}: messages of all pairs", told == wanted, (told, wanted))


def check_charts(check: Check, b: browser.Browser, name: str, promised: list):
    drawn = b.value("charts.map(c => [c.id, c.items, c.instance.getZr().storage.getDisplayList(true).length])")
    ids = [c[0] for c in drawn]
    for wanted in promised:
        check(f"{name}: chart {wanted}", any(i.startswith(wanted[:-1]) for i in ids) if wanted.endswith("*") else wanted in ids, ids)
    for chart, items, elements in drawn:
        check(f"{name}: {chart} is empty", items > 0 and elements > 4, f"{items} items, {elements} elements")
    if name in PICTURES:
        check(f"{name}: pictures", b.value("document.querySelectorAll('img.picture').length && "
                                           "[...document.querySelectorAll('img.picture')].every(i => i.naturalWidth > 0)"))


def check_hover(check: Check, b: browser.Browser, name: str, report: dict):
    """The pointer on the busiest link reads what the table `links` has."""
    place = b.value("""(() => {
      const c = charts.find((c) => c.network);
      c.box.scrollIntoView({ block: 'center' });
      const { coords, link } = c.instance.getOption().series[1].data.at(-1);
      const [x, y] = c.instance.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [0, 1].map((d) => (coords[0][d] + coords[1][d]) / 2));
      const box = c.box.getBoundingClientRect();
      return [x + box.left, y + box.top, c.network.links.rows[link[3]][0]];
    })()""")
    b.point_at(*place[:2])
    text = b.value("new Promise((done) => setTimeout(() => done(charts.find((c) => c.network).box.innerText), 150))")
    links = report["tables"]["links"]["rows"]
    busiest = max(row["utilization"] for row in links)
    row = next((r for r in links if r["link"] in text), None)
    check(f"{name}: hover names a link", row is not None, text)
    if row:
        check(f"{name}: hover on the busiest link", equal(row["utilization"], busiest), text)
        check(f"{name}: hover tells its use", f"utilization: {float(f'{busiest:.5g}'):g} %" in text, text)
    listed = b.value("[...document.querySelectorAll('#hottest td[data-value]')].map(t => Number(t.dataset.value))")
    wanted = sorted((r["utilization"] for r in links), reverse=True)[:10]
    check(f"{name}: ten busiest links", len(listed) == len(wanted) and all(map(equal, listed, wanted)), listed)


def check_switches(check: Check, b: browser.Browser, name: str, report: dict):
    """Switches are coloured by the occupancy of their buffers, the fullest as the end of the scale; the pointer reads it."""
    rows = report["tables"]["switches"]["rows"]
    fullest = max(range(len(rows)), key=lambda i: rows[i]["occupancy"])
    state = b.value(f"""(() => {{
      const c = charts.find((c) => c.network);
      c.box.scrollIntoView({{ block: 'center' }});
      const items = c.instance.getOption().series[2].data;
      const [x, y] = c.instance.convertToPixel({{ xAxisIndex: 0, yAxisIndex: 0 }}, items[{fullest}].value);
      const box = c.box.getBoundingClientRect();
      return [x + box.left, y + box.top, items.map((i) => i.itemStyle?.color), levelColors().at(-1)];
    }})()""")
    check(f"{name}: colours of switches", all(state[2]) and state[2][fullest] == state[3] and len(set(state[2])) > 2, state[2][:4])
    b.point_at(*state[:2])
    text = b.value("new Promise((done) => setTimeout(() => done(charts.find((c) => c.network).box.innerText), 150))")
    told = b.value(f"number({rows[fullest]['occupancy']!r})")
    check(f"{name}: hover on a switch", f"flits in buffers: {told}" in text and f"[{fullest}]" in text, text)


def check_slider(check: Check, b: browser.Browser, name: str, report: dict):
    """Each window of the profile shows its numbers, in one scale; back at the left end is the whole measurement."""
    windows = report["tables"]["profile"]["rows"]
    series = report["profile"]
    window = len(windows) // 2
    move = "(() => {{ const s = document.getElementById('window'); s.value = {}; s.dispatchEvent(new Event('input')); }})()"
    before = b.value("charts.find((c) => c.network).instance.getOption().series[1].data.map((d) => d.value)")
    b.value(move.format(window))
    shown = b.value("""(() => {
      const c = charts.find((c) => c.network);
      const o = c.instance.getOption();
      const p = c.network.profile;
      return {
        links: Object.fromEntries(o.series[1].data.map((d) => [p.names[p.place(d.place)], d.value])),
        last: o.visualMap[0].max,
        text: document.querySelector('.time output').textContent,
      };
    })()""")
    capacity = windows[window]["link_capacity"]
    drawn = {link: 100 * flits[window] / capacity for link, flits in series["links"]["values"].items()}
    check(f"{name}: links of a window", len(shown["links"]) > 0 and
          all(math.isclose(v, drawn[k], rel_tol=1e-6, abs_tol=1e-9) for k, v in shown["links"].items()))
    check(f"{name}: words about the window", f"window {window + 1} of {len(windows)}" in shown["text"], shown["text"])
    most = max(max(100 * f / w["link_capacity"] for f, w in zip(flits, windows)) for flits in series["links"]["values"].values())
    check(f"{name}: one scale for all windows", most <= shown["last"] <= most + 10, (most, shown["last"]))
    place = b.value("""(() => {
      const c = charts.find((c) => c.network);
      c.box.scrollIntoView({ block: 'center' });
      const { coords, place } = c.instance.getOption().series[1].data.at(-1);
      const [x, y] = c.instance.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [0, 1].map((d) => (coords[0][d] + coords[1][d]) / 2));
      const box = c.box.getBoundingClientRect();
      return [x + box.left, y + box.top, c.network.profile.names[c.network.profile.place(place)]];
    })()""")
    b.point_at(*place[:2])
    text = b.value("new Promise((done) => setTimeout(() => done(charts.find((c) => c.network).box.innerText), 150))")
    flits = [f"flits: {b.value(f'number({line[window]})')}" for link, line in series["links"]["values"].items() if link in text]
    check(f"{name}: hover in a window", any(f in text for f in flits), text)
    links = "links" in report["tables"]
    listed = b.value("[...document.querySelectorAll('#hottest tr')].map((r) => [r.cells[0].textContent, Number(r.cells[1].dataset.value)])")
    wanted = sorted(drawn.values(), reverse=True)[:10 if links else 0]
    check(f"{name}: busiest links of a window", len(listed) == len(wanted) and
          all(math.isclose(v, w, rel_tol=1e-6) and math.isclose(v, drawn[link], rel_tol=1e-6) for (link, v), w in zip(listed, wanted)), listed)
    b.value(move.format(-1))
    after = b.value("charts.find((c) => c.network).instance.getOption().series[1].data.map((d) => d.value)")
    check(f"{name}: back to the whole measurement", after == before)


def check_long_table(check: Check, b: browser.Browser, name: str, key: str, report: dict):
    """A long table holds the rows in sight only; the keyboard sorts it, and it can be filtered and saved."""
    state = b.value(f"""(() => {{
      const details = document.getElementById('table-{key}');
      details.open = true;
      details.dispatchEvent(new Event('toggle'));
      const rows = () => details.querySelectorAll('tbody tr:not(.pad)');
      const out = {{ before: rows().length }};
      const head = [...details.querySelectorAll('th button')].find((h) => h.textContent === 'utilization');
      head.click();
      out.first = Number(rows()[0].querySelector('td:last-child').dataset.value);
      const scroll = details.querySelector('.scroll');
      scroll.scrollTop = scroll.scrollHeight;
      scroll.dispatchEvent(new Event('scroll'));
      out.last = Number([...rows()].at(-1).querySelector('td:last-child').dataset.value);
      const filter = details.querySelector('input');
      filter.value = 'sw[10]';
      filter.dispatchEvent(new Event('input'));
      out.filtered = rows().length;
      out.csv = new TableView('{key}', report.tables['{key}']).csv === undefined ? '' : (() => {{
        const v = new TableView('{key}', report.tables['{key}']);
        return v.csv();
      }})();
      return out;
    }})()""")
    rows = report["tables"][key]["rows"]
    values = [r["utilization"] for r in rows]
    check(f"{name}: rows in the document", 20 <= state["before"] <= 120 < len(rows), state["before"])
    check(f"{name}: sorted", equal(state["first"], max(values)) and equal(state["last"], min(values)), (state["first"], state["last"]))
    check(f"{name}: filtered", state["filtered"] == sum("sw[10]" in r["link"] for r in rows), state["filtered"])
    check(f"{name}: download", len(list(csv.reader(state["csv"].splitlines()))) == len(rows) + 1)


def check_looks(check: Check, b: browser.Browser, name: str, path: pathlib.Path, pictures):
    """Narrow and dark."""
    for width, dark in ((1400, True), (400, True)):
        b.look(width, dark=dark)
        b.open(path, READY)
        over = b.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(f"{name}: {width} pixels wide, overflows", over <= 0, over)
        light = b.value("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, v) => a + Number(v), 0)")
        check(f"{name}: {'dark' if dark else 'light'}", light < 200 if dark else light > 600, light)
        check(f"{name}: messages", not b.messages, b.messages)
        if pictures:
            b.picture(pictures / f"{name}_{width}_{'dark' if dark else 'light'}.png")
    b.value("document.getElementById('theme').click()")
    check(f"{name}: the button turns it light", b.value("document.documentElement.dataset.theme") == "light")
    check_charts(check, b, name, [])


def check_comparison(check: Check, b: browser.Browser, project: pathlib.Path, weft: str, out: pathlib.Path, pictures):
    """The page of a comparison is one of these pages, with a chart of what differs."""
    busier = make(project, weft, out, "mesh_busier", REPORTS[0][1] + " --set traffic.0.load=0.3")
    done = subprocess.run([weft, "compare", str(out / "mesh"), str(out / "mesh_busier"), "--overwrite", "--out", str(out / "compare")],
                          cwd=project, capture_output=True, text=True)
    if busier or done.returncode != 0:
        return check("compare", False, busier + done.stderr)
    path = out / "compare" / "compare.html"
    content = json.loads((out / "compare" / "compare.json").read_text())
    b.look(1400)
    b.open(path, READY)
    check_charts(check, b, "compare", ["network-chart", "chart-differences"])
    uses = [{r["link"]: r["utilization"] for r in json.loads((out / n / "report.json").read_text())["tables"]["links"]["rows"]}
            for n in ("mesh", "mesh_busier")]
    links = b.value("report.tables.links.rows")
    check("compare: every link", {r[0] for r in links} == set(uses[0]) | set(uses[1]), len(links))
    for link, first, second, difference in links:
        wanted = [u.get(link, 0) for u in uses]
        check(f"compare: use of {link}", equal(first, wanted[0]) and equal(second, wanted[1]) and
              math.isclose(difference, wanted[1] - wanted[0], rel_tol=1e-6, abs_tol=1e-6), (first, second, difference))
    check("compare: messages", not b.messages, b.messages)
    shown = b.value("Object.fromEntries(report.tables.figures.rows.concat(report.tables.others.rows).map((r) => [r[0], r.slice(2, 6)]))")
    check("compare: figures", list(sorted(shown)) == list(sorted(content["figures"])), (len(shown), len(content["figures"])))
    for place, row in list(shown.items())[:500]:
        f = content["figures"][place]
        wanted = [f["values"][0], f["values"][1], f["differences"][1], None if f["relative"][1] is None else 100 * f["relative"][1]]
        check(f"compare: {place}", all(equal(a, w) for a, w in zip(row, wanted)), (row, wanted))
    check_looks(check, b, "compare", path, pictures)


def main() -> int:
    project, weft, out = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3])
    pictures = pathlib.Path(sys.argv[5]) if len(sys.argv) > 5 and sys.argv[4] == "--pictures" else None
    if browser.program() is None:
        print("skipped: no Chromium (Debian: chromium)")
        return 77
    out.mkdir(parents=True, exist_ok=True)
    check = Check()
    with browser.Browser() as b, concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = {name: pool.submit(make, project, weft, out, name, arguments) for name, arguments, _ in REPORTS}
        again = pool.submit(make, project, weft, out, "mesh_again", REPORTS[0][1])
        for name, _, promised in REPORTS:
            if wrong := made[name].result():
                check(name, False, wrong)
                continue
            path = out / name / "report.html"
            check(f"{name}: size", path.stat().st_size <= MOST_BYTES, path.stat().st_size)
            b.look(1400)
            b.open(path, READY)
            over = b.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(f"{name}: 1400 pixels wide, overflows", over <= 0, over)
            check_charts(check, b, name, promised)
            if (out / name / "report.json").exists():
                report = json.loads((out / name / "report.json").read_text())
                check_values(check, b, name, report)
                check_sums(check, name, report)
                if name in ("mesh", "tree"):
                    check_hover(check, b, name, report)
                    check_switches(check, b, name, report)
                if name.startswith("profile"):
                    check_slider(check, b, name, report)
                if name in ("mesh", "tdm", "sweep", "collectives"):
                    check_chart_hover(check, b, name, report)
                if name == "profile":
                    check_slider_keys(check, b, name)
                if name == "mesh":
                    check_chart_keys(check, b, name, report)
                    check_link_column(check, b, name, report)
                if name == "tdm":
                    check_keyboard(check, b, name, report)
                if name == "phases":
                    check_long_table(check, b, name, "links", report)
            if pictures:
                b.picture(pictures / f"{name}_1400_light.png")
            check_paper(check, b, name)
            check(f"{name}: messages", not b.messages, b.messages)
            if pictures or name in ("tree", "tdm", "optweb", "sweep", "profile"):
                check_looks(check, b, name, path, pictures)
        check_comparison(check, b, project, weft, out, pictures)
        if wrong := again.result():
            check("second run", False, wrong)
        else:
            pages = [(out / n / "report.html").read_bytes() for n in ("mesh", "mesh_again")]
            check("equal runs give equal pages", pages[0] == pages[1])
    for failure in check.failures[:60]:
        print("error:", failure)
    print(f"{check.count} checks, {len(check.failures)} failed")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
