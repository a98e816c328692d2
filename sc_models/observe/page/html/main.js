// Puts the page together.

function setTheme(theme) {
  root.dataset.theme = theme;
  document.getElementById('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
}

// Paper is light and narrow: the page takes its width and colours before it is printed, and its own again afterwards.
function printing() {
  let theme = '';
  window.addEventListener('beforeprint', () => {
    theme = root.dataset.theme;
    root.dataset.printing = 'true';
    setTheme('light');
    drawAll();
  });
  window.addEventListener('afterprint', () => {
    delete root.dataset.printing;
    setTheme(theme);
    drawAll();
  });
}

function start() {
  const asked = new URLSearchParams(location.hash.slice(1)).get('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = asked;
  setTheme(asked ?? (system.matches ? 'dark' : 'light'));
  system.addEventListener('change', () => {
    if (chosen) return;
    setTheme(system.matches ? 'dark' : 'light');
    drawAll();
  });
  document.getElementById('theme').addEventListener('click', () => {
    chosen = isDark() ? 'light' : 'dark';
    setTheme(chosen);
    drawAll();
  });
  const top = firstScreen();
  network(top);
  programCharts();
  profileCharts();
  latency();
  circuits();
  figures();
  tables();
  configuration();
  document.getElementById('contents').append(...contents.map(([id, title]) => el('a', { href: '#' + id }, title)));
  drawAll();
  printing();
  root.dataset.ready = 'true'; // for the test of the page
}

start();
