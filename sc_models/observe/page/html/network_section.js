// The section of the network: its picture with the time and the colours that are chosen, and a list of the busiest links
// in both.

const MOST_BUSIEST = 10;

// Names of links with their values, the busiest first; in a window those of the picture, which has the profile.
function busiestLinks(picture, links, column) {
  if (picture?.showsWindow) {
    const { profile, window } = picture;
    return profile.names
      .map((name, at) => [name, (100 * profile.flits[at][window]) / profile.capacity[window]])
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_BUSIEST);
  }
  const name = columnOf(links, 'link');
  const phase = columnOf(links, 'phase');
  const several = phase >= 0 && distinct(valuesOf(links, 'phase')).length > 1;
  const shown = picture?.phase ?? null;
  return links.rows
    .filter((r) => r[column] !== null && (shown === null || r[phase] === shown))
    .sort((a, b) => b[column] - a[column])
    .slice(0, MOST_BUSIEST)
    .map((r) => [r[name] + (several && shown === null ? ` (${r[phase]})` : ''), r[column]]);
}

// The list beside the picture; `fill` shows what the picture shows.
class BusiestList {
  constructor(links) {
    this.links = links;
    this.title = el('h3');
    this.body = el('tbody');
    this.box = el('div', {}, this.title, el('table', { id: 'hottest' }, this.body));
  }

  fill(picture, column) {
    const spec = picture?.showsWindow ? picture.coloured : this.links.columns[column];
    this.title.textContent = `Busiest links, ${heading(words(spec.key), spec.unit)}`;
    const rows = busiestLinks(picture, this.links, column);
    const most = rows.reduce((m, r) => Math.max(m, r[1]), 1e-12);
    this.body.replaceChildren(
      ...rows.map(([name, value]) => {
        const bar = `background:${barBehind(Math.max(0, (100 * value) / most))}`;
        return el(
          'tr',
          {},
          el('td', { class: 't wide', title: name }, name),
          el('td', { 'data-value': value, style: bar }, number(value)),
        );
      }),
    );
  }
}

function whatIsDrawn(view, picture) {
  if (view.merged) {
    const all = `${number(picture.count)} groups; ${number(view.all_links)} directed links`;
    return `${all}, those from a group to another drawn as one, which shows the busiest of them.`;
  }
  const what = [`${number(picture.count)} switch${picture.count === 1 ? '' : 'es'}`];
  if (view.switch_name === 'node[]') what[0] = `${number(picture.count)} nodes`;
  if (view.nodes.length > 0) what.push(`${number(view.nodes.length / 2)} nodes as dots`);
  what.push(
    view.links.length > 0
      ? `${number(view.links.length)} directed links`
      : `${number(view.all_links)} directed links, too many to be drawn`,
  );
  return what.join(', ') + '.';
}

// Whose network it is on pages of several runs.
function whose() {
  if (valueOf('sweep', 'points') > 1) return ' of the first point';
  return report.figures.comparison ? ' of the first report' : '';
}

function network(parent) {
  const view = data.network;
  if (!view) return;
  contents.push(['network', 'Network']);
  const links = table('links');
  const picture = view.switches.length > 0 ? new NetworkPicture(view, links) : null;
  const columns = links && links.rows.length > 0 ? linkColumns(links) : [];
  const list = columns.length > 0 ? new BusiestList(links) : null;
  const split = el('div', { class: list ? 'split' : '', id: 'network' });
  const left = el('div');
  parent.append(split);
  split.append(left);
  if (list) {
    split.append(list.box);
    list.fill(picture, columns[0]);
  }
  if (!picture) {
    left.append(
      el('p', { class: 'soft' }, `${view.title}: ${number(view.all_links)} directed links, too many for a picture.`),
    );
    return;
  }
  let chart = null;
  const change = (anew) => {
    anew(chart);
    list?.fill(picture, picture.column ?? columns[0]);
  };
  const choices = [];
  const phases = links && columnOf(links, 'phase') >= 0 ? distinct(valuesOf(links, 'phase')) : [];
  if (phases.length > 1) {
    choices.push(
      choice('Phase', [['', 'largest of all'], ...phases.map((p) => [p, p])], (p) => {
        picture.phase = p === '' ? null : p;
        change(draw);
      }),
    );
  }
  if (columns.length > 1 && view.links.length > 0) {
    const names = columns.map((c) => [c, heading(words(links.columns[c].key), links.columns[c].unit)]);
    choices.push(
      choice('Links by', names, (c) => {
        picture.column = Number(c);
        change(draw);
      }),
    );
  }
  const time = picture.profile && picture.profile.windows > 1 ? timeSlider(picture, () => change(redraw)) : null;
  const tools = choices.length > 0 ? el('div', { class: 'tools' }, ...choices) : null;
  chart = addChart(left, {
    id: 'network-chart',
    title: `Network${whose()}: ${view.title}`,
    note: whatIsDrawn(view, picture),
    hint: 'Ctrl and wheel zoom, dragging moves.',
    tools: time && tools ? el('div', {}, tools, time) : (time ?? tools),
    height: picture.height(Math.min(left.clientWidth || 800, 900)),
    items: view.switches.length / 2,
    marks: view.switches.length / 2 + view.links.length,
    option: (w, h) => picture.option(w, h),
    // The busiest link: they are drawn from the least busy one on.
    firstValue: (counts) => (counts[1] > 0 ? [1, counts[1] - 1] : null),
  });
  chart.network = picture;
}
