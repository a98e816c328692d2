// Charts that the program describes: lines with bands, steps, bars, boxes over time, heat maps.

function bandSeries(name, points, index) {
  const shown = points.filter((p) => p[1] !== null);
  const least = shown.some((p) => p[1] < 0) ? -Infinity : 0; // the half of a band below zero says nothing
  const band = shown.map(([x, y, e]) => [x, Math.max(least, y - e), y + e]);
  return {
    name,
    type: 'custom',
    silent: true,
    clip: true,
    z: 1,
    encode: { x: 0, y: [1, 2] },
    tooltip: { show: false },
    itemStyle: { color: colorOf(index) },
    data: band,
    renderItem: (params, api) => {
      if (params.dataIndex !== 0) return null;
      const up = band.map(([x, , high]) => api.coord([x, high]));
      const back = band.map(([x, low]) => api.coord([x, Math.max(low, 1e-12)])).reverse();
      return {
        type: 'polygon',
        shape: { points: [...up, ...back].filter((p) => p.every(Number.isFinite)) },
        style: { fill: colorOf(index), opacity: 0.2 },
      };
    },
  };
}

const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin', 'arrow'];

// The horizontal axis ends where the lines do; ends that are no round numbers have no label.
function linesAxis(c, space) {
  if (c.x.categories) return slanted(axis(c.x), space);
  const values = c.series.flatMap((s) => s.points.map((p) => p[0]));
  const isRound = (v) => Number(v.toPrecision(1)) === v;
  const a = axis(c.x, { min: c.x.min ?? (c.x.log ? undefined : 'dataMin'), max: c.x.max ?? 'dataMax' });
  const [first, last] = [c.x.min ?? Math.min(...values), c.x.max ?? Math.max(...values)];
  if (!c.x.log && !isRound(first)) a.axisLabel.showMinLabel = false;
  if (!isRound(last)) a.axisLabel.showMaxLabel = false;
  return a;
}

// The vertical axis; a logarithmic one over less than two decades has more marks than its powers of ten.
function linesHeight(c) {
  const a = axis(c.y, { nameGap: 46 });
  const values = c.series.flatMap((s) => s.points.map((p) => p[1])).filter((v) => v > 0);
  if (!c.y.log || values.length === 0) return a;
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  if (high / low > 100) return a;
  const ticks = { customValues: logTicks(low, high) };
  return { ...a, axisLabel: { ...a.axisLabel, ...ticks }, axisTick: { ...a.axisTick, ...ticks } };
}

function linesOption(c, width) {
  const series = [];
  c.series.forEach((s, i) => {
    const own = { color: colorOf(i) };
    if (s.style === 'bars') {
      series.push({ name: s.name, type: 'bar', data: s.points.map((p) => [p[0], p[1]]), itemStyle: own });
      return;
    }
    const few = s.points.length <= 60;
    series.push({
      name: s.name,
      type: 'line',
      data: s.points.map((p) => [p[0], p[1]]),
      step: s.style === 'steps' ? 'end' : false,
      showSymbol: s.markers !== false && few,
      symbol: SYMBOLS[i % SYMBOLS.length],
      symbolSize: 7,
      z: 3,
      itemStyle: own,
      sampling: few || s.style === 'steps' ? undefined : 'lttb',
      lineStyle: { width: 2, type: s.dashed ? 'dashed' : 'solid', ...own },
    });
    // After its line, whose symbol stands in the legend.
    if (s.points.some((p) => p[2] > 0)) series.push(bandSeries(s.name, s.points, i));
    const marked = s.points.filter((p) => p[3] && p[1] !== null);
    if (marked.length > 0) {
      series.push({
        name: c.mark || 'marked',
        type: 'scatter',
        data: marked.map((p) => [p[0], p[1]]),
        symbol: 'emptyCircle',
        symbolSize: 15,
        z: 4,
        itemStyle: { color: color('ink'), borderWidth: 1.5 },
        silent: true,
        tooltip: { show: false },
      });
    }
  });
  const all = distinct(
    c.series.map((s) => s.name).concat(series.some((s) => s.type === 'scatter') ? [c.mark || 'marked'] : []),
  );
  const space = slantSpace(c.x, width - 82);
  const names = all.length > 1 || all[0] !== '' ? all : [];
  const text = (items) => {
    const shown = items.filter((p) => p.seriesType === 'line' || p.seriesType === 'bar');
    if (shown.length === 0) return '';
    const at = c.x.categories ? c.x.categories[shown[0].value[0]] : number(shown[0].value[0]);
    const lines = shown.map((p) => {
      const point = c.series.find((s) => s.name === p.seriesName)?.points.find((q) => q[0] === p.value[0]);
      const error = point && point[2] > 0 ? ` ± ${number(point[2])}` : '';
      return `${p.marker}${escapeHtml(p.seriesName)}: <b>${number(p.value[1])}</b>${error}${point && point[3] ? ' – ' + escapeHtml(c.mark) : ''}`;
    });
    return [`${escapeHtml(heading(c.x.label, c.x.unit))}: ${escapeHtml(at)}`, ...lines].join('<br>');
  };
  return {
    legend: legend(names, width),
    grid: { left: 64, right: 18, top: legendSpace(names, width), bottom: 46 + space },
    xAxis: linesAxis(c, space),
    yAxis: linesHeight(c),
    tooltip: tooltip(text, { trigger: 'axis' }),
    series,
  };
}

