// Charts: where they stand, how they follow the page, and the drawing of charts that the program describes (lines with
// bands, steps, bars, boxes over time, heat maps).

const charts = [];

// A chart in a figure. `option()` is asked again when the page turns dark or light; `items`: what it must not be
// without, for the check of the page.
function addChart(parent, { id, title, note, hint, height, option, items, marks, tools, ready }) {
  const box = el('div', { class: 'chart', id, style: `height:${height}px` });
  const caption = el(
    'figcaption',
    {},
    el('h3', {}, title),
    note ? el('p', { class: 'soft' }, note, hint ? el('span', { class: 'screen' }, ' ' + hint) : null) : null,
    tools ?? null,
  );
  parent.append(el('figure', {}, caption, box));
  const chart = { id, title, box, height, option, items, marks, ready, instance: null };
  charts.push(chart);
  return chart;
}

// On paper a chart is drawn lower, so that few pages hold all of them, and as SVG, which is sharp at any size; with very
// many marks as one image of twice the resolution, for of canvases in layers only one is printed.
const MOST_SVG_MARKS = 4000;

function draw(chart) {
  chart.instance?.dispose();
  const asSvg = isPrinting() && (chart.marks ?? chart.items) <= MOST_SVG_MARKS;
  chart.box.style.height = `${isPrinting() ? Math.min(chart.height, Math.max(230, 0.62 * chart.height)) : chart.height}px`;
  chart.instance = echarts.init(chart.box, null, { renderer: asSvg ? 'svg' : 'canvas' });
  const option = chart.option(chart.box.clientWidth, chart.box.clientHeight);
  chart.instance.setOption({
    animation: false,
    progressive: 0, // all at once: what is still to be painted when a chart is drawn anew would fail
    backgroundColor: 'transparent',
    color: palette(),
    textStyle: { color: color('ink'), fontFamily: getComputedStyle(document.body).fontFamily },
    aria: { enabled: true, label: { description: chart.title } },
    ...option,
  });
  chart.ready?.(chart.instance);
  if (isPrinting() && !asSvg) {
    const image = chart.instance.renderToCanvas({ pixelRatio: 2, backgroundColor: color('ground') });
    image.style.width = '100%';
    chart.box.replaceChildren(image);
  }
}

// The same chart with other data.
function redraw(chart) {
  const option = chart.option(chart.box.clientWidth, chart.box.clientHeight);
  chart.instance.setOption({ animation: false, visualMap: [], ...option }, { replaceMerge: ['visualMap'] });
}

function drawAll() {
  for (const chart of charts) draw(chart);
}

let resizing = 0;
window.addEventListener('resize', () => {
  if (isPrinting()) return;
  clearTimeout(resizing);
  resizing = setTimeout(drawAll, 150);
});

// ---- Parts that charts share

function tooltip(formatter, more = {}) {
  return {
    confine: true,
    backgroundColor: color('panel'),
    borderColor: color('line'),
    textStyle: { color: color('ink'), fontSize: 12 },
    formatter,
    ...more,
  };
}

// Lines that a legend of these names takes in a chart of that width, as the library fills them.
function legendLines(names, width) {
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const own = 18 + 5 + echarts.format.getTextRect(String(name), '12px sans-serif').width + 10;
    if (used > 0 && used + own > width - 24) {
      ++lines;
      used = 0;
    }
    used += own;
  }
  return lines;
}

const MOST_LEGEND_LINES = 4;
const legendScrolls = (names, width) => !isPrinting() && legendLines(names, width) > MOST_LEGEND_LINES;

// Height above the grid of a chart with this legend.
function legendSpace(names, width) {
  if (names.length === 0) return 12;
  return 14 + 20 * (legendScrolls(names, width) ? 1 : legendLines(names, width));
}

// Names in lines; more than a few lines of them are one that scrolls.
function legend(names, width) {
  return {
    type: legendScrolls(names, width) ? 'scroll' : 'plain',
    data: names,
    show: names.length > 0,
    top: 0,
    left: 0,
    right: 8,
    itemGap: 10,
    textStyle: { color: color('ink') },
    pageTextStyle: { color: color('ink') },
    pageIconColor: color('accent'),
    itemWidth: 18,
    itemHeight: 12,
  };
}

const CHAR = 6.6; // width of a character of an axis, about

