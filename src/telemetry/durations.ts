import type { Metric, Registry } from 'prom-client';

/** The upper bounds of buckets, in seconds. */
const BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

type DurationLabels = { provider: string; model: string };
/** A line of Prometheus' text, as prom-client takes it. */
type Value = { metricName: string; labels: Record<string, string | number>; value: number };

/**
 * A histogram of durations for prom-client's registry. Counting is our own, because the library's histogram makes a text of the
 * labels and looks for it at each observation; a test holds that its text is the same.
 */
export class Durations {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  /** Several processes' values are added up. */
  readonly aggregator = 'sum';
  readonly #series: DurationSeries[] = [];

  constructor(name: string, help: string, registry: Registry) {
    this.name = name;
    this.help = help;
    registry.registerMetric(this as unknown as Metric);
  }

  /** The series of these labels, made where there is none. */
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
  /** By bucket; the last one is of what no bound holds. */
  readonly #counts: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  #sum = 0;

  constructor(labels: DurationLabels) {
    this.labels = labels;
  }

  /** A series is told of from its first observation on. */
  get isObserved(): boolean {
    return this.#counts.some((count) => count > 0);
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += seconds;
  }

  /** Each bucket's value counts those of the buckets below it, too. */
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
