// The network: switches and nodes where the program has put them, directed links coloured by their use, and a list of
// the busiest links.

// The column that colours links: the first of these that has a number, else the first with numbers.
const LINK_COLUMNS = ['utilization', 'occupancy', 'reserved_slots', 'flits', 'words'];

function linkColumn(t) {
  const known = LINK_COLUMNS.map((key) => columnOf(t, key));
  const any = t.columns.map((_, c) => c);
  return [...known, ...any].find((c) => c >= 0 && t.rows.some((r) => typeof r[c] === 'number'));
}

// Courses of links (observe/page/page_data.h).
const BOWED = 1;
const FAR = 2;

class NetworkPicture {
  constructor(view, links) {
    this.view = view;
    this.links = links;
    this.column = links ? linkColumn(links) : undefined;
    this.phase = null;
    this.places = [];
    for (const list of [view.switches, view.nodes]) {
      for (let i = 0; i < list.length; i += 2) this.places.push([list[i], list[i + 1]]);
    }
    this.count = view.switches.length / 2;
    const x = this.places.map((p) => p[0]);
    const y = this.places.map((p) => p[1]);
    this.range = [x, y].map((v) => [
      v.reduce((a, b) => Math.min(a, b), Infinity),
      v.reduce((a, b) => Math.max(a, b), -Infinity),
    ]);
  }

  get spec() {
    return this.links.columns[this.column];
  }

  vertex(i) {
    return i < this.count ? this.view.switch_name.replace('[]', `[${i}]`) : `node ${i - this.count}`;
  }

  // The row of a link in the table `links`: the busiest phase, or the one that is chosen.
  row(link) {
    if (this.column === undefined) return null;
    const phase = columnOf(this.links, 'phase');
    let best = null;
    for (const r of link.slice(3)) {
      const row = this.links.rows[r];
      if (this.phase !== null && row[phase] !== this.phase) continue;
      if (row[this.column] !== null && (best === null || row[this.column] > best[this.column])) best = row;
    }
    return best;
  }

  hover(link) {
    const row = this.row(link);
    if (row === null) return `${this.vertex(link[0])} → ${this.vertex(link[1])}<br>carried nothing`;
    return this.links.columns
      .map((c, i) =>
        row[i] === null
          ? null
          : c.key === 'link'
            ? `<b>${escapeHtml(row[i])}</b>`
            : `${words(c.key)}: ${escapeHtml(withUnit(row[i], c.unit))}`,
      )
      .filter((t) => t !== null)
      .join('<br>');
  }

  height(width) {
    const most = this.column === undefined ? 360 : 600;
    const [w, h] = this.range.map(([a, b]) => Math.max(0.6, b - a) + 0.8);
    return Math.round(Math.min(most, Math.max(240, (width * h) / w)));
  }

  // Ranges of both axes that show the whole network in one scale.
  ranges(width, height) {
    const size = this.range.map(([a, b]) => Math.max(0.6, b - a) + 0.8);
    const unit = Math.min(width / size[0], height / size[1]);
    return {
      unit,
      axes: this.range.map(([a, b], d) => {
        const half = [width, height][d] / unit / 2;
        return { min: (a + b) / 2 - half, max: (a + b) / 2 + half };
      }),
    };
  }

  // Both directions of a cable side by side, each to the left of its way; arcs keep apart by themselves.
  coords([from, to, course], unit) {
    const [a, b] = [this.places[from], this.places[to]];
    if (course === BOWED) return [a, b];
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const length = Math.hypot(dx, dy) || 1;
    const off = Math.min(0.09, 2.4 / unit);
    const shift = ([x, y]) => [x - (dy / length) * off, y + (dx / length) * off];
    return [shift(a), shift(b)];
  }

  length([from, to]) {
    const [a, b] = [this.places[from], this.places[to]];
    return Math.hypot(b[0] - a[0], b[1] - a[1]);
  }

