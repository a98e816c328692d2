// Tables: sortable, filterable, with download; of long ones only the rows in sight are in the document.

const ROW_HEIGHT = 26;
const LONG_TABLE = 500;
const PAPER = { rows: 25, columns: 13 }; // of a printed table, as in report.css

function csvField(v) {
  if (v === null) return '';
  let text = String(v);
  if (typeof v === 'string' && /^[=+\-@\t\r\n]./.test(text) && Number.isNaN(Number(text))) text = "'" + text; // no formula for a spreadsheet
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function download(name, text, type) {
  const link = el('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Share of each row's amount in the largest, of the table or of the rows that agree in column `within`.
function barShares(t) {
  if (!t.bars) return null;
  const { column, within } = t.bars;
  const largest = new Map();
  const group = (row) => (within === undefined ? '' : row[within]);
  for (const row of t.rows) largest.set(group(row), Math.max(largest.get(group(row)) ?? 0, row[column] ?? 0));
  return (row) => {
    const most = largest.get(group(row));
    return most > 0 ? Math.max(0, (row[column] ?? 0) / most) : 0;
  };
}

class TableView {
  constructor(key, t) {
    this.key = key;
    this.t = t;
    this.rows = t.rows;
    this.sorted = -1;
    this.down = false;
    this.shares = barShares(t);
    // A column that nothing is in is left out.
    this.columns = t.columns
      .map((_, c) => c)
      .filter((c) => t.rows.length === 0 || t.rows.some((r) => r[c] !== null && r[c] !== ''));
    this.texts = t.columns.map((_, c) => {
      const first = t.rows.find((r) => r[c] !== null);
      return first !== undefined && typeof first[c] !== 'number';
    });
  }

  element() {
    const t = this.t;
    const filter = el('input', {
      type: 'search',
      placeholder: 'Filter rows',
      'aria-label': `Filter ${t.title}`,
      oninput: () => this.filter(filter.value),
    });
    this.count = el('span', { class: 'soft' });
    const tools = el(
      'div',
      { class: 'tools' },
      filter,
      el('button', { type: 'button', onclick: () => download(`${this.key}.csv`, this.csv(), 'text/csv') }, 'CSV'),
      this.count,
    );
    this.head = this.headings();
    this.body = el('tbody');
    this.scroll = el(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t.title, onscroll: () => this.onScroll() },
      el('table', { 'data-table': this.key, 'data-rows': t.rows.length }, el('thead', {}, this.head), this.body),
    );
    const out = el('div', {}, el('p', { class: 'soft' }, t.meaning), tools, this.scroll);
    if (t.rows_in_all > t.rows.length) {
      tools.after(
        el(
          'p',
          { class: 'soft' },
          `The ${t.bars ? '' : 'first '}${number(t.rows.length)} of ${number(t.rows_in_all)} lines${t.bars ? ` with the largest ${words(t.columns[t.bars.column].key)}` : ''}; ${this.key}.csv has all.`,
        ),
      );
    }
    const cut = ['rows', 'columns'].filter((of) => this[of].length > PAPER[of]);
    if (cut.length > 0) {
      const kept = cut.map((of) => `${PAPER[of]} of ${number(this[of].length)} ${of}`).join(' and ');
      out.append(el('p', { class: 'soft paper' }, `Printed: the first ${kept}; ${this.key}.csv has all.`));
    }
    this.show();
    return out;
  }

  headings() {
    return el(
      'tr',
      {},
      ...this.columns.map((c) => {
        const column = this.t.columns[c];
        const unit = column.unit && column.unit !== '1' ? el('span', { class: 'unit' }, column.unit) : null;
        return el(
          'th',
          { class: this.texts[c] ? 't' : null, scope: 'col', title: column.definition },
          el('button', { type: 'button', onclick: () => this.sort(c) }, words(column.key)),
          unit,
        );
      }),
    );
  }

  sort(c) {
    this.down = this.sorted === c ? !this.down : !this.texts[c];
    this.sorted = c;
    this.columns.forEach((column, i) => {
      if (column === c) this.head.children[i].setAttribute('aria-sort', this.down ? 'descending' : 'ascending');
      else this.head.children[i].removeAttribute('aria-sort');
    });
    this.order();
    this.show();
  }

  order() {
    const c = this.sorted;
    if (c < 0) return;
    const sign = this.down ? -1 : 1;
    this.rows = [...this.rows].sort((a, b) => {
      const [x, y] = [a[c], b[c]];
      if (x === null || y === null) return (x === null) - (y === null);
      if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
      return sign * String(x).localeCompare(String(y), 'en', { numeric: true });
    });
  }

  filter(text) {
    const wanted = text.toLowerCase();
    this.rows =
      wanted === ''
        ? this.t.rows
        : this.t.rows.filter((r) => r.some((v) => v !== null && number(v).toLowerCase().includes(wanted)));
    this.order();
    this.scroll.scrollTop = 0;
    this.show();
  }

  csv() {
    const lines = [this.t.columns.map((c) => csvField(heading(c.key, c.unit)))];
    for (const row of this.rows) lines.push(row.map(csvField));
    return lines.map((l) => l.join(',') + '\n').join('');
  }

  cell(row, c) {
    const v = row[c];
    const text = number(v);
    const td = el('td', { class: this.texts[c] ? 't wide' : null, title: text.length > 40 ? text : null }, text);
    if (typeof v === 'number') td.dataset.value = v;
    if (this.shares && this.t.bars.column === c) {
      td.style.background = barBehind(100 * this.shares(row));
    }
    return td;
  }

  show() {
    const n = this.rows.length;
    this.count.textContent =
      n === this.t.rows.length ? plural(n, 'row') : `${number(n)} of ${plural(this.t.rows.length, 'row')}`;
    const whole = n <= LONG_TABLE;
    const first = whole ? 0 : Math.max(0, Math.floor(this.scroll.scrollTop / ROW_HEIGHT) - 10);
    const last = whole ? n : Math.min(n, first + 60);
    this.first = first;
    const pad = (rows) =>
      rows > 0
        ? [
            el(
              'tr',
              { class: 'pad' },
              el('td', { colspan: this.columns.length, style: `height:${rows * ROW_HEIGHT}px` }),
            ),
          ]
        : [];
    this.body.replaceChildren(
      ...pad(first),
      ...this.rows.slice(first, last).map((r) => el('tr', {}, ...this.columns.map((c) => this.cell(r, c)))),
      ...pad(n - last),
    );
  }

  onScroll() {
    if (this.rows.length <= LONG_TABLE) return;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW_HEIGHT) - 10);
    if (Math.abs(first - this.first) > 5) this.show();
  }
}

// A table that is made when it is opened.
function foldedTable(key, t, open) {
  const details = el(
    'details',
    { id: 'table-' + key },
    el('summary', {}, t.title, ' ', el('span', { class: 'soft' }, plural(t.rows_in_all, 'row'))),
  );
  const fill = () => {
    if (details.open && details.childElementCount === 1) details.append(new TableView(key, t).element());
  };
  details.addEventListener('toggle', fill);
  details.open = open;
  fill();
  return details;
}
