import type { CallObserver } from '../core/ports.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { DIALECTS } from '../dialects/built.ts';
import type { Health } from '../health/health.ts';
import type { LiveModels } from '../learning/live-models.ts';
import { LoadShedder } from '../pipeline/admission/load-shedder.ts';
import { ItemMemory } from '../pipeline/item-memory.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { createTokenCounter } from '../pipeline/tokenizer.ts';
import { echoUpstream } from '../providers/echo/echo.ts';
import type { Affinity } from '../routing/affinity.ts';
import { callLog, refusedCallLines } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { RefusedCallKeeper } from '../telemetry/refused-call-keeper.ts';
import { type CallLimits, callLimits } from './call-limits.ts';
import { configIn, type GatewayView } from './gateway-view.ts';
import type { GatewayParts } from './process-parts.ts';
import { tellsCalls } from './serving-data.ts';
import { CLOCK } from './setup.ts';

/** What serves calls, and what counts and limits them. */
export type CallPath = {
  pipeline: Pipeline;
  limits: CallLimits;
  metrics: Metrics;
  /** Told of each call, and of those that are refused before the pipeline. */
  observer: CallObserver;
  /** Flushes the lines and the records of refused calls. Never rejects. */
  closeRefused(): Promise<void>;
  items: ItemMemory;
  shedder: LoadShedder;
  wheel: TimerWheel;
};

/** What the path of a call shares with the rest of the gateway. */
type SharedParts = { health: Health; affinity: Affinity; models: LiveModels };

export function buildPipeline(parts: GatewayParts, view: GatewayView, shared: SharedParts): CallPath {
  const { log, storage, ids, processParts } = parts;
  const { snapshot } = view;
  const config = () => configIn(view);
  const limits = callLimits(processParts, config, storage, log);
  const metrics = new Metrics(processParts.metrics, () => limits.rates.outgoing().values());
  const refusedLines = tellsCalls(config(), log) ? refusedCallLines(metrics) : null;
  const keeper = new RefusedCallKeeper({
    store: storage.refused,
    monotonic: CLOCK.monotonic,
    recordId: ids.recordId,
    bounds: () => config().limits.refusedCalls,
    onShed: () => metrics.shedRefused(),
    onError: (error) => log.warn({ err: error }, 'Refused calls could not be stored, so they cannot be found later.'),
  });
  const observer = withKeeper(refusedLines ?? metrics, keeper);
  const items = new ItemMemory(config, CLOCK.monotonic, processParts.items);
  const wheel = new TimerWheel(CLOCK.monotonic);
  const shedder = new LoadShedder({
    now: CLOCK.monotonic,
    memory: () => process.memoryUsage.rss(),
    limits: () => config().limits,
  });
  const echo = echoUpstream({ clock: CLOCK, id: () => ids.requestId().slice('req_'.length) });
  const pipeline = new Pipeline({
    current: snapshot,
    dialects: DIALECTS,
    upstreamOf: (provider) => (provider.transport === 'echo' ? echo : snapshot().sockets),
    ledger: storage.ledger,
    ...limits,
    health: shared.health,
    affinity: shared.affinity,
    scorerOf: ({ id, smart }) => (smart === null ? null : shared.models.of(id).scorer),
    random: Math.random,
    tokens: createTokenCounter((error) =>
      log.warn(
        { err: error },
        'The tokenizer is missing: where a provider reports no usage, tokens are guessed by length.',
      ),
    ),
    observer,
    log: callLog(log),
    clock: CLOCK,
    ...{ shedder, items, wheel, ids },
  });
  return {
    ...{ pipeline, limits, metrics, observer, items, shedder, wheel },
    async closeRefused() {
      refusedLines?.close();
      await keeper.close();
    },
  };
}

/** Tells the keeper, too, of refused calls. */
function withKeeper(next: CallObserver, keeper: RefusedCallKeeper): CallObserver {
  return {
    opened: () => next.opened(),
    closed: (intent, settlement, isListed) => next.closed(intent, settlement, isListed),
    refused(call) {
      next.refused(call);
      keeper.note(call);
    },
  };
}
