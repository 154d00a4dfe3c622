import { FACTS, WORKLOADS, type Workload } from '../workloads.ts';
import { ofKind, type Results } from './samples.ts';
import { spread } from './statistics.ts';
import { ratios } from './work-table.ts';

type Bar = { name: string; times: number; min: number; max: number };
type Panel = { title: string; bars: Bar[] };

const FLOOR = 'nginx';
/** Below nginx's own 1, so that its bar is visible. */
const MOST_START = 0.6;
const LEAST_END = 10;
const TICKS = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000];
const WIDTH = 760;
const MARGIN = 16;
const NAMES_WIDTH = 160;
const LABEL_WIDTH = 110;
const TITLE_HEIGHT = 40;
const PANEL_TITLE_HEIGHT = 30;
const BAR_HEIGHT = 16;
const ROW_HEIGHT = 24;
const PANEL_GAP = 14;
const PLOT_X = MARGIN + NAMES_WIDTH;
const PLOT_WIDTH = WIDTH - PLOT_X - LABEL_WIDTH - MARGIN;

/** Readable on white and on black, as the page sets. Without variables, which few renderers but browsers support. */
const STYLE = `
  ${colors({ ink: '#1c2330', quiet: '#6a7280', line: '#d9dde3', ours: '#0b6bcb', theirs: '#8b95a5', paper: '#ffffff' })}
  @media (prefers-color-scheme: dark) {
    ${colors({ ink: '#e8ebf0', quiet: '#9aa3b2', line: '#343b47', ours: '#57a8ff', theirs: '#6d7788', paper: '#12161d' })}
  }
  text { font: 12px system-ui, sans-serif; }
  .title { font-size: 15px; font-weight: 600; }
  .panel { font-weight: 600; }
`;

type Colors = Readonly<Record<'ink' | 'quiet' | 'line' | 'ours' | 'theirs' | 'paper', string>>;

function colors({ ink, quiet, line, ours, theirs, paper }: Colors): string {
  return [
    `.paper { fill: ${paper}; } text { fill: ${ink}; } .quiet { fill: ${quiet}; } .grid { stroke: ${line}; }`,
    `.spread { stroke: ${ink}; } .ours { fill: ${ours}; } .theirs { fill: ${theirs}; }`,
  ].join(' ');
}

/**
 * Bars of CPU time per workload, as a multiple of nginx on a log scale: requests at saturation, streams at the fixed
 * rate. States if nginx was not measured.
 */
export function chart(results: Results): string {
  const panels = WORKLOADS.map((workload) => panelOf(results, workload)).filter(({ bars }) => bars.length > 0);
  const highest = Math.max(LEAST_END, ...panels.flatMap(({ bars }) => bars.map(({ max }) => max)));
  const lowest = Math.min(MOST_START, ...panels.flatMap(({ bars }) => bars.map(({ min }) => min)));
  const scale = logScale(lowest, highest);
  let y = TITLE_HEIGHT;
  const drawn = panels.map((panel) => {
    const text = drawPanel(panel, y, scale);
    y += heightOf(panel);
    return text;
  });
  const none = `<text x="${MARGIN}" y="${y + 16}" class="quiet">nginx was not measured, so there is nothing to compare with.</text>`;
  const height = panels.length === 0 ? y + ROW_HEIGHT + MARGIN : y + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>CPU of the gateway, as a multiple of nginx</title>
<desc>${escaped(results.contestants.map(({ name }) => name).join('; '))}</desc>
<style>${STYLE}</style>
<rect width="${WIDTH}" height="${height}" class="paper"/>
<text x="${MARGIN}" y="26" class="title">CPU of the gateway, as a multiple of nginx (log scale; less is better)</text>
${panels.length === 0 ? none : drawn.join('\n')}
</svg>
`;
}

function panelOf(results: Results, workload: Workload): Panel {
  const { streamed, title, unit } = FACTS[workload];
  const pace = streamed ? 'rate' : 'saturation';
  const all = ofKind(results, 'work').filter((sample) => sample.part === workload && sample.pace === pace);
  const names = [...new Set(all.map(({ contestant }) => contestant))];
  const bars = names.flatMap((name) => {
    const mine = all.filter(({ contestant }) => contestant === name);
    const of = spread(ratios(mine, all, FLOOR));
    return of === null ? [] : [{ name, times: of.median, min: of.min, max: of.max }];
  });
  const floor = spread(all.filter(({ contestant }) => contestant === FLOOR).map(({ cpuMicros }) => cpuMicros));
  const cost =
    floor === null ? '' : `: nginx takes ${(floor.median / FACTS[workload].units).toFixed(1)} µs per ${unit}`;
  return { title: `${title}${cost}`, bars: bars.toSorted((a, b) => a.times - b.times) };
}

function heightOf({ bars }: Panel): number {
  return PANEL_TITLE_HEIGHT + bars.length * ROW_HEIGHT + PANEL_GAP;
}

function drawPanel(panel: Panel, top: number, scale: Scale): string {
  const barsTop = top + PANEL_TITLE_HEIGHT;
  const bottom = barsTop + panel.bars.length * ROW_HEIGHT;
  const grid = scale.ticks.map((tick) => {
    const x = round(scale.x(tick));
    return `<line x1="${x}" y1="${barsTop - 4}" x2="${x}" y2="${bottom}" class="grid"/><text x="${x}" y="${barsTop - 8}" text-anchor="middle" class="quiet">${tick}×</text>`;
  });
  const bars = panel.bars.map((bar, index) => drawBar(bar, barsTop + index * ROW_HEIGHT, scale));
  return [`<text x="${MARGIN}" y="${top + 8}" class="panel">${escaped(panel.title)}</text>`, ...grid, ...bars].join(
    '\n',
  );
}

function drawBar({ name, times, min, max }: Bar, top: number, scale: Scale): string {
  const middle = top + BAR_HEIGHT / 2;
  const end = scale.x(times);
  const kind = name.startsWith('headgate') ? 'ours' : 'theirs';
  return [
    `<text x="${PLOT_X - 8}" y="${middle + 4}" text-anchor="end">${escaped(name)}</text>`,
    `<rect x="${PLOT_X}" y="${top}" width="${round(Math.max(1, end - PLOT_X))}" height="${BAR_HEIGHT}" rx="2" class="${kind}"/>`,
    `<line x1="${round(scale.x(min))}" y1="${middle}" x2="${round(scale.x(max))}" y2="${middle}" class="spread"/>`,
    `<text x="${round(scale.x(max) + 6)}" y="${middle + 4}">${times < 10 ? times.toFixed(2) : times.toFixed(0)}×</text>`,
  ].join('\n');
}

type Scale = { x(value: number): number; ticks: number[] };

function logScale(from: number, to: number): Scale {
  const span = Math.log10(to / from);
  return {
    x: (value) => PLOT_X + (Math.log10(value / from) / span) * PLOT_WIDTH,
    ticks: TICKS.filter((tick) => tick >= from && tick <= to),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
