import { cpus, release } from 'node:os';
import { CONNECTIONS, FRAME_GAP_MS, type Pace, REQUESTS_PER_SECOND, STREAM_FRAMES, WORKS, type Work } from './work.ts';

export const PROXIES = ['nginx', 'headgate', 'headgate, translating', 'bare proxy'] as const;
export type ProxyName = (typeof PROXIES)[number];

/** One measurement: CPU microseconds of the proxy's processes for each answer, and how many answers came in a second. */
export type Sample = {
  pace: Pace;
  work: Work;
  proxy: ProxyName;
  round: number;
  cpuMicros: number;
  perSecond: number;
};

export type RunFacts = { date: Date; rounds: number; seconds: number; nginx: string | null };

type Spread = { median: number; min: number; max: number };

/** What a work's cost is told for: an answer, or one chunk of a stream. */
const UNITS: Readonly<Record<Work, { title: string; unit: string; count: number }>> = {
  small: { title: 'small chat completion', unit: 'request', count: 1 },
  stream: { title: `${STREAM_FRAMES}-chunk stream`, unit: 'chunk', count: STREAM_FRAMES },
};

/** The whole report, in Markdown. */
export function report(samples: readonly Sample[], facts: RunFacts): string {
  const { date, rounds, seconds, nginx } = facts;
  const processors = cpus();
  return `# Benchmark

CPU time of the proxy's processes (user and system) for the same work in the same run, and how many times that of nginx
\`proxy_pass\` and of a bare proxy it is. Medians of ${rounds} rounds of ${seconds} s, smallest and largest in brackets; the ratios are taken
round by round. Headgate has a key, the ledger, limits and a price on; translating, it is asked in chat and asks in
Anthropic’s messages. The bare proxy is \`node:http\` and undici alone.

- date: ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC
- machine: ${processors.length} cores, ${processors[0]?.model.trim()}, Linux ${release()}
- Node ${process.version}, ${nginx ?? 'no nginx could be had, so there are no ratios'}

## At a fixed rate

${REQUESTS_PER_SECOND} small requests a second on ${CONNECTIONS.rate.small} connections; ${CONNECTIONS.rate.stream} streams, a chunk every ${FRAME_GAP_MS.rate} ms each.

${table(samples.filter(({ pace }) => pace === 'rate'))}

## At saturation

${CONNECTIONS.saturation.small} connections that each ask again at once; ${CONNECTIONS.saturation.stream} streams, a chunk every ${FRAME_GAP_MS.saturation} ms each. The more a
proxy finds waiting each time it looks, the less it costs for each: a fast one looks cheaper here than it is at a rate.

${table(samples.filter(({ pace }) => pace === 'saturation'))}
`;
}

function table(samples: readonly Sample[]): string {
  return [
    '| work | proxy | CPU | times nginx | times bare | times passing | a second |',
    '|---|---|---|---|---|---|---|',
    ...WORKS.flatMap((work) => PROXIES.flatMap((proxy) => row(samples, work, proxy))),
  ].join('\n');
}

function row(samples: readonly Sample[], work: Work, proxy: ProxyName): string[] {
  const mine = samples.filter((sample) => sample.work === work && sample.proxy === proxy);
  if (mine.length === 0) return [];
  const { title, unit, count } = UNITS[work];
  const cpu = spread(mine.map(({ cpuMicros }) => cpuMicros / count));
  const perSecond = spread(mine.map((sample) => sample.perSecond * count));
  const times = (other: ProxyName) => showRatio(mine, samples, other);
  return [
    `| ${title} | ${proxy} | ${show(cpu, 1)} µs per ${unit} | ${times('nginx')} | ${times('bare proxy')} | ${times('headgate')} | ${Math.round(perSecond.median)} |`,
  ];
}

/** How many times the cost of another proxy in the same round. */
function showRatio(mine: readonly Sample[], samples: readonly Sample[], proxy: ProxyName): string {
  const ratios = mine.flatMap(({ work, round, cpuMicros }) => {
    const other = samples.find((each) => each.work === work && each.proxy === proxy && each.round === round);
    return other === undefined ? [] : [cpuMicros / other.cpuMicros];
  });
  return ratios.length === 0 ? '–' : show(spread(ratios), 2);
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
