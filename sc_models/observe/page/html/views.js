// The first screen: what was run, notes, tiles with the answer; and the figures, the configuration and the pictures.

function sentence() {
  const parts = [];
  const points = valueOf('sweep', 'points');
  const topology = valueOf('network', 'topology') ?? (points ? null : data.network?.title);
  const nodes = valueOf('network', 'nodes');
  const rate = figure('network', 'link_rate');
  if (topology) {
    const network = [words(String(topology))];
    if (nodes) network.push(plural(nodes, 'node'));
    if (rate) network.push(`links of ${withUnit(rate.value, rate.unit)}`);
    parts.push(network.join(', '));
  }
  const routing = valueOf('network', 'routing');
  if (routing) parts.push(`${words(routing)} routing`);
  if (report.implementation && report.implementation !== 'model') parts.push(report.implementation);
  if (points) parts.push(`${plural(points, 'point')}, ${plural(valueOf('sweep', 'seeds') ?? 1, 'seed')}`);
  const [window, before] = [figure('run', 'window'), figure('run', 'warm_up')];
  if (window) {
    const after = before && before.value > 0 ? ` after a warm-up of ${scaled(before.value, before.unit).join(' ')}` : '';
    parts.push(`measured for ${scaled(window.value, window.unit).join(' ')}${after}`);
  }
  return parts.length === 0 ? '' : sentenceCase(parts.join('; ')) + '.';
}

function origin() {
  const parts = [];
  if (report.config) parts.push(report.config);
  if (report.seed !== undefined) parts.push(`seed ${report.seed}`);
  parts.push(`weft ${report.weft}`);
  return parts.join(' · ');
}

// ---- Tiles: which figures are the answer

function more(section, ...pairs) {
  const out = [];
  for (const [before, key, after] of pairs) {
    const f = figure(section, key);
    if (f) out.push(`${before}${scaled(f.value, f.unit).join(' ').trim()}${after ?? ''}`);
  }
  return out.join(', ');
}

// Keys are lower case; abbreviations are not.
const ABBREVIATIONS = { alms: 'ALMs', fpga: 'FPGA', ib: 'IB', mtu: 'MTU', nics: 'NICs', optweb: 'OPTWEB', sl: 'SL' };
const tileName = (key) =>
  sentenceCase(
    words(key)
      .split(' ')
      .map((w) => ABBREVIATIONS[w] ?? w)
      .join(' '),
  );

function answers() {
  const out = [];
  const add = (section, key, name, rest = {}) => {
    if (figure(section, key)) out.push({ section, key, name, ...rest });
  };
  const saturated = valueOf('run', 'saturated_levels');
  if (!figure('run', 'window'))
    add('run', 'time', 'Completion time', { more: more('run', ['computing ', 'computing']) });
  add('run', 'accepted', 'Accepted load', { more: more('run', ['', 'accepted_rate'], ['offered ', 'offered']) });
  add('run', 'latency_mean', 'Mean latency', { more: more('run', ['± ', 'half_width'], ['median ', 'latency_p50']) });
  add('run', 'latency_p99', 'p99 latency', { more: more('run', ['max ', 'latency_max']) });
  add('run', 'saturated_levels', 'Saturated', { bad: saturated !== 'none' });
  add('run', 'transit_max', 'Largest transit', { more: more('run', ['predicted ', 'predicted_transit_max']) });
  add('slots', 'slots_used', 'Slots used', {
    more: more('slots', ['minimum ', 'minimum_slots'], ['of ', 'frame_slots', ' per frame']),
  });
  for (const section of Object.keys(report.figures)) {
    add(section, 'mean_wait', `Mean wait, ${section}`, {
      more: more(section, ['makespan ', 'makespan'], ['longest wait ', 'max_wait']),
    });
  }
  add('setup', 'max_setup_time', 'Longest set-up', {
    more: more('setup', ['', 'circuits', ' circuits'], ['', 'refused', ' refused']),
  });
  add('setup', 'max_dark_time', 'Longest dark time');
  // Of a sweep, the range of each metric, with the points of its ends.
  const at = (key) => figure('metrics', key).definition.replace(/^.*, at /, 'at ');
  for (const key of Object.keys(report.figures.metrics ?? {})) {
    if (!key.endsWith('_lowest')) continue;
    const metric = key.slice(0, -'_lowest'.length);
    add('metrics', key, `Lowest ${words(metric)}`, { more: at(key) });
    add('metrics', `${metric}_highest`, `Highest ${words(metric)}`, { more: at(`${metric}_highest`) });
  }
  add('sweep', 'runs_saturated', 'Saturated runs', {
    bad: valueOf('sweep', 'runs_saturated') > 0,
    more: more('sweep', ['of ', 'runs_done']),
  });
  if (out.length >= 3) return out.slice(0, 8);
  const known = new Set(out.map((a) => a.section + '.' + a.key));
  for (const [section, key] of data.summary.keys) {
    if (!known.has(section + '.' + key) && figure(section, key))
      out.push({ section, key, name: tileName(key) });
  }
  return out.slice(0, 8);
}

