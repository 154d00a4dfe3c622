import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTheme } from '../shell/theme.ts';
import { Button } from './button.tsx';
import { type Drawn, dayLabel, type PlotData, type PlotEvents, plot, type Series } from './plot.ts';
import { type Column, Table } from './table.tsx';

type Props = PlotData & {
  /** What it shows, for those who do not see it. */
  label: string;
  /** What a press on a series does: `null` for one that leads nowhere. */
  onPick?: ((id: string) => void) | undefined;
  /** Which series can be pressed; left out, all. */
  canPick?: (id: string) => boolean;
  /** Days were chosen by drawing over them. */
  onZoom?: ((firstDay: string, lastDay: string) => void) | undefined;
};

const DARK = window.matchMedia('(prefers-color-scheme: dark)');

function useIsDark(): boolean {
  const theme = useTheme();
  const isSystemDark = useSyncExternalStore(
    (listener) => {
      DARK.addEventListener('change', listener);
      return () => DARK.removeEventListener('change', listener);
    },
    () => DARK.matches,
  );
  return theme === 'system' ? isSystemDark : theme === 'dark';
}

/** Values by day: bars that stack, or lines. All that it shows can be read as a table. */
export function Chart(props: Props) {
  const { label, series, onPick, canPick = () => true, onZoom } = props;
  const [isTable, setTable] = useState(false);
  const pick = onPick && ((id: string) => (canPick(id) ? onPick(id) : undefined));
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {isTable ? (
        <div className="max-h-[420px] overflow-y-auto">
          <ChartTable {...props} />
        </div>
      ) : (
        <Canvas {...props} onPick={pick} onZoom={onZoom} />
      )}
      <figcaption className="flex flex-wrap items-start gap-x-2">
        <span className="sr-only">{label}</span>
        <span className="flex min-w-0 flex-1 basis-80 flex-wrap gap-x-1 max-sm:basis-full">
          {series.map(({ id, name, colour }) => (
            <Key key={id} name={name} colour={colour} {...(pick && canPick(id) && { onPick: () => pick(id) })} />
          ))}
          {props.previous && <Key name="Period before, all" colour="--text" isDashed />}
        </span>
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </figcaption>
    </figure>
  );
}

/** What a colour stands for. */
function Key({
  name,
  colour,
  onPick,
  isDashed,
}: {
  name: string;
  colour: string;
  onPick?: () => void;
  isDashed?: true;
}) {
  const words = (
    <>
      <Swatch colour={colour} isDashed={isDashed} />
      <span className="max-w-44 truncate">{name}</span>
    </>
  );
  const shape = 'inline-flex h-7 items-center gap-1.5 rounded-md px-1.5 text-small text-weak';
  if (!onPick) return <span className={shape}>{words}</span>;
  return (
    <button
      type="button"
      title={`Show only ${name}`}
      onClick={onPick}
      className={`${shape} hover:bg-sunken hover:text-text`}
    >
      {words}
    </button>
  );
}

function Swatch({ colour, isDashed }: { colour: string; isDashed?: true | undefined }) {
  if (isDashed) return <span aria-hidden="true" className="w-4 border-t-2 border-dashed border-text" />;
  return <span aria-hidden="true" className="size-2.5 shrink-0 rounded-sm" style={{ background: `var(${colour})` }} />;
}

type CanvasProps = PlotData & { label: string; onPick: Props['onPick']; onZoom: Props['onZoom'] };

function Canvas({ label, onPick, onZoom, ...data }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ index: number; left: number } | null>(null);
  const isDark = useIsDark();
  const drawn = useRef<Drawn>(null);
  const events = useRef<PlotEvents>(null!);
  events.current = {
    hover: setAt,
    pick: (id) => onPick?.(id),
    zoom: (first, last) => onZoom?.(data.days[first] ?? '', data.days[last] ?? ''),
  };
  const { days, series, kind, previous, format } = data;
  // What is drawn anew is what it shows, not each rendering of the page.
  const drawing = JSON.stringify([days, series, kind, previous, isDark]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `drawing` stands for all of it
  useEffect(() => {
    if (host.current === null) return;
    const made = plot(host.current, data, {
      hover: (where) => events.current.hover(where),
      pick: (id) => events.current.pick(id),
      zoom: (first, last) => events.current.zoom(first, last),
    });
    drawn.current = made;
    return made.remove;
  }, [drawing, format]);
  const width = host.current?.clientWidth ?? 0;
  return (
    <div className="relative min-w-0">
      <div
        ref={host}
        role="img"
        aria-label={label}
        className={`h-[260px] overflow-hidden ${onPick ? 'cursor-pointer' : ''}`}
      />
      <Walk {...data} label={label} index={at?.index ?? null} onMove={(index) => drawn.current?.pointAt(index)} />
      {at && at.index < days.length && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute top-1 z-10 max-w-[min(320px,80%)] rounded-md border border-line bg-raised px-2.5 py-2 text-small shadow-float"
          style={at.left > width / 2 ? { right: width - at.left + 14 } : { left: at.left + 14 }}
        >
          <Moment {...data} index={at.index} />
        </div>
      )}
    </div>
  );
}

