import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { Durations } from './durations.ts';

const NAME = 'call_duration_seconds';
const HELP = 'How long a call took.';
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];
const LABELS = [
  { provider: 'lab', model: 'small' },
  { provider: 'lab', model: 'a "quoted" \\ name\nof two lines' },
  { provider: 'other', model: 'small' },
];
/** Values on bounds, between them and beyond the last. */
const SECONDS = [0, 0.049, 0.05, 0.0501, 0.3, 1, 2.5, 899.9, 900, 900.1, 86_400];

function observed(): { own: Registry; librarys: Registry } {
  const own = new Registry();
  const librarys = new Registry();
  const durations = new Durations(NAME, HELP, own);
  const names = ['provider', 'model'] as const;
  const histogram = new Histogram({
    name: NAME,
    help: HELP,
    labelNames: names,
    buckets: BUCKETS,
    registers: [librarys],
  });
  for (const [index, labels] of LABELS.entries()) {
    for (const seconds of SECONDS.slice(index)) {
      durations.of({ ...labels }).observe(seconds);
      histogram.observe(labels, seconds);
    }
  }
  return { own, librarys };
}

test('the text is that of the library’s own histogram', async () => {
  const { own, librarys } = observed();
  const text = await own.metrics();
  assert.equal(text, await librarys.metrics());
  assert.ok(text.includes(`${NAME}_bucket{le="+Inf",provider="other",model="small"} ${SECONDS.length - 2}`));
});

test('those of several processes are added up as the library’s are', async () => {
  const { own, librarys } = observed();
  const twice = async (registry: Registry) => {
    const values = await registry.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([values, structuredClone(values)]).metrics();
  };
  const text = await twice(own);
  assert.equal(text, await twice(librarys));
  assert.ok(text.includes(`${NAME}_count{provider="lab",model="small"} ${2 * SECONDS.length}`));
});
