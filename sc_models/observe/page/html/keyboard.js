// Charts by keyboard: with the arrows to the left and right from value to value, up and down from series to series, Home
// and End, Escape. What the pointer would show is shown, and read out by a screen reader.

class ChartKeys {
  constructor(chart) {
    this.chart = chart;
    this.place = null; // [series, index]
    chart.box.tabIndex = 0;
    chart.box.addEventListener('keydown', (e) => this.press(e));
    chart.box.addEventListener('blur', () => this.leave());
  }

  // Values of each series.
  counts() {
    return this.chart.instance
      .getModel()
      .getSeries()
      .map((s) => s.getData().count());
  }

  press(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || !this.chart.instance) return;
    if (e.key === 'Escape') return this.leave();
    const next = this.next(e.key, this.counts());
    if (next === null) return;
    e.preventDefault(); // the page stays where it is
    this.place = next;
    this.show();
  }

  next(key, counts) {
    const some = counts.map((n, s) => s).filter((s) => counts[s] > 0);
    if (some.length === 0 || !['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)) return null;
    if (this.place === null || !(counts[this.place[0]] > 0)) return this.chart.firstValue?.(counts) ?? [some[0], 0];
    const [series, index] = this.place;
    const last = counts[series] - 1;
    const other = (step) => {
      const s = some[(some.indexOf(series) + step + some.length) % some.length];
      return [s, Math.min(index, counts[s] - 1)];
    };
    switch (key) {
      case 'ArrowLeft':
        return [series, Math.max(0, index - 1)];
      case 'ArrowRight':
        return [series, Math.min(last, index + 1)];
      case 'ArrowUp':
        return other(-1);
      case 'ArrowDown':
        return other(1);
      default:
        return [series, key === 'Home' ? 0 : last];
    }
  }

  show() {
    const { instance, box } = this.chart;
    const [seriesIndex, dataIndex] = this.place;
    const tip = { type: 'showTip', seriesIndex, dataIndex };
    const item = instance.getOption().series[seriesIndex].data[dataIndex];
    if (item?.coords) {
      // A line has no place of its own: its middle.
      const [a, b] = item.coords.map((c) => instance.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, c));
      tip.position = [(a[0] + b[0]) / 2 + 8, (a[1] + b[1]) / 2 + 8];
    }
    this.light(null);
    instance.dispatchAction(tip);
    this.light({ seriesIndex, dataIndex });
    // The text of the tip stands in the chart's own box.
    setTimeout(() => (spoken.textContent = box.innerText.replace(/\s*\n\s*/g, ', ').trim()), 60);
  }

  light(place) {
    const { instance } = this.chart;
    if (this.lit) instance.dispatchAction({ type: 'downplay', ...this.lit });
    if (place) instance.dispatchAction({ type: 'highlight', ...place });
    this.lit = place;
  }

  leave() {
    if (this.place === null) return;
    this.place = null;
    this.light(null);
    this.chart.instance?.dispatchAction({ type: 'hideTip' });
    spoken.textContent = '';
  }
}

const spoken = el('output', { id: 'spoken', 'aria-live': 'polite' });
document.body.append(spoken);