function boxesOption(c, width) {
  const groups = Math.max(1, ...c.boxes.map((b) => b[4] + 1));
  const series = [];
  const rows = new Array(groups).fill().map(() => []);
  c.boxes.forEach((b) => rows[b[4]].push({ value: [b[1], b[2], b[0]], name: b[3], half: b[5] }));
  for (let g = 0; g < groups; ++g) {
    series.push({
      name: c.groups[g] ?? `group ${g}`,
      type: 'custom',
      data: rows[g],
      encode: { x: [0, 1], y: 2 },
      itemStyle: { color: colorOf(g) },
      renderItem: (params, api) => {
        const box = rows[g][params.dataIndex];
        const [from, to] = { full: [0, 1], upper: [0, 0.48], lower: [0.52, 1] }[box.half];
        const shape = boxShape(params, api, api.value(0), api.value(1), api.value(2), from, to);
        if (!shape) return null;
        const rect = { type: 'rect', shape, style: { fill: colorOf(g) } };
        if (!box.name || box.name.length * CHAR > shape.width - 4 || shape.height < 11) return rect;
        return {
          type: 'group',
          children: [rect, boxText(box.name, colorOf(g), { x: shape.x + 3, y: shape.y + shape.height / 2 })],
        };
      },
    });
  }
  return {
    legend: legend(c.groups, width),
    grid: { left: labelSpace(c.y) + 14, right: 18, top: legendSpace(c.groups, width), bottom: isPrinting() ? 44 : 66 },
    xAxis: endless(axis(c.x, { min: c.x.min ?? 'dataMin', max: c.x.max ?? 'dataMax' })),
    yAxis: axis(c.y, {
      inverse: true,
      nameGap: labelSpace(c.y),
      axisLabel: { color: color('soft'), hideOverlap: true, formatter: shortLabel },
    }),
    dataZoom: zoom({ xAxisIndex: 0, filterMode: 'none' }),
    tooltip: tooltip(
      (p) =>
        `${p.marker}${escapeHtml(p.seriesName)}${p.name && p.name !== p.seriesName ? ' – ' + escapeHtml(p.name) : ''}<br>` +
        `${escapeHtml(c.y.categories?.[p.value[2]] ?? p.value[2])}<br>from <b>${withUnit(p.value[0], c.x.unit)}</b> to <b>${withUnit(p.value[1], c.x.unit)}</b>`,
    ),
    series,
  };
}

function heatMapOption(c, width) {
  const map = c.heat_map;
  const cells = [];
  map.rows.forEach((row, y) =>
    row.forEach((v, x) => {
      if (v !== null) cells.push([x, y, v]);
    }),
  );
  const values = cells.map((p) => p[2]);
  const min = map.min ?? Math.min(...values);
  const max = map.max ?? Math.max(...values);
  const shown = (v) => number(Number(v.toPrecision(3)));
  const left = labelSpace(c.y) + (c.y.label ? 26 : 8);
  const space = slantSpace(c.x, width - left - 18);
  const across = slanted(axis(c.x, { splitLine: { show: false } }), space);
  return {
    grid: { left, right: 18, top: 12, bottom: 84 + space },
    xAxis: across,
    yAxis: axis(c.y, {
      splitLine: { show: false },
      nameGap: labelSpace(c.y) + 4,
      axisLabel: { color: color('soft'), hideOverlap: true, formatter: shortLabel },
    }),
    visualMap: visualMap(min, max > min ? max : min + 1, heading(map.label, map.unit)),
    tooltip: tooltip(
      (p) =>
        `${escapeHtml(heading(c.x.label, c.x.unit))}: ${escapeHtml(c.x.categories?.[p.value[0]] ?? p.value[0])}<br>` +
        `${escapeHtml(heading(c.y.label, c.y.unit))}: ${escapeHtml(c.y.categories?.[p.value[1]] ?? p.value[1])}<br><b>${withUnit(p.value[2], map.unit)}</b>`,
    ),
    series: [
      {
        type: 'heatmap',
        data: cells,
        label: {
          show: cells.length <= 400 && widest(values.map(shown)) * CHAR < (width - left - 18) / (map.rows[0]?.length || 1),
          formatter: (p) => shown(p.value[2]),
          fontSize: 11,
        },
        emphasis: { itemStyle: { borderColor: color('ink'), borderWidth: 1 } },
      },
    ],
  };
}

// What a chart shows, as a sentence; nothing that its title says already.
function chartNote(c) {
  const meaning = (c.meaning ?? '').replace(/\.$/, '');
  if (meaning === '' || (c.title ?? '').toLowerCase().startsWith(meaning.toLowerCase())) return '';
  return sentenceCase(meaning) + '.';
}

function programChart(parent, c, index) {
  const kind = c.heat_map ? heatMapOption : c.boxes ? boxesOption : c.series ? linesOption : null;
  if (!kind) return;
  const rows = c.boxes || c.heat_map ? (c.y.categories?.length ?? c.heat_map?.rows.length ?? 10) : 0;
  const items = c.heat_map
    ? c.heat_map.rows.flat().filter((v) => v !== null).length
    : c.boxes
      ? c.boxes.length
      : c.series.reduce((n, s) => n + s.points.filter((p) => p[1] !== null).length, 0);
  const cut =
    c.boxes && c.boxes.length < c.boxes_in_all
      ? ` The longest ${number(c.boxes.length)} of ${number(c.boxes_in_all)} are shown.`
      : '';
  addChart(parent, {
    id: `chart-${c.name || index}`,
    title: c.title || words(c.name),
    note: chartNote(c) + cut,
    items,
    height: rows ? Math.min(640, Math.max(240, (c.heat_map ? 150 : 110) + rows * (c.heat_map ? 26 : 22))) : 360,
    option: (w) => kind(c, w),
  });
}
