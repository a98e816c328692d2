// The network: switches and nodes where the program has put them, directed links coloured by their use, switches by what
// is in their buffers or waits at their nodes, over the whole measurement or in one window of the profile.

// Columns that colour links: these first, then the others with numbers.
const LINK_COLUMNS = ['B_difference', 'utilization', 'best_utilization', 'occupancy', 'reserved_slots', 'flits', 'words'];

function linkColumns(t) {
  const known = LINK_COLUMNS.map((key) => columnOf(t, key));
  const any = t.columns.map((_, c) => c);
  return distinct([...known, ...any]).filter((c) => c >= 0 && t.rows.some((r) => typeof r[c] === 'number'));
}

// Courses of links (observe/page/page_data.h).
const BOWED = 1;
const FAR = 2;

class NetworkPicture {
  constructor(view, links) {
    this.view = view;
    this.links = view.merged && links ? { ...links, rows: view.merged } : links;
    this.column = links && view.links.length > 0 ? linkColumns(links)[0] : undefined;
    this.phase = null;
    this.profile = report.profile && table('profile') && !view.merged ? new Profile(view) : null;
    this.window = null; // the whole measurement
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
    if (i < this.count) return this.view.switch_name.replace('[]', `[${i}]`);
    return this.view.node_name.replace('{}', i - this.count);
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

  // Links are coloured by a window of the profile.
  get showsWindow() {
    return this.window !== null && this.profile.flits.length > 0;
  }

  // What colours links: their column of the table, in a window the profile.
  get coloured() {
    if (this.showsWindow) return { key: 'utilization', unit: '%' };
    return this.column === undefined ? null : this.spec;
  }

  value(link, number) {
    if (this.window !== null) return this.profile.utilization(number, this.window);
    const row = this.row(link);
    return row === null ? null : row[this.column];
  }

  // What colours switches: flits in their buffers; without any what waits at their nodes.
  levels() {
    if (this.view.merged) return null; // those of single switches
    if (this.levelsOf !== undefined) return this.levelsOf;
    const t = table('switches');
    const p = this.profile;
    const mean = t && columnOf(t, 'occupancy') >= 0 ? valuesOf(t, 'occupancy') : null;
    let windows = p?.switches ?? null;
    let name = 'flits in buffers';
    if (!mean && !windows && p?.nodes) {
      windows = new Array(this.count).fill().map(() => new Array(p.windows).fill(0));
      for (const [from, to] of this.view.links) {
        const node = from - this.count;
        if (node >= 0 && to < this.count) p.nodes[node].forEach((v, w) => (windows[to][w] += v));
      }
      if (this.view.nodes.length === 0) windows = p.nodes.length === this.count ? p.nodes : null;
      name = 'flits waiting at nodes';
    }
    const most = Math.max(largest(windows ?? []), largest(mean ? [mean] : []));
    this.levelsOf = mean || windows ? { mean, windows, name, most: Math.max(1e-6, most) } : null;
    return this.levelsOf;
  }

  // Those of the time that is shown.
  shownLevels() {
    const levels = this.levels();
    return levels && (this.window === null ? levels.mean : levels.windows) ? levels : null;
  }

  level(sw) {
    const levels = this.levels();
    if (!levels) return null;
    return (this.window !== null ? levels.windows?.[sw]?.[this.window] : levels.mean?.[sw]) ?? null;
  }

  when() {
    const [begin, end] = [this.profile.begin, this.profile.end].map((v) => scaled(v[this.window], 'ns').join(' '));
    return `from ${begin} to ${end}`;
  }

  hoverVertex(i) {
    const lines = [`<b>${escapeHtml(this.vertex(i))}</b>`];
    if (this.window !== null) lines.push(this.when());
    if (i < this.count) {
      const level = this.level(i);
      if (level !== null) lines.push(`${this.levels().name}: ${number(level)}`);
    } else if (this.window !== null && this.profile.nodes) {
      lines.push(`flits waiting: ${number(this.profile.nodes[i - this.count][this.window])}`);
    }
    return lines.join('<br>');
  }

  hover(link, place) {
    if (this.window !== null) {
      const at = this.profile.place(place);
      const name = at < 0 ? `${this.vertex(link[0])} → ${this.vertex(link[1])}` : this.profile.names[at];
      const flits = at < 0 ? 0 : this.profile.flits[at][this.window];
      const use = this.profile.utilization(place, this.window) ?? 0;
      return [
        `<b>${escapeHtml(name)}</b>`,
        this.when(),
        `flits: ${number(flits)}`,
        `utilization: ${withUnit(use, '%')}`,
      ].join('<br>');
    }
    const row = this.row(link);
    if (row === null) {
      const ends = `${this.vertex(link[0])} → ${this.vertex(link[1])}`;
      return this.column === undefined ? ends : `${ends}<br>carried nothing`;
    }
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
    const levels = this.shownLevels();
    const scales = (this.coloured ? 1 : 0) + (levels ? 1 : 0);
    const narrow = width < 600;
    const bottom = scales === 0 ? 6 : narrow ? 14 + 26 * scales : 40;
    const { unit, axes } = this.ranges(width - 12, height - 6 - bottom);
    const loaded = [];
    const idle = [];
    this.view.links.forEach((link, place) => {
      const value = this.value(link, place);
      const item = { coords: this.coords(link, unit), link, place };
      if (link[2] === BOWED) item.lineStyle = { curveness: Math.min(0.22, 0.9 / this.length(link)) };
      if (link[2] === FAR) item.lineStyle = { width: 0.7, opacity: 0.15 };
      if (value === null) idle.push(item);
      else loaded.push({ ...item, value });
    });
    loaded.sort((a, b) => a.value - b.value); // the busiest on top
    const coloured = this.coloured;
    const most = this.window !== null ? this.profile.most : loaded.length > 0 ? loaded[loaded.length - 1].value : 0;
    const low = this.window !== null || loaded.length === 0 ? 0 : Math.min(0, loaded[0].value);
    const reach = Math.max(most, -low);
    const top = coloured?.unit === '%' && low === 0 ? Math.max(10, Math.ceil(reach / 10) * 10) : Math.max(1, reach);
    const count = this.view.links.length;
    const thick = count < 150 ? 3 : count < 500 ? 2.2 : count < 1500 ? 1.6 : 1;
    const small = unit < 16;
    const symbol = small ? Math.max(1.5, unit * 0.28) : Math.min(26, unit * 0.42);
    const vertices = this.places.map((p, i) => ({ value: p, name: this.vertex(i), vertex: i }));
    const switches = vertices.slice(0, this.count).map((v, i) => this.switchItem(v, i, small));
    const nodes = vertices.slice(this.count).map((v, i) => this.nodeItem(v, i));
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
      visualMap: this.scales(coloured, low < 0 ? -top : 0, top, narrow),
      tooltip: tooltip((p) => (p.data.link ? this.hover(p.data.link, p.data.place) : this.hoverVertex(p.data.vertex)), {
        trigger: 'item',
      }),
      series: [
        lines(idle, { lineStyle: { color: color('soft'), width: 1, opacity: 0.45 } }),
        lines(loaded, { z: 3, lineStyle: { width: thick, opacity: 1 }, emphasis: { lineStyle: { width: 5 } } }),
        {
          type: 'scatter',
          data: switches,
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
          data: nodes,
          symbol: 'circle',
          symbolSize: Math.max(2.5, symbol * 0.36),
          z: 4,
          itemStyle: { color: color('soft') },
        },
        { type: 'scatter', data: [] },
      ],
    };
  }

