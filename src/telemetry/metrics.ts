import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { OutgoingUse } from '../core/outgoing-rates.ts';
import type { CallObserver } from '../core/ports.ts';
import type { Intent, Settlement } from '../core/records.ts';
import type { RefusedCall } from '../core/refused-calls.ts';
import { type DurationSeries, Durations } from './durations.ts';

/** What one process has counted, in a form that can be sent to another. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * The metrics of several processes combined: counters and histograms are summed, and Node's own are combined as suits
 * each.
 */
export function mergeMetrics(values: readonly MetricValues[]): {
  text(): Promise<string>;
  values(): Promise<MetricValues>;
} {
  const registry = AggregatorRegistry.aggregate([...values]);
  return { text: () => registry.metrics(), values: () => registry.getMetricsAsJSON() };
}

/** The Prometheus metrics. Labels come only from the catalog and closed lists, so their number is bounded. */
export class Metrics implements CallObserver {
  readonly #registry = new Registry();
  #open = 0;
  readonly #series: Series[] = [];
  /** The series by model, provider and status. */
  readonly #seriesBy = new Map<string, Map<string, Map<string, Series>>>();
  readonly #calls: Counter<'provider' | 'model' | 'status'>;
  readonly #refused: Counter<'error'>;
  readonly #shedRefused: Counter;
  readonly #tokens: Counter<'provider' | 'model' | 'type'>;
  readonly #cost: Counter<'provider' | 'model'>;
  readonly #duration: Durations;
  readonly #firstToken: Durations;

  readonly #ofAll: (() => Promise<string>) | null;

  /**
   * @param ofAll - returns the text of all processes that serve together, if there are several
   * @param outgoing - the outgoing rate limits for which this process passed calls over
   */
  constructor(ofAll: (() => Promise<string>) | null = null, outgoing: () => Iterable<OutgoingUse> = () => []) {
    this.#ofAll = ofAll;
    const registers = [this.#registry];
    const of = ['provider', 'model'] as const;
    collectDefaultMetrics({ register: this.#registry });
    const collect = () => this.#pour();
    const openCalls: Gauge = new Gauge({
      name: 'headgate_open_calls',
      help: 'Calls in progress.',
      registers,
      collect: () => openCalls.set(this.#open),
    });
    this.#calls = new Counter({
      name: 'headgate_calls_total',
      help: 'Settled calls.',
      labelNames: [...of, 'status'],
      registers,
      collect,
    });
    this.#refused = new Counter({
      name: 'headgate_refused_calls_total',
      help: 'Calls that were refused before they had a record.',
      labelNames: ['error'],
      registers,
    });
    this.#shedRefused = new Counter({
      name: 'headgate_refused_calls_not_stored_total',
      help: 'Refused calls that cannot be found later, because there were too many or the store failed.',
      registers,
    });
    this.#tokens = new Counter({
      name: 'headgate_tokens_total',
      help: 'Tokens of settled calls.',
      labelNames: [...of, 'type'],
      registers,
      collect,
    });
    this.#cost = new Counter({
      name: 'headgate_cost_usd_total',
      help: 'Known cost of settled calls.',
      labelNames: of,
      registers,
      collect,
    });
    addOutgoing(this.#registry, outgoing);
    this.#duration = new Durations(
      'headgate_call_duration_seconds',
      'From the call’s intent to its settlement.',
      this.#registry,
    );
    this.#firstToken = new Durations(
      'headgate_time_to_first_token_seconds',
      'Time until the first content of a stream was sent to the caller.',
      this.#registry,
    );
  }

  opened(): void {
    this.#open += 1;
  }

  closed(intent: Intent, settlement: Settlement, isListed: boolean): void {
    this.#open -= 1;
    const { provider } = settlement.routed ?? intent;
    const series = this.#seriesOf(provider, isListed ? intent.model : UNLISTED, settlement.status);
    series.calls += 1;
    series.input += settlement.usage.inputTokens;
    series.output += settlement.usage.outputTokens;
    if (settlement.cost !== null) series.cost = (series.cost ?? 0) + Number(settlement.cost);
    series.duration.observe((settlement.settledAt - settlement.createdAt) / 1000);
    if (settlement.timeToFirstTokenMs !== null) series.firstToken.observe(settlement.timeToFirstTokenMs / 1000);
  }

  refused({ errorKind }: RefusedCall): void {
    this.#refused.inc({ error: errorKind });
  }

  /** Counts a refused call that is not stored. */
  shedRefused(): void {
    this.#shedRefused.inc();
  }

  /** Prometheus' text format. */
  async text(): Promise<{ type: string; body: string }> {
    const body = await (this.#ofAll === null ? this.#registry.metrics() : this.#ofAll());
    return { type: this.#registry.contentType, body };
  }

  /** What this process has counted. */
  values(): Promise<MetricValues> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Passes new counts on to the registry. */
  #pour(): void {
    for (const series of this.#series) {
      const { provider, model, status } = series;
      this.#calls.inc({ provider, model, status }, series.calls);
      this.#tokens.inc({ provider, model, type: 'input' }, series.input);
      this.#tokens.inc({ provider, model, type: 'output' }, series.output);
      if (series.cost !== null) this.#cost.inc({ provider, model }, series.cost / NANOS_PER_DOLLAR);
      series.calls = 0;
      series.input = 0;
      series.output = 0;
      if (series.cost !== null) series.cost = 0;
    }
  }

  /**
   * /!\ Hot path: looked up by existing texts, and added to. The registry would create an object and a text of labels
   * each time.
   */
  #seriesOf(provider: string, model: string, status: string): Series {
    const known = this.#seriesBy.get(model)?.get(provider)?.get(status);
    if (known !== undefined) return known;
    const series: Series = {
      ...{ provider, model, status, calls: 0, input: 0, output: 0, cost: null },
      duration: this.#duration.of({ provider, model }),
      firstToken: this.#firstToken.of({ provider, model }),
    };
    const ofModel = this.#seriesBy.get(model) ?? new Map<string, Map<string, Series>>();
    const ofProvider = ofModel.get(provider) ?? new Map<string, Series>();
    this.#seriesBy.set(model, ofModel.set(provider, ofProvider.set(status, series)));
    this.#series.push(series);
    return series;
  }
}

/** Reads the counts that rate limits keep themselves. */
function addOutgoing(registry: Registry, outgoing: () => Iterable<OutgoingUse>): void {
  const passedOver: Counter<'provider' | 'credential' | 'model'> = new Counter({
    name: 'headgate_passed_over_calls_total',
    help: 'Calls that passed over a provider, key or model at its outgoing rate limit.',
    labelNames: ['provider', 'credential', 'model'],
    registers: [registry],
    collect: () => {
      passedOver.reset();
      for (const { rate, passedOver: calls } of outgoing()) {
        const { provider, credential, model } = rate;
        passedOver.inc({ provider, credential: credential ?? '', model: model ?? '' }, calls);
      }
    },
  });
}

/** The label of all unlisted models, because callers choose their names. */
const UNLISTED = 'other';

const NANOS_PER_DOLLAR = 1e9;

/** Counts of one model's calls with one status that have not been passed on. */
type Series = {
  provider: string;
  model: string;
  status: string;
  calls: number;
  input: number;
  output: number;
  /** In nano-dollars; `null` if no call had a known cost. */
  cost: number | null;
  duration: DurationSeries;
  firstToken: DurationSeries;
};