function tiles() {
  return el(
    'div',
    { class: 'tiles' },
    ...answers().map((a) => {
      const f = figure(a.section, a.key);
      const [text, unit] = scaled(f.value, f.unit);
      return el(
        'div',
        {
          class: 'tile' + (a.bad ? ' bad' : ''),
          title: f.definition,
          'data-section': a.section,
          'data-key': a.key,
          'data-value': f.value,
        },
        el('div', { class: 'name' }, a.name),
        el('div', { class: 'value' + (typeof f.value === 'number' ? '' : ' text') }, text, ' ', el('small', {}, unit)),
        a.more ? el('div', { class: 'more' }, a.more) : null,
      );
    }),
  );
}

function firstScreen() {
  const main = document.getElementById('main');
  const top = el('section', { id: 'result' });
  contents.push(['result', 'Result']);
  top.append(el('p', { class: 'what' }, sentence()), el('p', { class: 'soft' }, origin()));
  if (!report.complete) top.append(el('p', { class: 'note bad' }, `Partial: ${report.incomplete_because}.`));
  const shown = report.notes.slice(0, 6);
  for (const note of shown) top.append(el('p', { class: 'note' + (note.startsWith('saturated') ? ' bad' : '') }, note));
  if (report.notes.length > shown.length) {
    top.append(
      el(
        'details',
        {},
        el('summary', {}, `${report.notes.length - shown.length} more notes`),
        ...report.notes.slice(shown.length).map((n) => el('p', { class: 'note' }, n)),
      ),
    );
  }
  top.append(tiles());
  main.append(top);
  return top;
}

// ---- Charts and pictures of the program

function programCharts() {
  const all = data.charts ?? [];
  const pictures = data.pictures ?? [];
  if (all.length + pictures.length === 0) return;
  const s = section('charts', 'Charts');
  const grid = el('div', { class: 'pair' });
  s.append(grid);
  // Charts of one title differ in what they show.
  const titled = all.map((c) => {
    const shared = all.filter((d) => d.title === c.title).length > 1;
    return shared && c.y.label ? { ...c, title: `${sentenceCase(c.y.label)}: ${c.title}` } : c;
  });
  titled.filter((c) => !c.boxes).forEach((c, i) => programChart(grid, c, i));
  titled.filter((c) => c.boxes).forEach((c, i) => programChart(s, c, 'wide' + i));
  for (const p of pictures) {
    if (p.svg === '') {
      s.append(el('p', { class: 'soft' }, `${p.meaning}: ${p.name}, beside this page`));
      continue;
    }
    const source = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(p.svg);
    s.append(
      el(
        'figure',
        {},
        el('figcaption', {}, el('h3', {}, sentenceCase(p.meaning)), el('p', { class: 'soft' }, p.name)),
        el('img', { class: 'picture', src: source, alt: p.meaning }),
      ),
    );
  }
}

// ---- Everything else

function figures() {
  const sections = Object.entries(report.figures).filter(([, s]) => Object.keys(s).length > 0);
  if (sections.length === 0) return;
  const s = section('figures', 'All figures');
  for (const [key, list] of sections) {
    const rows = Object.entries(list).map(([name, f]) =>
      el(
        'tr',
        {},
        el('td', { class: 't' }, words(name)),
        el('td', { 'data-figure': `${key}.${name}`, 'data-value': f.value }, number(f.value)),
        el('td', { class: 't' }, f.unit === '1' ? '' : f.unit),
        el('td', { class: 'm' }, f.definition),
      ),
    );
    s.append(
      el(
        'details',
        {},
        el(
          'summary',
          {},
          data.summary.titles[key] ?? words(key),
          ' ',
          el('span', { class: 'soft' }, plural(rows.length, 'figure')),
        ),
        el('div', { class: 'scroll' }, el('table', {}, el('tbody', {}, ...rows))),
      ),
    );
  }
}

function tables() {
  const all = Object.entries(report.tables);
  if (all.length === 0) return;
  const s = section('tables', 'Tables');
  const open = new Set(['services', 'circuits', 'operations', 'summary', 'flows', 'figures']);
  const first = all.some(([key]) => open.has(key)) ? null : all[0][0];
  for (const [key, t] of all) s.append(foldedTable(key, t, (open.has(key) || key === first) && t.rows.length > 0));
}

// Every value in force as a line of a table, with its origin where the report has it. Origins are a tree of the shape of
// the values; one that stands for a whole section is that of all its values.
function configurationRows(values, origins, path, out) {
  const isTree = values !== null && typeof values === 'object' && Object.keys(values).length > 0;
  if (!isTree) {
    const text = typeof values === 'string' ? values : JSON.stringify(values);
    out.push([path, text, typeof origins === 'string' ? origins : null]);
    return out;
  }
  for (const [key, value] of Object.entries(values)) {
    const step = Array.isArray(values) ? `[${key}]` : (path ? '.' : '') + key;
    const origin = origins !== null && typeof origins === 'object' ? origins[key] : origins;
    configurationRows(value, origin, path + step, out);
  }
  return out;
}

function configuration() {
  const all = report.configuration;
  if (all === undefined || all === null) return;
  const rows =
    typeof all === 'object' && all.values
      ? configurationRows(all.values, all.origins, '', [])
      : configurationRows(all, undefined, '', []);
  const s = section('configuration', 'Configuration');
  s.append(
    foldedTable(
      'configuration',
      {
        title: 'Values in force',
        meaning:
          'Every key with its value, and where it comes from: a line of a file, the command line, or the default.',
        columns: ['key', 'value', 'origin'].map((key) => ({ key, unit: '', definition: '' })),
        rows,
        rows_in_all: rows.length,
      },
      false,
    ),
  );
}
