"""What the test of pages asks of one page: numbers under the pointer, work by keyboard, print."""
import math

import browser

MOST_PAPER = 6  # pages of A4


class Check:
    def __init__(self):
        self.failures = []
        self.count = 0

    def __call__(self, what: str, good: bool, detail=""):
        self.count += 1
        if not good:
            self.failures.append(f"{what} {detail}".strip())


def equal(a, b) -> bool:
    if isinstance(a, bool) or isinstance(b, bool) or not (isinstance(a, (int, float)) and isinstance(b, (int, float))):
        return a == b
    return math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-300)


def check_chart_hover(check: Check, b: browser.Browser, name: str, report: dict):
    """The pointer on charts of latencies, circuits and sweeps reads numbers of report.json."""
    drawn = b.value("charts.map((c) => c.id)")
    tables = report["tables"]
    wanted = []  # chart, place as an expression, figures
    if "parts" in drawn:
        row = tables["services"]["rows"][0]
        parts = [row[k] for k in ("queueing", "network", "serialization")]
        wanted.append(("parts", f"[{sum(parts) / 2!r}, 0]", parts))
        wanted.append(("percentiles", f"[{row['latency_p99'] / 2!r}, 0]", [row["latency_p50"], row["latency_p99"], row["latency_max"]]))
        bins = [r for r in tables["histogram"]["rows"] if r["service"] == row["service"]]
        most = max(bins, key=lambda r: r["messages"])
        wanted.append(("histogram", f"[{(most['from'] + most['below']) / 2!r}, 0.01]", [most["messages"], most["from"], most["below"]]))
        until = sum(r["messages"] for r in bins if r["from"] <= most["from"])
        share = 100 * until / sum(r["messages"] for r in bins)
        wanted.append(("cumulative", f"[{most['below']!r}, {share!r}]", [float(f"{share:.5g}"), most["below"]]))
    if "hops" in drawn:
        row = tables["hops"]["rows"][0]
        wanted.append(("hops", f"[0, {row['latency_mean'] / 2!r}]", [row["messages"], row["latency_mean"], row["latency_max"], row["network"]]))
    if "chart-pairs" in drawn:
        row = next(r for k in ("circuits", "pairs") if k in tables for r in tables[k]["rows"] if r["latency_mean"] is not None)
        wanted.append(("chart-pairs", f"[{row['destination']}, {row['source']}]", [row["latency_mean"]]))
    if "transit" in drawn:
        row = tables["circuits"]["rows"][0]
        wanted.append(("transit", "c.instance.getOption().series.at(-1).data[0]", [row["transit_max"]]))
    if name == "sweep":
        chart = b.value("charts.find((c) => c.id.startsWith('chart-')).id")
        point = b.value("data.charts[0].series[0].points.at(-1)")
        wanted.append((chart, f"[{point[0]!r}, {point[1]!r}]", [point[1]]))
        check(f"{name}: point of a curve", any(equal(point[1], v) for r in tables["summary"]["rows"] for v in r.values()), point)
    for chart, place, figures in wanted:
        x, y = b.value(f"""(() => {{
          const c = charts.find((c) => c.id === '{chart}');
          c.box.scrollIntoView({{ block: 'center' }});
          const [x, y] = c.instance.convertToPixel({{ xAxisIndex: 0, yAxisIndex: 0 }}, {place});
          const box = c.box.getBoundingClientRect();
          return [x + box.left, y + box.top];
        }})()""")
        b.point_at(x, y)
        text = b.value(f"new Promise((done) => setTimeout(() => done(charts.find((c) => c.id === '{chart}').box.innerText), 150))")
        for figure in figures:
            told = b.value(f"number({figure!r})")
            check(f"{name}: hover on {chart}", told in text, f"{told} in {text!r}")


def check_keyboard(check: Check, b: browser.Browser, name: str, report: dict):
    """Tab reaches the button of the theme, the contents and the headings of a table, visibly; Enter and the space bar work
    them."""
    focused = """(() => {
      const e = document.activeElement;
      const style = getComputedStyle(e);
      return {
        what: e.id || e.closest('th')?.cellIndex.toString() || e.tagName,
        heading: e.closest('th') ? e.textContent : null,
        table: e.closest('table')?.dataset.table ?? null,
        link: e.getAttribute('href'),
        seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 || e.matches('.skip:focus'),
      };
    })()"""
    b.value("window.scrollTo(0, 0); document.activeElement.blur()")
    visited = []
    for _ in range(80):
        b.press("Tab")
        visited.append(b.value(focused))
        at = visited[-1]
        check(f"{name}: focus on {at['what']} is visible", at["seen"], at)
        if at["what"] == "theme":
            before = b.value("document.documentElement.dataset.theme")
            b.press(" ")
            check(f"{name}: the space bar changes the theme", b.value("document.documentElement.dataset.theme") != before)
            b.press(" ")
        if at["table"] == "circuits" and at["heading"] == "transit mean":
            break
    check(f"{name}: Tab reaches contents", any(v["link"] == "#latency" for v in visited), [v["what"] for v in visited])
    check(f"{name}: Tab reaches headings", visited[-1]["heading"] == "transit mean", [v["what"] for v in visited])
    column = """(() => {
      const cell = document.activeElement.closest('th');
      const rows = [...cell.closest('table').querySelectorAll('tbody tr')];
      return [cell.ariaSort, rows.map((r) => Number(r.children[cell.cellIndex].dataset.value))];
    })()"""
    wanted = sorted(r["transit_mean"] for r in report["tables"]["circuits"]["rows"])
    for key, order, values in (("Enter", "descending", wanted[::-1]), (" ", "ascending", wanted)):
        b.press(key)
        sort, shown = b.value(column)
        check(f"{name}: {key!r} sorts", sort == order and all(map(equal, shown, values)), (sort, shown))
    b.value("document.querySelector('#configuration summary').focus()")
    b.press("Enter")
    check(f"{name}: Enter opens the configuration", b.value("document.getElementById('table-configuration').open"))


