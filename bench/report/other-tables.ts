import { NONE, show, showRatio, table } from './markdown.ts';
import { ALONE, type LatencySample, ofKind, type Results, TLS_SUFFIX, type Way } from './samples.ts';
import { spread } from './statistics.ts';

const BYTES_PER_MB = 1024 ** 2;
const BYTES_PER_KB = 1024;

type Measure = 'p50' | 'p99' | 'p999';

/** What each contestant adds to the upstream alone. */
export function latencyTable(results: Results): string {
  const all = ofKind(results, 'latency');
  const names = namesOf(all);
  if (names.length === 0) return '';
  const head = [
    'contestant',
    'p50 at rate, µs',
    'p99',
    'p99.9',
    'a second',
    'p50 with one caller, µs',
    'times nginx',
    'first word p50, µs',
    'p99',
  ];
  const rows = names.map((name) => {
    const mine = (way: Way) => all.filter((sample) => sample.contestant === name && sample.way === way);
    const cell = (way: Way, measure: Measure) =>
      show(spread(name === ALONE ? mine(way).map((sample) => sample[measure]) : added(mine(way), all, measure)), 0);
    return [
      name,
      ...(['p50', 'p99', 'p999'] as const).map((measure) => cell('rate', measure)),
      show(spread(mine('rate').map(({ perSecond }) => perSecond)), 0),
      cell('one caller', 'p50'),
      name === ALONE ? NONE : showRatio(addedRatios(mine('one caller'), all), 2),
      cell('first word', 'p50'),
      cell('first word', 'p99'),
    ];
  });
  return table(head, rows);
}

/** Compares samples of the same round, so that other load on the machine affects both. */
function added(mine: readonly LatencySample[], all: readonly LatencySample[], measure: Measure): number[] {
  return mine.flatMap((sample) => {
    const alone = sameRound(sample, all, ALONE);
    return alone === undefined ? [] : [sample[measure] - alone[measure]];
  });
}

function addedRatios(mine: readonly LatencySample[], all: readonly LatencySample[]): number[] {
  return mine.flatMap((sample) => {
    const [alone, nginx] = [sameRound(sample, all, ALONE), sameRound(sample, all, 'nginx')];
    return alone === undefined || nginx === undefined ? [] : [(sample.p50 - alone.p50) / (nginx.p50 - alone.p50)];
  });
}

function sameRound({ way, round }: LatencySample, all: readonly LatencySample[], name: string) {
  return all.find((each) => each.contestant === name && each.way === way && each.round === round);
}

/** Megabytes by number of open idle streams, and per further stream. */
export function memoryTable(results: Results): string {
  const all = ofKind(results, 'memory');
  const names = namesOf(all);
  if (names.length === 0) return '';
  const counts = [...new Set(all.map(({ streams }) => streams))].toSorted((a, b) => a - b);
  const most = counts.at(-1)!;
  const head = [
    'contestant',
    ...counts.map((count) => `${count.toLocaleString('en')} streams, MB`),
    'RSS at the most, MB',
    'more than none, MB',
    'a stream, KB',
  ];
  const rows = names.map((name) => {
    const mine = (streams: number) => all.filter((each) => each.contestant === name && each.streams === streams);
    const megabytes = (values: readonly number[]) => show(spread(values.map((bytes) => bytes / BYTES_PER_MB)), 1);
    const more = mine(most).flatMap(({ round, pss }) => {
      const empty = mine(0).find((each) => each.round === round);
      return empty === undefined ? [] : [pss - empty.pss];
    });
    return [
      name,
      ...counts.map((count) => megabytes(mine(count).map(({ pss }) => pss))),
      megabytes(mine(most).map(({ rss }) => rss)),
      megabytes(more),
      show(spread(most === 0 ? [] : more.map((bytes) => bytes / most / BYTES_PER_KB)), 1),
    ];
  });
  return table(head, rows);
}

/** The additional cost of TLS to the upstream, at saturation. */
export function tlsTable(results: Results): string {
  const all = ofKind(results, 'work').filter(({ part, pace }) => part === 'tls' && pace === 'saturation');
  const names = namesOf(all).filter((name) => name.endsWith(TLS_SUFFIX));
  if (names.length === 0) return '';
  const rows = names.map((name) => {
    const plainName = name.slice(0, -TLS_SUFFIX.length);
    const pairs = all.flatMap((sample) => {
      const plain = all.find((each) => each.contestant === plainName && each.round === sample.round);
      return sample.contestant !== name || plain === undefined ? [] : [{ plain, tls: sample }];
    });
    return [
      plainName,
      show(spread(pairs.map(({ plain }) => plain.cpuMicros)), 1),
      show(spread(pairs.map(({ tls }) => tls.cpuMicros)), 1),
      show(spread(pairs.map(({ plain, tls }) => tls.cpuMicros - plain.cpuMicros)), 1),
      show(spread(pairs.map(({ plain, tls }) => tls.cpuMicros / plain.cpuMicros)), 2),
    ];
  });
  return table(['contestant', 'CPU µs per request', 'with TLS', 'more', 'times'], rows);
}

/** Milliseconds until the first answer. */
export function startTable(results: Results): string {
  const all = ofKind(results, 'start');
  const names = namesOf(all);
  if (names.length === 0) return '';
  const rows = names.map((name) => [
    name,
    show(spread(all.filter(({ contestant }) => contestant === name).map(({ ms }) => ms)), 0),
  ]);
  return table(['contestant', 'ms'], rows);
}

function namesOf(samples: readonly { contestant: string }[]): string[] {
  return [...new Set(samples.map(({ contestant }) => contestant))];
}