  option(width, height) {
    const bottom = this.column === undefined ? 6 : 40;
    const { unit, axes } = this.ranges(width - 12, height - 6 - bottom);
    const loaded = [];
    const idle = [];
    for (const link of this.view.links) {
      const row = this.row(link);
      const item = { coords: this.coords(link, unit), link };
      if (link[2] === BOWED) item.lineStyle = { curveness: Math.min(0.22, 0.9 / this.length(link)) };
      if (link[2] === FAR) item.lineStyle = { width: 0.7, opacity: 0.15 };
      if (row === null) idle.push(item);
      else loaded.push({ ...item, value: row[this.column] });
    }
    loaded.sort((a, b) => a.value - b.value); // the busiest on top
    const most = loaded.length > 0 ? loaded[loaded.length - 1].value : 0;
    const top =
      this.column !== undefined && this.spec.unit === '%' ? Math.max(10, Math.ceil(most / 10) * 10) : Math.max(1, most);
    const count = this.view.links.length;
    const thick = count < 150 ? 3 : count < 500 ? 2.2 : count < 1500 ? 1.6 : 1;
    const small = unit < 16;
    const symbol = small ? Math.max(1.5, unit * 0.28) : Math.min(26, unit * 0.42);
    const vertices = this.places.map((p, i) => ({ value: p, name: this.vertex(i) }));
    const lines = (data, more) => ({
      type: 'lines',
      coordinateSystem: 'cartesian2d',
      data,
      z: 2,
      progressive: 0,
      ...more,
    });
    const hidden = { type: 'value', show: false };
    return {
      grid: { left: 6, right: 6, top: 6, bottom },
      xAxis: { ...hidden, ...axes[0] },
      yAxis: { ...hidden, ...axes[1] },
      dataZoom: [0, 1].map((d) => ({
        type: 'inside',
        [d ? 'yAxisIndex' : 'xAxisIndex']: 0,
        zoomOnMouseWheel: 'ctrl',
        moveOnMouseWheel: false,
        filterMode: 'none',
      })),
      visualMap:
        this.column === undefined
          ? undefined
          : visualMap(0, top, heading(words(this.spec.key), this.spec.unit), { seriesIndex: 1 }),
      tooltip: tooltip((p) => (p.data.link ? this.hover(p.data.link) : escapeHtml(p.name)), { trigger: 'item' }),
      series: [
        lines(idle, { lineStyle: { color: color('soft'), width: 1, opacity: 0.45 } }),
        lines(loaded, { z: 3, lineStyle: { width: thick, opacity: 1 }, emphasis: { lineStyle: { width: 5 } } }),
        {
          type: 'scatter',
          data: vertices.slice(0, this.count),
          symbol: 'roundRect',
          symbolSize: symbol,
          z: 4,
          itemStyle: {
            color: color(small ? 'soft' : 'panel'),
            borderColor: color('soft'),
            borderWidth: small ? 0 : 1,
            opacity: 1,
          },
          label: {
            show: symbol >= 15,
            formatter: (p) => String(p.dataIndex),
            color: color('ink'),
            fontSize: Math.min(11, symbol * 0.55),
          },
        },
        {
          type: 'scatter',
          data: vertices.slice(this.count),
          symbol: 'circle',
          symbolSize: Math.max(2.5, symbol * 0.36),
          z: 4,
          itemStyle: { color: color('soft') },
        },
      ],
    };
  }
}

function hottestLinks(links, column) {
  const spec = links.columns[column];
  const name = columnOf(links, 'link');
  const phase = columnOf(links, 'phase');
  const several = phase >= 0 && distinct(valuesOf(links, 'phase')).length > 1;
  const rows = links.rows
    .filter((r) => r[column] !== null)
    .sort((a, b) => b[column] - a[column])
    .slice(0, 10);
  const most = Math.max(1e-12, ...rows.map((r) => r[column]));
  return el(
    'div',
    {},
    el('h3', {}, `Busiest links, ${heading(words(spec.key), spec.unit)}`),
    el(
      'table',
      { id: 'hottest' },
      el(
        'tbody',
        {},
        ...rows.map((r) =>
          el(
            'tr',
            {},
            el('td', { class: 't wide', title: r[name] }, r[name] + (several ? ` (${r[phase]})` : '')),
            el(
              'td',
              { 'data-value': r[column], style: `background:${barBehind((100 * r[column]) / most)}` },
              number(r[column]),
            ),
          ),
        ),
      ),
    ),
  );
}

function network(parent) {
  const view = data.network;
  if (!view) return;
  contents.push(['network', 'Network']);
  const links = table('links');
  const picture = view.switches.length > 0 ? new NetworkPicture(view, links) : null;
  const column = links && links.rows.length > 0 ? linkColumn(links) : undefined;
  const split = el('div', { class: column === undefined ? '' : 'split', id: 'network' });
  const left = el('div');
  parent.append(split);
  split.append(left);
  if (column !== undefined) split.append(hottestLinks(links, column));
  if (!picture) {
    left.append(
      el('p', { class: 'soft' }, `${view.title}: ${number(view.all_links)} directed links, too many for a picture.`),
    );
    return;
  }
  const phases = links && columnOf(links, 'phase') >= 0 ? distinct(valuesOf(links, 'phase')) : [];
  let chart = null;
  const tools =
    phases.length < 2
      ? null
      : el(
          'div',
          { class: 'tools' },
          choice('Phase', [['', 'largest of all'], ...phases.map((p) => [p, p])], (p) => {
            picture.phase = p === '' ? null : p;
            draw(chart);
          }),
        );
  const what = [`${number(picture.count)} switches`];
  if (view.switch_name === 'node[]') what[0] = `${number(picture.count)} nodes`;
  if (view.nodes.length > 0) what.push(`${number(view.nodes.length / 2)} nodes as dots`);
  what.push(
    view.links.length > 0
      ? `${number(view.links.length)} directed links`
      : `${number(view.all_links)} directed links, too many to be drawn`,
  );
  chart = addChart(left, {
    id: 'network-chart',
    title: `Network: ${view.title}`,
    note: what.join(', ') + '. Ctrl and wheel zoom, dragging moves.',
    tools,
    height: picture.height(Math.min(left.clientWidth || 800, 900)),
    items: view.switches.length / 2,
    option: (w, h) => picture.option(w, h),
  });
  chart.network = picture;
}
