// Circuits of FiC: the frame of a switch, predicted and measured transit, set-ups over time. And instructions of
// programs over time.

const MOST_BOXES = 4000;
const MOST_CIRCUITS = 32;

function frameOption(frame, sw) {
  const ports = frame.ports[sw];
  const slots = [...Array(frame.slots).keys()].map(String);
  const cells = [];
  for (let i = 0; i < frame.entries.length; i += 4) {
    const [s, port, slot, flow] = frame.entries.slice(i, i + 4);
    if (s === sw) cells.push([slot, port, flow]);
  }
  const fill = (flow) => colorOf(flow);
  return {
    grid: { left: labelSpace({ categories: ports }), right: 18, top: 12, bottom: 46 },
    xAxis: axis({ label: 'slot of the frame', categories: slots }, { splitArea: { show: false } }),
    yAxis: axis({ categories: ports }, { inverse: true, axisLabel: { color: color('soft'), formatter: shortLabel } }),
    tooltip: tooltip(
      (p) =>
        `<b>${escapeHtml(frame.flows[p.value[2]])}</b><br>leaves at port ${escapeHtml(ports[p.value[1]])}<br>in slot ${p.value[0]}`,
    ),
    series: [
      {
        type: 'custom',
        data: cells,
        encode: { x: 0, y: 1 },
        renderItem: (params, api) => {
          const flow = api.value(2);
          const [x, y] = api.coord([api.value(0), api.value(1)]);
          const [w, h] = api.size([1, 1]);
          const name = frame.flows[flow];
          const rect = {
            type: 'rect',
            shape: { x: x - w / 2 + 1, y: y - h / 2 + 1, width: w - 2, height: h - 2, r: 3 },
            style: { fill: fill(flow) },
          };
          const shown = name.length * CHAR > w - 6 ? name.slice(0, Math.max(0, Math.floor((w - 8) / CHAR))) : name;
          if (shown === '') return rect;
          return { type: 'group', children: [rect, boxText(shown, fill(flow), { x, y, align: 'center' })] };
        },
      },
    ],
  };
}

function frames(s) {
  const all = (data.frames ?? []).filter((f) => f.entries.length > 0);
  if (all.length === 0) return;
  let frame = all[0];
  // The switch with most to show comes first.
  const busiest = (f) => {
    const used = new Array(f.ports.length).fill(0);
    for (let i = 0; i < f.entries.length; i += 4) ++used[f.entries[i]];
    return used.indexOf(Math.max(...used));
  };
  let sw = busiest(frame);
  let chart = null;
  const switches = choice(
    'Switch',
    frame.ports.map((_, i) => [i, `sw[${i}]`]),
    (v) => {
      sw = Number(v);
      draw(chart);
    },
  );
  switches.querySelector('select').value = sw;
  const tools = el('div', { class: 'tools' }, switches);
  if (all.length > 1) {
    tools.append(
      choice(
        'Phase',
        all.map((f, i) => [i, f.phase]),
        (v) => {
          frame = all[Number(v)];
          draw(chart);
        },
      ),
    );
  }
  const cut =
    frame.ports.length < frame.switches
      ? ` The first ${number(frame.ports.length)} of ${number(frame.switches)} switches; slot_tables.csv has all.`
      : '';
  chart = addChart(s, {
    id: 'frame',
    title: 'Frame of a switch',
    tools,
    items: frame.entries.length / 4,
    note: 'Which flow leaves at which output port in which slot; the frame repeats.' + cut,
    height: Math.min(620, 80 + Math.max(4, ...frame.ports.map((p) => p.length)) * 30),
    option: () => frameOption(frame, sw),
  });
}

// Predicted range of each circuit as a bar, what was measured as marks; `relative`: from the predicted minimum on.
function transitOption(t, rows, names, width, relative) {
  const [low, high, least, mean, most] = [
    'predicted_transit_min',
    'predicted_transit_max',
    'transit_min',
    'transit_mean',
    'transit_max',
  ].map((k) => columnOf(t, k));
  const from = (r) => (relative ? r[low] : 0);
  const measured = (column, symbol, name, index) => ({
    name,
    type: 'scatter',
    symbol,
    symbolSize: 9,
    z: 4,
    itemStyle: { color: colorOf(index) },
    data: rows.map((r, i) => [r[column] - from(r), i, r[column]]).filter((p) => p[2] !== null),
  });
  const series = [
    {
      name: 'predicted',
      type: 'custom',
      encode: { x: [0, 1], y: 2 },
      itemStyle: { color: color('bar') },
      data: rows.map((r, i) => [r[low] - from(r), r[high] - from(r), i, r[low], r[high]]),
      renderItem: (params, api) => {
        const shape = boxShape(params, api, api.value(0), api.value(1), api.value(2), 0.1, 0.9);
        return shape && { type: 'rect', shape, style: { fill: color('bar') } };
      },
    },
    measured(least, 'triangle', 'measured least', 2),
    measured(mean, 'circle', 'measured mean', 0),
    measured(most, 'diamond', 'measured largest', 5),
  ];
  return {
    legend: legend(series.map((s) => s.name), width),
    grid: {
      left: labelSpace({ categories: names }) + 8,
      right: 18,
      top: legendSpace(series.map((s) => s.name), width),
      bottom: isPrinting() ? 44 : 66,
    },
    xAxis: axis(
      { label: relative ? 'transit beyond the predicted minimum' : 'transit', unit: 'ns' },
      { scale: !relative },
    ),
    yAxis: axis(
      { categories: names },
      { inverse: true, axisLabel: { color: color('soft'), hideOverlap: true, formatter: shortLabel } },
    ),
    dataZoom: zoom({ xAxisIndex: 0, filterMode: 'none' }),
    tooltip: tooltip(
      (p) =>
        `${escapeHtml(names[p.seriesType === 'custom' ? p.value[2] : p.value[1]])}<br>${p.marker}${escapeHtml(p.seriesName)}: <b>` +
        (p.seriesType === 'custom'
          ? `${number(p.value[3])} to ${withUnit(p.value[4], 'ns')}`
          : withUnit(p.value[2], 'ns')) +
        '</b>',
    ),
    series,
  };
}

