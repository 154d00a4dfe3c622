import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** One thing of a chart, by day; `null` where there is nothing to tell. */
export type Series = { id: string; name: string; colour: string; values: readonly (number | null)[] };

export type PlotData = {
  /** UTC days, such as `2026-11-21`. */
  days: readonly string[];
  series: readonly Series[];
  kind: 'bars' | 'lines';
  /** What the period before came to, day by day. */
  previous?: readonly (number | null)[];
  format: (value: number) => string;
};

export type PlotEvents = {
  /** The day that is pointed at, and where it is, in px from the left; `null`: none. */
  hover: (at: { index: number; left: number } | null) => void;
  pick: (id: string) => void;
  zoom: (first: number, last: number) => void;
};

const HEIGHT = 260;
/** Shorter drags are presses. */
const DRAG_PX = 6;
const LABEL_PX = 76;
/** Left of the drawing: nothing is pointed at. */
const AWAY_PX = -10;
const FONT = '12px ui-sans-serif, system-ui, sans-serif';
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `Nov 21`, of `2026-11-21`. */
export function dayLabel(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}

/** A canvas knows no variables: what a colour of the style sheet is in the theme of the moment. */
function colourIn(host: HTMLElement, variable: string): string {
  host.style.color = `var(${variable})`;
  const { color } = getComputedStyle(host);
  host.style.color = '';
  return color;
}

/** What was drawn: the day at an index can be pointed at, as with a mouse, and all of it taken away again. */
export type Drawn = { pointAt: (index: number | null) => void; remove: () => void };

/** Draws into an element. */
export function plot(host: HTMLElement, data: PlotData, events: PlotEvents): Drawn {
  const drawn = new uPlot(optionsOf(host, data, events), columnsOf(data), host);
  const resized = new ResizeObserver(() => drawn.setSize({ width: host.clientWidth, height: HEIGHT }));
  resized.observe(host);
  return {
    pointAt: (index) => drawn.setCursor({ left: index === null ? AWAY_PX : drawn.valToPos(index, 'x'), top: 0 }),
    remove: () => {
      resized.disconnect();
      drawn.destroy();
    },
  };
}

/** What stacks is drawn from the top down: each bar reaches to the sum of all below it. */
function columnsOf({ days, series, kind, previous }: PlotData): uPlot.AlignedData {
  const columns = kind === 'lines' ? series.map(({ values }) => [...values]) : stacked(series).reverse();
  return [days.map((_, index) => index), ...columns, ...(previous ? [[...previous]] : [])];
}

function stacked(series: readonly Series[]): number[][] {
  let below: number[] = [];
  return series.map(({ values }) => {
    below = values.map((value, index) => (value ?? 0) + (below[index] ?? 0));
    return below;
  });
}

function optionsOf(host: HTMLElement, data: PlotData, events: PlotEvents): uPlot.Options {
  const { days, previous } = data;
  const faint = colourIn(host, '--text-faint');
  const line = colourIn(host, '--line');
  const axis = { stroke: faint, font: FONT, ticks: { show: false } };
  let wasDragged = false;
  return {
    width: host.clientWidth,
    height: HEIGHT,
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: data.kind === 'lines' },
      drag: { x: true, y: false, setScale: false, dist: DRAG_PX },
    },
    scales: {
      x: { time: false, range: [-0.6, days.length - 0.4] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: (self) => splitsOf(days.length, self.width),
        values: (_, splits) => splits.map((index) => dayLabel(days[index] ?? '1970-01-01')),
      },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        size: (_, values) => Math.max(40, ...(values ?? []).map((value) => value.length * 7 + 14)),
        values: (_, splits) => splits.map(data.format),
      },
    ],
    series: [
      {},
      ...seriesOptions(host, data),
      ...(previous ? [{ stroke: colourIn(host, '--text'), width: 2, dash: [5, 4], points: { show: false } }] : []),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 }, over }) =>
          events.hover(idx == null || left < 0 ? null : { index: idx, left: left + over.offsetLeft }),
      ],
      setSelect: [
        (self) => {
          const { left, width } = self.select;
          if (width < DRAG_PX) return;
          wasDragged = true;
          events.zoom(self.posToIdx(left), self.posToIdx(left + width));
        },
      ],
      ready: [
        (self) => {
          self.over.addEventListener('mousedown', () => {
            wasDragged = false;
          });
          self.over.addEventListener('click', () => {
            const id = wasDragged ? null : pointedAt(self, data);
            if (id !== null) events.pick(id);
          });
        },
      ],
    },
  };
}

function seriesOptions(host: HTMLElement, { series, kind }: PlotData): uPlot.Series[] {
  if (kind === 'lines') {
    return series.map(({ colour }) => {
      const stroke = colourIn(host, colour);
      return { stroke, width: 2, points: { show: true, size: 5, fill: stroke } };
    });
  }
  const between = colourIn(host, '--ground');
  const paths = uPlot.paths.bars!({ size: [0.78, 56] });
  return series
    .map(({ colour }) => ({ paths, fill: colourIn(host, colour), stroke: between, width: 1, points: { show: false } }))
    .reverse();
}

/** As many days have a label as have room for it. */
function splitsOf(days: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(days / Math.max(1, Math.floor(width / LABEL_PX))));
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => index * step);
}

/** Of which series the cursor is on a bar, or next to which line. */
function pointedAt(self: uPlot, { series, kind }: PlotData): string | null {
  const { idx, top = -1 } = self.cursor;
  if (idx == null || top < 0) return null;
  const value = self.posToVal(top, 'y');
  if (kind === 'bars')
    return stacked(series).flatMap((sums, index) => (sums[idx]! >= value ? [series[index]!.id] : []))[0] ?? null;
  const known = series.flatMap(({ id, values }) =>
    values[idx] == null ? [] : [{ id, away: Math.abs(values[idx] - value) }],
  );
  return known.sort((one, other) => one.away - other.away)[0]?.id ?? null;
}
