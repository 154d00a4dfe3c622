import type { Metric, Registry } from 'prom-client';

/** The upper bounds of buckets, in seconds. */
const BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

type DurationLabels = { provider: string; model: string };
/** A line of Prometheus' text format, as prom-client expects it. */
type Value = { metricName: string; labels: Record<string, string | number>; value: number };

/**
 * A histogram of durations for prom-client's registry. We count ourselves, because the library builds and looks up a
 * text of the labels at each observation. A test compares its text with the library's.
 */
export class Durations {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  /** Values of several processes are summed. */
  readonly aggregator = 'sum';
  readonly #series: DurationSeries[] = [];

  constructor(name: string, help: string, registry: Registry) {
    this.name = name;
    this.help = help;
    registry.registerMetric(this as unknown as Metric);
  }

  /** The series with these labels, created if needed. */
  of({ provider, model }: DurationLabels): DurationSeries {
    const isIt = ({ labels }: DurationSeries) => labels.provider === provider && labels.model === model;
    const known = this.#series.find(isIt);
    if (known !== undefined) return known;
    const series = new DurationSeries({ provider, model });
    this.#series.push(series);
    return series;
  }

  /** For the registry. */
  get(): Promise<object> {
    const { name, help, type, aggregator } = this;
    const values = this.#series.flatMap((each) => (each.isObserved ? each.values(name) : []));
    return Promise.resolve({ name, help, type, aggregator, values });
  }
}

export class DurationSeries {
  readonly labels: DurationLabels;
  /** By bucket. The last bucket has no upper bound. */
  readonly #counts: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  #sum = 0;

  constructor(labels: DurationLabels) {
    this.labels = labels;
  }

  /** A series appears with its first observation. */
  get isObserved(): boolean {
    return this.#counts.some((count) => count > 0);
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += seconds;
  }

  /** Each bucket includes the counts of those below it. */
  values(name: string): Value[] {
    let count = 0;
    const values: Value[] = this.#counts.map((ofBucket, bucket) => {
      count += ofBucket;
      return { metricName: `${name}_bucket`, labels: { le: BOUNDS[bucket] ?? '+Inf', ...this.labels }, value: count };
    });
    values.push({ metricName: `${name}_sum`, labels: { ...this.labels }, value: this.#sum });
    values.push({ metricName: `${name}_count`, labels: { ...this.labels }, value: count });
    return values;
  }
}
