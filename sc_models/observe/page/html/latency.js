// Latency: histogram and cumulative share per service, its parts, percentiles, and means by source and destination.

const PERCENTILES = ['latency_p50', 'latency_p95', 'latency_p99', 'latency_p999', 'latency_max'];

// Bins per service: [from, below, messages].
function bins() {
  const t = table('histogram');
  const out = new Map();
  if (!t) return out;
  const [service, from, below, messages] = ['service', 'from', 'below', 'messages'].map((k) => columnOf(t, k));
  if (Math.min(service, from, below, messages) < 0) return out; // a histogram of something else
  for (const r of t.rows) {
    if (!out.has(r[service])) out.set(r[service], []);
    out.get(r[service]).push([r[from], r[below], r[messages]]);
  }
  return out;
}

// Names of services for a legend: one alone needs none.
const severalOf = (all) => (all.size > 1 ? [...all.keys()] : []);

function latencyAxis(all) {
  const ends = [...all.values()].flat();
  const low = ends.reduce((m, b) => Math.min(m, b[0]), Infinity);
  const high = ends.reduce((m, b) => Math.max(m, b[1]), 0);
  const log = low > 0 && high / low > 30;
  const ticks = log ? { customValues: logTicks(low * 0.95, high * 1.02) } : {};
  return axis(
    { label: 'latency', unit: 'ns', log },
    {
      min: log ? low * 0.95 : Math.max(0, low - (high - low) * 0.03),
      max: high * 1.02,
      axisTick: { lineStyle: { color: color('line') }, ...ticks },
      axisLabel: {
        ...ticks,
        color: color('soft'),
        hideOverlap: true,
        ...(!log && { showMinLabel: false, showMaxLabel: false }),
        formatter: (v) => scaled(v, 'ns').join(' '),
      },
    },
  );
}

// The line of a service.
function serviceLine(name, points, own, width, more = {}) {
  return {
    name,
    type: 'line',
    data: points,
    showSymbol: false,
    symbol: 'circle',
    lineStyle: { width, color: own },
    itemStyle: { color: own },
    ...more,
  };
}

// Share of the messages per bin, as steps: bins are narrower where latencies are short.
function histogramOption(all, width, pointer) {
  const series = [...all].map(([name, list], i) => {
    const sum = list.reduce((n, b) => n + b[2], 0);
    const points = [];
    list.forEach((b, k) => {
      if (k === 0 || list[k - 1][1] !== b[0]) points.push([b[0], 0]);
      points.push([b[0], (100 * b[2]) / sum], [b[1], (100 * b[2]) / sum]);
      if (k + 1 === list.length || list[k + 1][0] !== b[1]) points.push([b[1], 0]);
    });
    const own = colorOf(i);
    return serviceLine(name, points, own, 1.5, {
      symbol: 'none',
      areaStyle: all.size > 3 ? undefined : { color: own, opacity: 0.22 },
    });
  });
  const text = (items) => {
    const at = pointer() ?? items[0].axisValue;
    const lines = items
      .filter((p, i) => items.findIndex((q) => q.seriesName === p.seriesName) === i)
      .map((p) => {
        const bin = all.get(p.seriesName).find(([from, below]) => from <= at && at < below);
        return bin
          ? `${p.marker}${escapeHtml(p.seriesName)}: <b>${number(bin[2])}</b> messages from ${number(bin[0])} to ${number(bin[1])} ns`
          : null;
      });
    return lines.filter((l) => l).join('<br>') || number(at) + ' ns';
  };
  return {
    legend: legend(severalOf(all), width),
    grid: { left: 62, right: 18, top: legendSpace(severalOf(all), width), bottom: 46 },
    xAxis: latencyAxis(all),
    yAxis: axis({ label: 'share per bin', unit: '%' }, { nameGap: 44 }),
    tooltip: tooltip(text, { trigger: 'axis' }),
    series,
  };
}

function cumulativeOption(all, width) {
  const series = [...all].map(([name, list], i) => {
    const sum = list.reduce((n, b) => n + b[2], 0);
    let so = 0;
    const points = [];
    list.forEach((b, k) => {
      // Bins without messages are left out of the table: the share stays what it is up to the next one.
      if (k === 0 || list[k - 1][1] !== b[0]) points.push([b[0], (100 * so) / sum]);
      so += b[2];
      points.push([b[1], (100 * so) / sum]);
    });
    return serviceLine(name, points, colorOf(i), 2);
  });
  return {
    legend: legend(severalOf(all), width),
    grid: { left: 62, right: 18, top: legendSpace(severalOf(all), width), bottom: 46 },
    xAxis: latencyAxis(all),
    yAxis: axis({ label: 'cumulative share', unit: '%' }, { nameGap: 44, min: 0, max: 100 }),
    tooltip: tooltip(
      (items) =>
        items
          .map(
            (p) =>
              `${p.marker}${escapeHtml(p.seriesName)}: <b>${number(Number(p.value[1].toPrecision(5)))} %</b> within ${number(p.value[0])} ns`,
          )
          .join('<br>'),
      { trigger: 'axis' },
    ),
    series,
  };
}

