// The profile over time (observe.profile): its numbers, the slider that goes through its windows, and its charts.

// What links, switches and nodes did in each window of the profile.
class Profile {
  constructor(view) {
    const t = table('profile');
    this.at = view.profile ?? [];
    this.names = Object.keys(report.profile.links?.values ?? {});
    this.flits = Object.values(report.profile.links?.values ?? {});
    this.switches = report.profile.switches?.values;
    this.nodes = report.profile.nodes?.values;
    this.begin = valuesOf(t, 'begin');
    this.end = valuesOf(t, 'end');
    this.capacity = valuesOf(t, 'link_capacity');
    this.windows = t.rows.length;
    // Scales are those of all windows, so that these can be compared.
    this.most = this.flits.reduce((m, line) => line.reduce((n, v, w) => Math.max(n, (100 * v) / this.capacity[w]), m), 0);
    this.mostWaiting = largest(this.nodes ?? []);
  }

  // Place of a link of the view among those of the profile, -1 for one that carried nothing.
  place(number) {
    return this.at[number] ?? -1;
  }

  utilization(number, window) {
    const place = this.place(number);
    return place < 0 ? null : (100 * this.flits[place][window]) / this.capacity[window];
  }
}

const largest = (lines) => lines.reduce((m, line) => line.reduce((n, v) => Math.max(n, v), m), 0);

// The time of the picture: the whole measurement, or a window of the profile.
function timeSlider(picture, redraw) {
  const last = picture.profile.windows - 1;
  const text = el('output', { class: 'soft', for: 'window' });
  const slider = el('input', {
    id: 'window',
    type: 'range',
    min: -1,
    max: last,
    step: 1,
    value: -1,
    'aria-label': 'Window of the profile; the leftmost: the whole measurement',
    oninput: () => show(Number(slider.value)),
  });
  let playing = 0;
  const stop = () => {
    clearTimeout(playing);
    playing = 0;
    button.textContent = 'Play';
  };
  const button = el(
    'button',
    {
      type: 'button',
      onclick: () => {
        if (playing) return stop();
        button.textContent = 'Stop';
        const next = () => {
          slider.value = Number(slider.value) >= last ? 0 : Number(slider.value) + 1;
          show(Number(slider.value));
          playing = setTimeout(next, 250); // after the picture, which takes its time in large networks
        };
        next();
      },
    },
    'Play',
  );
  function show(w) {
    picture.window = w < 0 ? null : w;
    text.textContent = w < 0 ? 'whole measurement' : `window ${w + 1} of ${last + 1}, ${picture.when()}`;
    slider.setAttribute('aria-valuetext', text.textContent);
    redraw();
  }
  text.textContent = 'whole measurement';
  return el('div', { class: 'tools time' }, el('label', {}, 'Time ', slider), button, text);
}

// Charts of all windows: loads, the links, what is in buffers and waits.
function profileCharts() {
  const t = table('profile');
  if (!t || t.rows.length === 0) return;
  const s = section('profile', 'Over time');
  const grid = el('div', { class: 'pair' });
  s.append(grid);
  const [begin, end] = [valuesOf(t, 'begin'), valuesOf(t, 'end')];
  const line = (key, name) => {
    const values = valuesOf(t, key);
    if (!hasValues(values)) return null;
    const points = values.map((v, w) => [begin[w], v, 0, 0]);
    points.push([end[end.length - 1], values[values.length - 1], 0, 0]);
    return { name, style: 'steps', points, markers: false };
  };
  const add = (name, title, meaning, label, unit, lines) => {
    const series = lines.filter((l) => l);
    if (series.length === 0) return;
    programChart(grid, { name, title, meaning, x: { label: 'time', unit: 'ns' }, y: { label, unit }, series }, name);
  };
  add('profile-load', 'Load', 'Flits generated and delivered in each window, over all nodes.', 'load', 'Gb/s', [
    line('offered_rate', 'offered'),
    line('accepted_rate', 'accepted'),
  ]);
  add(
    'profile-links',
    'Busiest link',
    'Use of the link that carried most, window by window.',
    'utilization',
    '%',
    [line('busiest_link_utilization', 'busiest link')],
  );
  add('profile-levels', 'Flits waiting', 'In the buffers of all switches, and at all nodes.', 'flits', '', [
    line('occupancy', 'in buffers'),
    line('waiting', 'at nodes'),
  ]);
}
