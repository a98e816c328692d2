// Charts: where they stand, how they follow the page, and the parts that they share.

const charts = [];

// A chart in a figure. `option()` is asked again when the page turns dark or light; `items`: what it must not be
// without, for the check of the page.
// `firstValue`: series and index of the value at which work by keyboard begins, if it is not the first one.
function addChart(parent, { id, title, note, hint, height, option, items, marks, tools, ready, firstValue }) {
  const box = el('div', { class: 'chart', id, style: `height:${height}px` });
  const caption = el(
    'figcaption',
    {},
    el('h3', {}, title),
    note ? el('p', { class: 'soft' }, note, hint ? el('span', { class: 'screen' }, ' ' + hint) : null) : null,
    tools ?? null,
  );
  parent.append(el('figure', {}, caption, box));
  const chart = { id, title, box, height, option, items, marks, ready, firstValue, instance: null };
  charts.push(chart);
  new ChartKeys(chart);
  return chart;
}

// On paper a chart is drawn lower, so that few pages hold all of them, and as SVG, which is sharp at any size; with very
// many marks as one image of twice the resolution, for of canvases in layers only one is printed.
const MOST_SVG_MARKS = 4000;

// A painting that goes on in the next frames would fail there: it is given up, for which the library has no call.
function dispose(chart) {
  if (!chart.instance) return;
  chart.instance.getZr().painter._redrawId = null;
  chart.instance.dispose();
}

function draw(chart) {
  dispose(chart);
  const asSvg = isPrinting() && (chart.marks ?? chart.items) <= MOST_SVG_MARKS;
  const low = Math.min(chart.height, Math.max(230, 0.62 * chart.height));
  chart.box.style.height = `${isPrinting() ? low : chart.height}px`;
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

// Height that the names of a horizontal axis take beyond one line: where they are longer than their places, they slant.
function slantSpace(spec, width) {
  const names = (spec.categories ?? []).map(String);
  const long = widest(names) * CHAR > width / Math.max(1, names.length);
  return long && widest(names) > 4 ? widest(names) * CHAR * 0.6 : 0;
}

function slanted(a, space) {
  if (space === 0) return a;
  return { ...a, nameGap: 28 + space, axisLabel: { ...a.axisLabel, rotate: 35, formatter: shortLabel } };
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
