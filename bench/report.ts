import { cpus, release } from 'node:os';
import { STREAM_FRAMES, WORKS, type Work } from './work.ts';

export const PROXIES = ['nginx', 'headgate', 'bare proxy'] as const;
export type ProxyName = (typeof PROXIES)[number];

/** One measurement: CPU microseconds of the proxy's processes for each answer, and how many answers came in a second. */
export type Sample = { work: Work; proxy: ProxyName; round: number; cpuMicros: number; perSecond: number };

export type RunFacts = { date: Date; rounds: number; seconds: number; nginx: string | null };

type Spread = { median: number; min: number; max: number };

/** What a work's cost is told for: an answer, or one chunk of a stream. */
const UNITS: Readonly<Record<Work, { title: string; unit: string; count: number }>> = {
  small: { title: 'small chat completion', unit: 'request', count: 1 },
  stream: { title: `${STREAM_FRAMES}-chunk stream, paced`, unit: 'chunk', count: STREAM_FRAMES },
};

/** The whole report, in Markdown. */
export function report(samples: readonly Sample[], facts: RunFacts): string {
  const { date, rounds, seconds, nginx } = facts;
  const processors = cpus();
  return `# Benchmark

CPU time of the proxy's processes (user and system) for the same work in the same run, and how many times that of nginx
\`proxy_pass\` it is. Medians of ${rounds} rounds of ${seconds} s, smallest and largest in brackets; the ratios are taken
round by round. Headgate has a key, the ledger, limits and a price on; the bare proxy is \`node:http\` and undici alone.

- date: ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC
- machine: ${processors.length} cores, ${processors[0]?.model.trim()}, Linux ${release()}
- Node ${process.version}, ${nginx ?? 'no nginx could be had, so there are no ratios'}

| work | proxy | CPU | times nginx | a second |
|---|---|---|---|---|
${WORKS.flatMap((work) => PROXIES.flatMap((proxy) => row(samples, work, proxy))).join('\n')}
`;
}

function row(samples: readonly Sample[], work: Work, proxy: ProxyName): string[] {
  const mine = samples.filter((sample) => sample.work === work && sample.proxy === proxy);
  if (mine.length === 0) return [];
  const { title, unit, count } = UNITS[work];
  const cpu = spread(mine.map(({ cpuMicros }) => cpuMicros / count));
  const perSecond = spread(mine.map((sample) => sample.perSecond * count));
  const ratios = mine.flatMap(({ round, cpuMicros }) => {
    const nginx = samples.find((other) => other.work === work && other.proxy === 'nginx' && other.round === round);
    return nginx === undefined ? [] : [cpuMicros / nginx.cpuMicros];
  });
  const ratio = ratios.length === 0 ? '–' : show(spread(ratios), 2);
  return [`| ${title} | ${proxy} | ${show(cpu, 1)} µs per ${unit} | ${ratio} | ${Math.round(perSecond.median)} |`];
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return {
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    min: sorted[0]!,
    max: sorted.at(-1)!,
  };
}

function show({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
