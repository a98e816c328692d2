'use strict';
// Data of the page, formats, elements, colours. The parts of the script share one scope, in this order: base, table,
// chart, keyboard, program_charts, views, profile, network, network_section, latency, circuits, main.

const data = JSON.parse(document.getElementById('data').textContent);
const report = data.report;

// Long tables come column by column.
for (const t of Object.values(report.tables)) {
  if (!t.packed) continue;
  const value = t.packed.map((c) => (c.values ? (r) => c.values[r] : c.at ? (r) => c.of[c.at[r]] : () => c.all));
  t.rows = Array.from({ length: t.length }, (_, r) => value.map((of) => of(r)));
}
const root = document.documentElement;

const errors = [];
window.addEventListener('error', (e) => {
  errors.push(e.message);
  root.dataset.errors = errors.join('; ');
});

// ---- Elements

function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

function escapeHtml(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}

const words = (key) => key.replace(/_/g, ' ');
const sentenceCase = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (n, one) => `${number(n)} ${one}${n === 1 ? '' : 's'}`;

// ---- Figures and tables of the report

function figure(section, key) {
  const s = report.figures[section];
  return s && s[key] && s[key].value !== null ? s[key] : undefined;
}

const valueOf = (section, key) => figure(section, key)?.value;

function table(key) {
  return report.tables[key];
}

const columnOf = (t, key) => t.columns.findIndex((c) => c.key === key);

// Values of a column; without the column null for each row.
function valuesOf(t, key) {
  const c = columnOf(t, key);
  return t.rows.map((r) => (c < 0 ? null : r[c]));
}

const hasValues = (values) => values.some((v) => v !== null);
const distinct = (values) => [...new Set(values)];

// ---- Formats: the numbers are those of the report; people read five digits.

function number(v) {
  if (typeof v !== 'number')
    return v === null || v === undefined ? '–' : v === true ? 'yes' : v === false ? 'no' : String(v);
  if (Number.isInteger(v)) return Math.abs(v) < 1e5 ? String(v) : v.toLocaleString('en-US').replace(/,/g, ' ');
  const size = Math.abs(v);
  if (size >= 1e5) return Math.round(v).toLocaleString('en-US').replace(/,/g, ' ');
  if (size >= 1e-3) return String(Number(v.toPrecision(size >= 1e4 ? 6 : 5)));
  return v.toExponential(3);
}

// Units in which times and sizes are read, the largest first.
const SCALES = {
  ns: [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'us'],
    [1, 'ns'],
  ],
  B: [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
    [1, 'B'],
  ],
};

// [text, unit] of a figure in large print: times and sizes in the unit that suits them.
function scaled(v, unit) {
  if (typeof v !== 'number') return [number(v), ''];
  if (SCALES[unit] && v !== 0) {
    const [scale, name] = SCALES[unit].find(([s]) => Math.abs(v) >= s) ?? SCALES[unit].at(-1);
    return [String(Number((v / scale).toPrecision(4))), name];
  }
  return [Number.isInteger(v) ? number(v) : number(Number(v.toPrecision(4))), unit === '1' ? '' : unit];
}

const withUnit = (v, unit) => `${number(v)}${unit && unit !== '1' && typeof v === 'number' ? ' ' + unit : ''}`;
const heading = (label, unit) => (unit && unit !== '1' ? `${label} (${unit})` : label);

// ---- Colours: of Okabe and Ito, which people with any colour vision can tell apart; scales that grow in lightness
// from one end to the other, dark ones on white and light ones on black.

const isDark = () => root.dataset.theme === 'dark';
const isPrinting = () => root.dataset.printing === 'true';
const color = (name) =>
  getComputedStyle(root)
    .getPropertyValue('--' + name)
    .trim();
const palette = () =>
  isDark()
    ? ['#56b4e9', '#e69f00', '#2fc197', '#e494c1', '#f0e442', '#ff8a45', '#b9a3e3', '#c3ccd6']
    : ['#0072b2', '#d98e00', '#009e73', '#c05f95', '#3aa0dd', '#d55e00', '#6f55a8', '#5c6670'];
const heat = () =>
  isDark()
    ? ['#33404d', '#2f6f9f', '#4fb0c6', '#f2c14e', '#fff2b8']
    : ['#cfd8e2', '#f2c14e', '#e8823a', '#c23b22', '#7a0c1e'];

// Less than elsewhere blue, more red, the same grey.
const differences = () =>
  isDark()
    ? ['#8cc4ea', '#3f8fc5', '#46505a', '#d55e00', '#ffc08a']
    : ['#063a5e', '#3f8fc5', '#cfd8e2', '#d55e00', '#7a2c00'];

// Flits in buffers: blue, to be told from the use of links.
const levelColors = () =>
  isDark()
    ? ['#2b343e', '#2c5b85', '#3f8fc5', '#8cc4ea', '#e4f3ff']
    : ['#f4f7fa', '#b9d8ee', '#64a6d6', '#0b639c', '#063a5e'];

// Colour at a part, 0 to 1, of a scale.
function scaleColor(scale, part) {
  const at = Math.min(1, Math.max(0, part)) * (scale.length - 1);
  const low = Math.min(scale.length - 2, Math.floor(at));
  const parts = [scale[low], scale[low + 1]].map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  const mixed = parts[0].map((v, i) => Math.round(v + (parts[1][i] - v) * (at - low)));
  return '#' + mixed.map((v) => v.toString(16).padStart(2, '0')).join('');
}

const readableOn = (fill) => (echarts.color.lum(fill, 0) > 0.45 ? '#10151b' : '#ffffff');

// More things than colours: the colours again, lighter, then darker.
const SHADES = [
  ['#000000', 0],
  ['#ffffff', 0.5],
  ['#000000', 0.4],
];

function colorOf(index) {
  const p = palette();
  const [to, part] = SHADES[Math.floor(index / p.length) % SHADES.length];
  return scaleColor([p[index % p.length], to], part);
}

// A bar behind a cell, as long as `percent` of it.
const barBehind = (percent) =>
  `linear-gradient(to right, var(--bar) ${percent.toFixed(1)}%, transparent ${percent.toFixed(1)}%)`;

// ---- Sections of the page and the bar of contents

const contents = [];

function section(id, title) {
  const s = el('section', { id }, el('h2', {}, title));
  document.getElementById('main').append(s);
  contents.push([id, title]);
  return s;
}

function choice(label, options, change) {
  const select = el(
    'select',
    { onchange: () => change(select.value) },
    ...options.map(([value, text]) => el('option', { value }, text)),
  );
  return el('label', {}, label + ' ', select);
}