def check_chart_keys(check: Check, b: browser.Browser, name: str, report: dict):
    """The arrow keys read the values of a chart, aloud too: the network from the busiest link on, bars from the first one on."""
    said = "new Promise((done) => setTimeout(() => done(document.getElementById('spoken').textContent), 150))"
    rows = sorted(report["tables"]["links"]["rows"], key=lambda r: r["utilization"])
    b.value("document.getElementById('network-chart').focus()")
    for key, row in (("ArrowRight", rows[-1]), ("ArrowLeft", rows[-2]), ("Home", rows[0]), ("End", rows[-1])):
        b.press(key)
        text = b.value(said)
        told = b.value(f"number({row['utilization']!r})")
        check(f"{name}: {key} on the network", f"utilization: {told} %" in text, text)
    b.press("ArrowDown")
    text = b.value(said)
    check(f"{name}: ArrowDown goes to the switches", text.startswith("sw["), text)
    row = report["tables"]["hops"]["rows"][1]
    b.value("document.getElementById('hops').focus()")
    b.press("ArrowRight")
    b.press("ArrowRight")
    text = b.value(said)
    check(f"{name}: bars by keyboard", f"{row['hops']} hops" in text and b.value(f"number({row['latency_mean']!r})") in text, text)
    b.press("Escape")
    check(f"{name}: Escape ends", b.value(said) == "")


def check_link_column(check: Check, b: browser.Browser, name: str, report: dict):
    """Links can be coloured by another column of their table; the list beside them follows."""
    shown = b.value("""(() => {
      const select = [...document.querySelectorAll('#network select')].at(-1);
      select.value = [...select.options].find((o) => o.textContent === 'flits').value;
      select.dispatchEvent(new Event('change'));
      const drawn = charts.find((c) => c.network).instance.getOption().series[1].data.map((d) => d.value);
      return [drawn.at(-1), [...document.querySelectorAll('#hottest td[data-value]')].map((t) => Number(t.dataset.value))];
    })()""")
    flits = sorted((r["flits"] for r in report["tables"]["links"]["rows"]), reverse=True)
    check(f"{name}: links by flits", shown == [flits[0], flits[:10]], shown)


def check_slider_keys(check: Check, b: browser.Browser, name: str):
    b.value("document.getElementById('window').focus()")
    b.press("ArrowRight")
    text = b.value("document.querySelector('.time output').textContent")
    check(f"{name}: the arrow shows the first window", text.startswith("window 1 of"), text)


def check_paper(check: Check, b: browser.Browser, name: str):
    """Few pages; each chart is drawn for the width of the paper; afterwards the page is what it was."""
    before = b.value("[document.documentElement.dataset.theme, charts.map((c) => c.box.clientWidth)]")
    pages = b.pages_on_paper()
    check(f"{name}: pages on paper", 1 <= pages <= MOST_PAPER, pages)
    b.value("window.dispatchEvent(new Event('beforeprint'))")
    drawn = b.value("""charts.map((c) => {
      const drawn = c.box.querySelector('svg, canvas');
      const elements = drawn.querySelectorAll('path, text').length + c.instance.getZr().storage.getDisplayList(true).length;
      return [c.id, elements, c.box.getBoundingClientRect().right, drawn.clientWidth];
    })""")
    for chart, elements, right, width in drawn:
        check(f"{name}: {chart} on paper", elements > 4 and right <= 701 and width <= 701, (elements, right, width))
    check(f"{name}: paper is light", b.value("document.documentElement.dataset.theme") == "light")
    empty = b.value("[...document.querySelectorAll('section')].filter((s) => s.offsetHeight > 0 && s.offsetHeight < 60).map((s) => s.id)")
    check(f"{name}: headings without contents on paper", not empty, empty)
    b.value("window.dispatchEvent(new Event('afterprint'))")
    after = b.value("[document.documentElement.dataset.theme, charts.map((c) => c.box.clientWidth)]")
    check(f"{name}: after printing", after == before, (before, after))