type WalkProps = PlotData & { label: string; index: number | null; onMove: (index: number | null) => void };

/** Goes from day to day by the arrow keys: the values of each are shown as by the mouse, and read out. */
function Walk({ label, index, onMove, ...data }: WalkProps) {
  const last = data.days.length - 1;
  const at = Math.min(index ?? last, last);
  const move = (event: KeyboardEvent) => {
    const to = WALK[event.key]?.(at, last);
    if (to === undefined) return;
    event.preventDefault();
    onMove(to === null ? null : Math.max(0, Math.min(to, last)));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Day of ${label}`}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={Math.max(at, 0)}
      aria-valuetext={last < 0 ? 'No days' : wordsOf(data, at)}
      onKeyDown={move}
      onFocus={() => onMove(at)}
      onBlur={() => onMove(null)}
      className="pointer-events-none absolute inset-0 rounded-md"
    />
  );
}

/** Where a key leads from a day; `null`: away. */
const WALK: Readonly<Record<string, (at: number, last: number) => number | null>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
  Escape: () => null,
};

/** A day, as it is read out. */
function wordsOf({ days, series, kind, previous, format }: PlotData, index: number): string {
  const told = series.flatMap(({ name, values }) => (values[index] ? [`${name} ${format(values[index])}`] : []));
  const total = series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  const words = [
    ...(kind === 'bars' && series.length > 1 ? [`all ${format(total)}`] : []),
    ...(told.length === 0 ? ['nothing'] : told),
    ...(previous ? [`period before ${format(previous[index] ?? 0)}`] : []),
  ];
  return `${dayLabel(days[index]!)}: ${words.join(', ')}`;
}

/** All values of one day. */
function Moment({ days, series, kind, previous, format, index }: PlotData & { index: number }) {
  const told = series.filter(({ values }) => values[index]);
  const total = series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  return (
    <table className="w-full">
      <caption className="pb-1 text-left font-medium">{dayLabel(days[index]!)}</caption>
      <tbody>
        {[...told].reverse().map(({ id, name, colour, values }) => (
          <Value key={id} name={name} colour={colour} value={format(values[index]!)} />
        ))}
        {kind === 'bars' && series.length > 1 && <Value name="All" value={format(total)} />}
        {previous && <Value name="Period before" value={format(previous[index] ?? 0)} />}
        {told.length === 0 && <Value name="Nothing" value="" />}
      </tbody>
    </table>
  );
}

function Value({ name, value, colour }: { name: string; value: string; colour?: string }) {
  return (
    <tr>
      <th scope="row" className="flex min-w-0 items-center gap-1.5 pr-4 text-left font-normal text-weak">
        {colour ? <Swatch colour={colour} /> : <span className="w-2.5" />}
        <span className="max-w-44 truncate">{name}</span>
      </th>
      <td className="text-right tabular-nums whitespace-nowrap">{value}</td>
    </tr>
  );
}

/** The same as a table: a row for each day, the last first. */
function ChartTable({ label, days, series, previous, format }: Props) {
  const cell = (values: Series['values']) => (index: number) => (values[index] == null ? '—' : format(values[index]));
  const columns: Column<number>[] = [
    { id: 'day', title: 'Day (UTC)', cell: (index) => days[index] },
    ...series.map(({ id, name, values }) => ({
      id: `of ${id}`,
      title: name,
      cell: cell(values),
      isNumber: true as const,
    })),
    ...(previous ? [{ id: 'previous', title: 'Period before', cell: cell(previous), isNumber: true as const }] : []),
  ];
  const rows = days.map((_, index) => index).reverse();
  return <Table label={label} columns={columns} rows={rows} rowId={(index) => days[index]!} empty={null} />;
}