  switchItem(item, i, small) {
    const level = this.level(i);
    if (level === null) return item;
    const fill = scaleColor(levelColors(), level / this.levels().most);
    return {
      ...item,
      itemStyle: { color: fill, borderColor: color('soft'), borderWidth: small ? 0 : 1, opacity: 1 },
      label: { color: readableOn(fill) },
    };
  }

  nodeItem(item, i) {
    const waiting = this.window === null ? null : this.profile.nodes?.[i]?.[this.window];
    if (waiting === null || waiting === undefined || !(this.profile.mostWaiting > 0)) return item;
    return { ...item, itemStyle: { color: scaleColor(heat(), waiting / this.profile.mostWaiting) } };
  }

  // Scales of colours, for links and for switches: side by side, in a narrow page one above the other.
  scales(coloured, bottom, top, narrow) {
    const levels = this.shownLevels();
    const both = coloured && levels && !narrow;
    const out = [];
    if (coloured) {
      const of = both ? { left: '4%' } : {};
      out.push(
        visualMap(bottom, top, heading('links: ' + words(coloured.key), coloured.unit), {
          seriesIndex: 1,
          bottom: levels && narrow ? 26 : 0,
          ...(bottom < 0 && { inRange: { color: differences() } }),
          ...of,
        }),
      );
    }
    if (levels) {
      const of = both ? { left: undefined, right: '4%' } : {};
      out.push(
        visualMap(0, levels.most, `switches: ${levels.name}`, {
          seriesIndex: 4, // without items: those of the switches have their colours already
          inRange: { color: levelColors() },
          text: [number(Number(levels.most.toPrecision(3))), `switches: ${levels.name}  0`],
          ...of,
        }),
      );
    }
    return out;
  }
}
