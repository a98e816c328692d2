// Puts the page together; the check of it.

function setTheme(theme) {
  root.dataset.theme = theme;
  document.getElementById('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
}

function start() {
  const asked = new URLSearchParams(location.hash.slice(1)).get('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = asked;
  setTheme(asked ?? (system.matches ? 'dark' : 'light'));
  system.addEventListener('change', () => {
    if (chosen) return;
    setTheme(system.matches ? 'dark' : 'light');
    drawAll();
  });
  document.getElementById('theme').addEventListener('click', () => {
    chosen = isDark() ? 'light' : 'dark';
    setTheme(chosen);
    drawAll();
  });
  const top = firstScreen();
  network(top);
  programCharts();
  latency();
  circuits();
  figures();
  tables();
  configuration();
  document.getElementById('contents').append(...contents.map(([id, title]) => el('a', { href: '#' + id }, title)));
  drawAll();
  window.addEventListener('beforeprint', () => {
    setTheme('light');
    drawAll();
  });
  check();
}

// ---- What tests/project/check_report_html.py looks at

// Things drawn by a chart: elements of its display list with a shape or a text.
const drawn = (chart) => chart.instance.getZr().storage.getDisplayList(true).length;

// What a pointer on the busiest link would read, and whether it is what the table has.
function checkHover(chart) {
  const picture = chart.network;
  if (!picture || picture.column === undefined) return undefined;
  const links = picture.view.links.filter((l) => picture.row(l) !== null);
  if (links.length === 0) return undefined;
  const link = links.reduce((a, b) => (picture.row(b)[picture.column] > picture.row(a)[picture.column] ? b : a));
  const row = picture.row(link);
  return { text: picture.hover(link), link: row[columnOf(picture.links, 'link')], value: row[picture.column], column: picture.spec.key, links: links.length };
}

function check() {
  const wide = root.scrollWidth > window.innerWidth;
  const out = {
    charts: charts.map((c) => ({ id: c.id, items: c.items, drawn: drawn(c), width: c.box.clientWidth, hover: checkHover(c) })),
    wide, width: window.innerWidth, scrollWidth: root.scrollWidth, theme: root.dataset.theme, ground: getComputedStyle(document.body).backgroundColor,
  };
  root.dataset.check = JSON.stringify(out);
  root.dataset.ready = 'true';
}

start();