function transit(s) {
  const t = table('circuits');
  if (!t || columnOf(t, 'predicted_transit_max') < 0 || !hasValues(valuesOf(t, 'transit_max'))) return;
  const [flow, source, destination, bound, largest] = [
    'flow',
    'source',
    'destination',
    'predicted_transit_max',
    'transit_max',
  ].map((k) => columnOf(t, k));
  let rows = t.rows.filter((r) => r[bound] !== null && r[largest] !== null);
  const all = rows.length;
  if (all > MOST_CIRCUITS) {
    rows = [...rows].sort((a, b) => a[bound] - a[largest] - (b[bound] - b[largest])).slice(0, MOST_CIRCUITS);
  }
  const names = rows.map((r) => `${r[flow]} (${r[source]}→${r[destination]})`);
  const cut = rows.length < all ? ` Shown: the ${rows.length} of ${number(all)} that come closest to their bound.` : '';
  // Ranges are narrow beside the transits of long routes: by default all begin at the left.
  const bounds = rows.map((r) => [r[columnOf(t, 'predicted_transit_min')], r[bound]]);
  const whole = Math.max(...bounds.map((b) => b[1])) - Math.min(...bounds.map((b) => b[0]));
  let relative = Math.max(...bounds.map(([a, b]) => b - a)) < whole / 8;
  let chart = null;
  const select = choice(
    'Show',
    [
      ['', 'transit'],
      ['relative', 'beyond the predicted minimum'],
    ],
    (v) => {
      relative = v !== '';
      draw(chart);
    },
  );
  select.querySelector('select').value = relative ? 'relative' : '';
  chart = addChart(s, {
    id: 'transit',
    title: 'Transit: predicted and measured',
    tools: el('div', { class: 'tools' }, select),
    items: rows.length,
    height: 120 + rows.length * 18,
    note:
      "From the head of a circuit's queue to its last word; the slot tables promise the bar, every message is checked against it." +
      cut,
    option: (w) => transitOption(t, rows, names, w, relative),
  });
}

// Circuits that come and go: set-up and life of each, by flow.
function setups(s) {
  const t = table('circuits');
  if (!t || columnOf(t, 'requested') < 0 || columnOf(t, 'ended') < 0) return;
  const [flow, requested, first, ended, lost, setup] = [
    'flow',
    'requested',
    'to_first_word',
    'ended',
    'lost',
    'setup_time',
  ].map((k) => columnOf(t, k));
  const flows = distinct(valuesOf(t, 'flow'));
  const end = valueOf('run', 'time') ?? 0;
  const boxes = [];
  for (const r of t.rows.slice(0, MOST_BOXES)) {
    if (r[requested] === null) continue;
    const row = flows.indexOf(r[flow]);
    const word = r[first] === null ? null : r[requested] + r[first];
    const begun = word !== null && r[setup] !== null ? word - r[setup] : r[requested];
    const over = r[ended] ?? end;
    if (begun < r[requested]) boxes.push([row, begun, r[requested], '', 1, 'full']);
    boxes.push([row, r[requested], word ?? over, 'set-up', 0, 'full']);
    if (word !== null) boxes.push([row, word, over, '', r[lost] ? 3 : 2, 'full']);
  }
  if (boxes.length === 0) return;
  programChart(
    s,
    {
      name: 'setups',
      title: 'Circuits over time',
      meaning: 'Per flow: tries, set-up, and the circuit until it is taken down or a failure takes it.',
      x: { label: 'time', unit: 'ns' },
      y: { label: 'flow', categories: flows.map(String) },
      boxes,
      boxes_in_all: boxes.length,
      groups: ['set-up', 'tries refused', 'circuit', 'circuit lost to a failure'],
    },
    'setups',
  );
}

function circuits() {
  const s = el('section', { id: 'circuits' }, el('h2', {}, 'Circuits'));
  const before = charts.length;
  frames(s);
  transit(s);
  setups(s);
  if (charts.length === before) return;
  document.getElementById('main').append(s);
  contents.push(['circuits', 'Circuits']);
}
