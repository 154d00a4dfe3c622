import { GatewayError } from '../core/errors.ts';
import type { DialectId, Target } from '../core/provider.ts';
import type { Envelope, Thread, ThreadMaker } from '../dialects/dialect.ts';
import { parseJson } from '../json/parse.ts';
import type { ItemMemory } from './item-memory.ts';

/**
 * Conversations that a vendor keeps (threads) are remembered by the ids of its answers: who keeps each, for the key that it was made
 * for. A call that continues one goes there and nowhere else, because it has only the newest turn.
 */

type Memory = Pick<ItemMemory, 'keep' | 'find' | 'bring'>;

/** Longer ids are no vendor's. */
const MAX_ID = 200;

/** The call with who keeps the thread that it continues; a promise only if another process must be asked. */
export function withThread(items: Memory, keyId: string, envelope: Envelope): Envelope | Promise<Envelope> {
  const { thread } = envelope;
  if (thread?.kind !== 'continue' || thread.after.length > MAX_ID) return envelope;
  const id = nameOf(thread.after);
  const found = (): Envelope => ({ ...envelope, thread: { ...thread, madeBy: makerIn(items.find(keyId, id)) } });
  return items.bring(keyId, [id])?.then(found) ?? found();
}

/** Remembers that a target keeps the thread that ends with this answer. */
export function noteThread(items: Memory, keyId: string, answerId: string, { provider, model }: Target): void {
  if (answerId === '' || answerId.length > MAX_ID || provider.quirks.ownFormat !== true) return;
  items.keep(keyId, nameOf(answerId), JSON.stringify([provider.id, provider.credentialName, model.upstreamId]));
}

/**
 * Whether a call may go to a target, as far as its thread is concerned. A thread that is not known here may be another caller's, so only
 * providers whose account is its callers' own are asked for it.
 *
 * @param isModelFixed whether the model is the gateway's choice, which then stays as it was
 */
export function mayContinue(
  thread: Thread | undefined,
  asked: DialectId,
  target: Target,
  isModelFixed = false,
): boolean {
  if (thread?.kind !== 'continue') return true;
  const { provider, model, dialect } = target;
  if (dialect !== asked || provider.quirks.ownFormat !== true) return false;
  const { madeBy } = thread;
  if (madeBy === null) return provider.sharedIds === 'allow';
  if (madeBy.provider !== provider.id || madeBy.credential !== provider.credentialName) return false;
  return !isModelFixed || madeBy.upstreamModel === model.upstreamId;
}

/** The error for a thread that nobody keeps who may serve the call, as Anthropic gives it: its clients then send all of it. */
export function threadNotFound(): GatewayError {
  const message =
    'No thread was found for `thread.previous_message_id` at a provider that may serve this call. Send the whole ' +
    'conversation with `"thread": {"type": "create"}`.';
  const param = 'thread.previous_message_id';
  return new GatewayError('thread_not_found', message, { param, details: { error_code: 'thread_not_found' } });
}

function nameOf(answerId: string): string {
  return `thread ${answerId}`;
}

function makerIn(json: string | undefined): ThreadMaker | null {
  if (json === undefined) return null;
  const [provider, credential, upstreamModel] = parseJson(json) as [string, string, string];
  return { provider, credential, upstreamModel };
}