// Times and sizes have their units at the ticks, whichever suits them.
function axis(spec, more = {}) {
  const times = SCALES[spec.unit] !== undefined && !spec.categories;
  const tick = {
    color: color('soft'),
    hideOverlap: true,
    ...(!spec.categories && { formatter: times ? (v) => scaled(v, spec.unit).join(' ') : number }),
  };
  return {
    name: spec.label === undefined ? undefined : times ? spec.label : heading(spec.label, spec.unit),
    nameLocation: 'middle',
    nameGap: 28,
    nameTextStyle: { color: color('soft') },
    axisLabel: tick,
    axisLine: { lineStyle: { color: color('soft') } },
    axisTick: { lineStyle: { color: color('line') } },
    splitLine: { lineStyle: { color: color('line') } },
    ...(spec.categories ? { type: 'category', data: spec.categories } : { type: spec.log ? 'log' : 'value' }),
    ...(spec.min !== undefined && { min: spec.min }),
    ...(spec.max !== undefined && { max: spec.max }),
    ...more,
  };
}

// Without the odd numbers at both ends.
const endless = (a) => ({ ...a, axisLabel: { ...a.axisLabel, showMinLabel: false, showMaxLabel: false } });

const widest = (texts) => Math.min(26, Math.max(3, ...texts.map((t) => String(t).length)));
const labelSpace = (spec) => (spec.categories ? widest(spec.categories) * CHAR + 14 : 58);
const shortLabel = (text) => (text.length > 26 ? text.slice(0, 25) + '…' : text);

function visualMap(min, max, label, more = {}) {
  const room = root.clientWidth < 600 ? 22 : 60;
  const shown = label.length > room ? label.slice(0, room - 1) + '…' : label;
  return {
    type: 'continuous',
    min,
    max,
    calculable: false,
    orient: 'horizontal',
    left: 'center',
    bottom: 0,
    itemHeight: 110,
    itemWidth: 12,
    text: [`${number(max)}`, `${shown}  ${number(min)}`],
    precision: 2,
    textStyle: { color: color('soft') },
    inRange: { color: heat() },
    ...more,
  };
}

// Zoom by a bar below the chart and, with Ctrl, by the wheel.
const zoom = (axisOption) => (isPrinting() ? [] : zoomers(axisOption));
const zoomers = (axisOption) => [
  { type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, moveOnMouseWheel: false, ...axisOption },
  {
    type: 'slider',
    height: 16,
    bottom: 6,
    showDetail: false,
    showDataShadow: false,
    borderColor: color('line'),
    ...axisOption,
  },
];

// Text in a coloured box: dark or light, whichever can be read.
function boxText(text, fill, place) {
  return {
    type: 'text',
    silent: true,
    style: {
      text,
      verticalAlign: 'middle',
      fontSize: 11,
      fill: echarts.color.lum(fill, 0) > 0.55 ? '#10151b' : '#ffffff',
      ...place,
    },
  };
}

// Pixels from the left and right edge of a box that is `begin`..`end` on the horizontal axis, kept within the grid.
function boxShape(params, api, begin, end, row, from, to) {
  const left = api.coord([begin, row]);
  const right = api.coord([end, row]);
  const height = api.size([0, 1])[1] * 0.76;
  const shape = {
    x: left[0],
    y: left[1] - height / 2 + from * height,
    width: Math.max(1, right[0] - left[0]),
    height: (to - from) * height,
  };
  return echarts.graphic.clipRectByRect(shape, params.coordSys);
}

// ---- Charts of the program

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

// Round values of an axis with logarithmic scale, no more than there is room for.
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const steps = decades < 1.2 ? [1, 1.5, 2, 3, 5, 7] : decades < 2.5 ? [1, 2, 5] : decades < 4 ? [1, 3] : [1];
  const out = [];
  for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); ++k) {
    for (const step of steps) {
      const v = Number((step * 10 ** k).toPrecision(3));
      if (v >= low && v <= high) out.push(v);
    }
  }
  return out;
}

// The horizontal axis ends where the lines do; ends that are no round numbers have no label.
function linesAxis(c) {
  if (c.x.categories) return axis(c.x);
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
  const [low, high] = [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))];
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
    grid: { left: 64, right: 18, top: legendSpace(names, width), bottom: 46 },
    xAxis: linesAxis(c),
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
  const left = labelSpace(c.y) + (c.y.label ? 26 : 8);
  const names = (c.x.categories ?? []).map(String);
  const slanted = widest(names) * CHAR > ((width - left - 18) / Math.max(1, names.length)) && widest(names) > 4;
  const space = slanted ? widest(names) * CHAR * 0.6 : 0;
  const across = axis(c.x, { splitLine: { show: false }, nameGap: 28 + space });
  if (slanted) across.axisLabel = { ...across.axisLabel, rotate: 35, formatter: shortLabel };
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
          show: cells.length <= 400 && (width - 120) / (map.rows[0]?.length || 1) >= 34,
          formatter: (p) => number(Number(p.value[2].toPrecision(3))),
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