// Percentiles grow; so does their colour.
const growing = () =>
  isDark()
    ? ['#24506f', '#2f74a3', '#4c9bd0', '#8cc4ea', '#d5ecfb']
    : ['#b9d8ee', '#7db7de', '#3f8fc5', '#0b639c', '#063a5e'];

// Bars of the services: parts of the mean, as times or as shares of it, or percentiles.
function barsOption(names, parts, stacked, width, shares = false) {
  const t = table('services');
  const sums = valuesOf(t, parts[0]).map((_, r) => parts.reduce((n, key) => n + valuesOf(t, key)[r], 0));
  const shown = (v, r) => (!shares || v === null ? v : sums[r] > 0 ? (100 * v) / sums[r] : 0);
  const series = parts.map((key, i) => ({
    name: words(key.replace('latency_', '')),
    type: 'bar',
    stack: stacked ? 'all' : undefined,
    itemStyle: { color: stacked ? colorOf(i) : growing()[i + 5 - parts.length] },
    data: valuesOf(t, key).map(shown),
    barMaxWidth: 34,
  }));
  const told = (p) => {
    const v = valuesOf(t, parts[p.seriesIndex])[p.dataIndex];
    return withUnit(v, 'ns') + (shares && v !== null ? ` (${number(Number(p.value.toPrecision(3)))} %)` : '');
  };
  return {
    legend: legend(series.map((s) => s.name), width),
    grid: {
      left: Math.min(150, labelSpace({ categories: names })),
      right: 24,
      top: legendSpace(series.map((s) => s.name), width),
      bottom: 46,
    },
    xAxis: axis({
      label: shares ? 'share of the mean' : stacked ? 'mean' : 'latency',
      unit: shares ? '%' : 'ns',
      max: shares ? 100 : undefined,
      log: !stacked && spread(parts.map((k) => valuesOf(t, k)).flat()) > 100,
    }),
    yAxis: axis({ categories: names }, { inverse: true, axisLabel: { color: color('soft'), formatter: shortLabel } }),
    tooltip: tooltip(
      (items) =>
        `${escapeHtml(items[0].name)}<br>` +
        items.map((p) => `${p.marker}${escapeHtml(p.seriesName)}: <b>${told(p)}</b>`).join('<br>'),
      { trigger: 'axis', axisPointer: { type: 'shadow' } },
    ),
    series,
  };
}

// Parts of the mean as bars, the largest as a line.
function hopsOption(t, width) {
  const categories = valuesOf(t, 'hops').map(String);
  const parts = ['queueing', 'network', 'serialization'];
  const messages = valuesOf(t, 'messages');
  const text = (items) => {
    const r = items[0].dataIndex;
    const lines = items.map((p) => `${p.marker}${escapeHtml(p.seriesName)}: <b>${withUnit(p.value, 'ns')}</b>`);
    return [`${categories[r]} hops: ${number(messages[r])} messages`, ...lines, `mean: <b>${withUnit(valuesOf(t, 'latency_mean')[r], 'ns')}</b>`].join(
      '<br>',
    );
  };
  return {
    legend: legend([...parts, 'largest'], width),
    grid: { left: 72, right: 24, top: legendSpace([...parts, 'largest'], width), bottom: 46 },
    xAxis: axis({ label: 'hops', unit: '', categories }),
    yAxis: axis({ label: 'latency', unit: 'ns' }, { nameGap: 56 }),
    tooltip: tooltip(text, { trigger: 'axis', axisPointer: { type: 'shadow' } }),
    series: [
      ...parts.map((key, i) => ({
        name: key,
        type: 'bar',
        stack: 'all',
        itemStyle: { color: colorOf(i) },
        data: valuesOf(t, key),
        barMaxWidth: 34,
      })),
      {
        name: 'largest',
        type: 'line',
        symbol: 'diamond',
        symbolSize: 8,
        itemStyle: { color: color('ink') },
        lineStyle: { width: 1, type: 'dashed', color: color('ink') },
        data: valuesOf(t, 'latency_max'),
      },
    ],
  };
}

