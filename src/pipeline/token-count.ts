import type { GatewayError } from '../core/errors.ts';
import { NO_LOSSES } from '../core/losses.ts';
import type { Provider, Target } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import { makerOf } from '../core/seal.ts';
import { usageOf } from '../core/usage.ts';
import type { AnswerPeek, Dialect, Envelope, OutputItem } from '../dialects/dialect.ts';
import { refuseSharedId } from '../dialects/shared-ids.ts';
import { scanObject } from '../json/scan.ts';
import type { ProviderSlot } from './admission/provider-queue.ts';
import { reserveCount } from './admission/reserve.ts';
import type { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts } from './parts.ts';
import type { Planner } from './planner.ts';
import type { WholeConverter } from './translation/converter.ts';
import { fitTools } from './translation/passed-tools.ts';
import { LARGE, turnIf } from './turns.ts';
import { upstreamHeaders, withheldMembers } from './upstream-request.ts';
import { WholeReceiver } from './whole.ts';

/** How a dialect counts the tokens of a prompt: a path below that of calls, with almost the same body. */
export type CountDialect = {
  dialect: Dialect;
  /** Appended to the path of calls. */
  path: string;
  readEnvelope: Dialect['inbound']['readEnvelope'];
  /** The number in the vendor's answer; `null` if it has none. */
  readCount(body: string): number | null;
};

export type CountRequest = Pick<
  CallRequest,
  'body' | 'caller' | 'sent' | 'admission' | 'forwarded' | 'startedAt' | 'answer'
>;

export type CounterParts = {
  parts: PipelineParts;
  calls: OpenCalls;
  planner: Planner;
  /** A slot at a provider if one is free now, else `null`. */
  slotAt(provider: Provider): ProviderSlot | null;
};

/**
 * How many tokens a prompt has: the vendor's count if it speaks the caller's dialect and returns one, else our own.
 * Nothing is generated, billed or recorded; it counts as a request of its key.
 * Throws `GatewayError` as a call does.
 */
export async function countTokens(
  counter: CounterParts,
  counting: CountDialect,
  request: CountRequest,
): Promise<number> {
  const { parts, planner } = counter;
  const { directory, settings } = parts.current();
  const { dialect } = counting;
  const envelope = counting.readEnvelope(request.body, settings.limits);
  const isLarge = envelope.body.length > LARGE;
  await turnIf(isLarge);
  const { caller, sent } = request;
  const plan = planner.plan({ asked: dialect, caller, sent }, envelope, directory);
  const { route } = plan;
  const knows = ({ provider, dialect: spoken }: Target) =>
    envelope.essential === undefined || (provider.quirks.ownFormat === true && spoken === dialect.id);
  if (!plan.targets.some(knows)) throw dialect.outbound.unknownHere!(envelope.essential!);
  const target = await reserveCount(parts, { plan, name: envelope.model, directory }, caller.key);
  refuseSharedId(envelope, target.provider);
  const told =
    target.dialect === dialect.id && knows(target)
      ? await ask(counter, counting, request, { envelope, target, route })
      : null;
  if (told !== null) return told;
  await turnIf(isLarge);
  const prompt = dialect.inbound.promptText(envelope);
  await turnIf(isLarge);
  return parts.tokens.count(prompt);
}

/**
 * The vendor's count; `null` if it has no free slot, the gateway stops, or the request fails for any reason. Rejects if
 * the caller loses access meanwhile.
 */
async function ask(
  { parts, calls, slotAt }: CounterParts,
  { dialect, path, readCount }: CountDialect,
  { forwarded, answer, admission, caller }: CountRequest,
  { envelope, target, route }: { envelope: Envelope; target: Target; route: Route | null },
): Promise<number | null> {
  const { settings } = parts.current();
  const { provider, model } = target;
  await turnIf(envelope.body.length > LARGE);
  const drop = withheldMembers(route !== null, caller.key);
  const fitted = fitTools(envelope, dialect, provider.quirks);
  const { body } = dialect.outbound.passCall(fitted?.envelope ?? envelope, {
    upstreamModel: model.upstreamId,
    provider: makerOf(provider, dialect.id),
    streamUsage: 'as-sent',
    quirks: provider.quirks,
    ...(drop !== null && { drop }),
  });
  const converter = new CountReader(readCount);
  const limits = { maxAnswer: settings.limits.maxAnswer, total: settings.timeouts.firstByte };
  const receiver = new WholeReceiver({ spoken: dialect, converter, forms: null }, limits, parts.wheel);
  const headers = upstreamHeaders(provider, dialect, false, forwarded);
  const sent = { target, method: 'POST', path: target.path + path, headers, body } as const;
  const slot = slotAt(provider);
  if (slot === null) return null;
  const ended = Promise.withResolvers<never>();
  const interrupt = (error: GatewayError) => {
    // A gateway that stops still has its own count.
    if (error.kind !== 'shutting_down') ended.reject(error);
    receiver.interrupt(error);
  };
  const waiting = { interrupt, waitsAt: -1, admission: null };
  try {
    const running = receiver.run(parts.upstreamOf(provider), sent, answer);
    calls.wait(waiting, admission);
    const end = await Promise.race([running, ended.promise]);
    return end.kind === 'complete' ? converter.count : null;
  } finally {
    calls.stopWaiting(waiting);
    slot.release();
  }
}

const NOTHING = scanObject(Buffer.from('{}'), 1);

/** Reads the number in a vendor's answer. The answer itself is not passed on. */
class CountReader implements WholeConverter {
  readonly builds = false;
  count: number | null = null;
  readonly dropped = NO_LOSSES;
  readonly #readCount: CountDialect['readCount'];

  constructor(readCount: CountDialect['readCount']) {
    this.#readCount = readCount;
  }

  read(body: Buffer): AnswerPeek {
    this.count = this.#readCount(body.toString('utf8'));
    return { usage: usageOf({}), error: null, output: () => ({ text: '', unseen: 0 }), index: NOTHING };
  }

  build(): void {}

  written(body: Buffer): Buffer {
    return body;
  }

  items(): readonly OutputItem[] {
    return [];
  }
}