function spread(values) {
  const some = values.filter((v) => typeof v === 'number' && v > 0);
  return some.length === 0 ? 1 : Math.max(...some) / Math.min(...some);
}

// Mean latency by source and destination, where a table tells both.
function pairs() {
  for (const key of ['circuits', 'flows', 'pairs']) {
    const t = table(key);
    if (!t || ['source', 'destination', 'latency_mean'].some((k) => columnOf(t, k) < 0)) continue;
    const [s, d, v] = ['source', 'destination', 'latency_mean'].map((k) => columnOf(t, k));
    const rows = t.rows.filter((r) => r[v] !== null && Number.isInteger(r[s]) && Number.isInteger(r[d]));
    const nodes = rows.reduce((m, r) => Math.max(m, r[s] + 1, r[d] + 1), 0);
    if (rows.length < 2 || nodes > 128) continue;
    const cells = new Array(nodes).fill().map(() => new Array(nodes).fill(null));
    for (const r of rows) cells[r[s]][r[d]] = Math.max(cells[r[s]][r[d]] ?? 0, r[v]);
    const categories = [...Array(nodes).keys()].map(String);
    return {
      name: 'pairs',
      title: 'Mean latency by source and destination',
      meaning: 'The largest mean, where a pair has several lines.',
      x: { label: 'destination', unit: '', categories },
      y: { label: 'source', unit: '', categories },
      heat_map: { rows: cells, label: 'latency', unit: 'ns', min: null, max: null },
    };
  }
  return null;
}

// Services whose means are far apart are compared by shares.
function partsChart(grid, names, height) {
  let shares = false;
  let chart = null;
  const tools = choice('Show', [['', 'times'], ['shares', 'shares of the mean']], (v) => {
    shares = v !== '';
    draw(chart);
  });
  chart = addChart(grid, {
    id: 'parts',
    title: 'Parts of the mean',
    note: 'Queueing at the source, network, and serialization between first and last flit.',
    tools: el('div', { class: 'tools' }, tools),
    height,
    items: names.length,
    option: (w) => barsOption(names, ['queueing', 'network', 'serialization'], true, w, shares),
  });
}

function latency() {
  const all = new Map([...bins()].filter(([, list]) => list.length > 0));
  const services = table('services');
  const names = services ? valuesOf(services, 'service') : [];
  const usable = services && hasValues(valuesOf(services, 'latency_mean'));
  const heatMap = pairs();
  if (all.size === 0 && !usable && !heatMap) return;
  const s = section('latency', 'Latency');
  const grid = el('div', { class: 'pair' });
  s.append(grid);
  if (all.size > 0) {
    const count = [...all.values()].flat().length;
    // Latency under the pointer: the library tells that of the nearest edge of a bin, which two bins share.
    let x = null;
    const pointer = () => (x === null ? null : histogram.instance.convertFromPixel({ xAxisIndex: 0 }, x));
    const histogram = addChart(grid, {
      id: 'histogram',
      title: 'Distribution',
      note: 'From the generation of a message to its last flit; a bin is a sixteenth of a power of two.',
      height: 320,
      items: count,
      option: (w) => histogramOption(all, w, pointer),
    });
    const follow = (e) => (x = e.clientX - histogram.box.getBoundingClientRect().left);
    histogram.box.addEventListener('mousemove', follow, { capture: true });
    histogram.box.addEventListener('keydown', () => (x = null), { capture: true });
    addChart(grid, {
      id: 'cumulative',
      title: 'Cumulative',
      note: 'Share of the messages that arrived within a latency.',
      height: 320,
      items: count,
      option: (w) => cumulativeOption(all, w),
    });
  }
  if (usable) {
    const height = Math.max(190, 110 + names.length * 30);
    partsChart(grid, names, height);
    const kept = PERCENTILES.filter((k) => hasValues(valuesOf(services, k)));
    addChart(grid, {
      id: 'percentiles',
      title: 'Percentiles',
      note: 'Latency that this share of the messages did not exceed, by nearest rank.',
      height: Math.max(height, 120 + names.length * kept.length * 11),
      items: names.length,
      option: (w) => barsOption(names, kept, false, w),
    });
  }
  const hops = table('hops');
  if (hops && hops.rows.length > 0) {
    addChart(grid, {
      id: 'hops',
      title: 'By hops',
      note: 'Mean and largest latency by the number of links between switches on the route.',
      height: 320,
      items: hops.rows.length,
      option: (w) => hopsOption(hops, w),
    });
  }
  if (heatMap) programChart(grid, heatMap, 'pairs');
}
