import { GatewayError } from '../core/errors.ts';
import type { DialectId, Target } from '../core/provider.ts';
import type { AnswerMaker, Compared, Envelope, Thread } from '../dialects/dialect.ts';
import { parseJson } from '../json/parse.ts';
import type { ItemMemory } from './item-memory.ts';

/**
 * Calls may name an earlier answer by its id: to go on with the conversation that its vendor keeps (a thread), or to have their
 * prompt compared with that of the answer. Who made each is remembered for the key that it was made for. A call that continues a
 * thread goes there and nowhere else, because it has only the newest turn.
 */

type Memory = Pick<ItemMemory, 'keep' | 'find' | 'bring'>;

/** Longer ids are no vendor's. */
const MAX_ID = 200;

/** Whether the answer to a call is one that later calls may name. */
export function isReferencedLater({ thread, compared }: Pick<Envelope, 'thread' | 'compared'>): boolean {
  return thread !== undefined || compared !== undefined;
}

/** The call with who made the answers that it names; a promise only if another process must be asked. */
export function withMakers(items: Memory, keyId: string, envelope: Envelope): Envelope | Promise<Envelope> {
  const { thread, compared } = envelope;
  const after = thread?.kind === 'continue' ? thread.after : null;
  const named = [after, compared?.after ?? null].filter((id) => id !== null && id !== '' && id.length <= MAX_ID);
  if (named.length === 0) return envelope;
  const makerOf = (id: string | null) => (id === null ? null : makerIn(items.find(keyId, nameOf(id))));
  const found = (): Envelope => {
    const known = { ...envelope };
    if (thread?.kind === 'continue') known.thread = { ...thread, madeBy: makerOf(after) };
    if (compared !== undefined) known.compared = { ...compared, madeBy: makerOf(compared.after) };
    return known;
  };
  return (
    items
      .bring(
        keyId,
        named.map((id) => nameOf(id!)),
      )
      ?.then(found) ?? found()
  );
}

/** Remembers that a target made this answer. */
export function noteMaker(items: Memory, keyId: string, answerId: string, { provider, model }: Target): void {
  if (answerId === '' || answerId.length > MAX_ID || provider.quirks.ownFormat !== true) return;
  items.keep(keyId, nameOf(answerId), JSON.stringify([provider.id, provider.credentialName, model.upstreamId]));
}

/**
 * Whether a call may go to a target, as far as its thread is concerned.
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
  if (!mayBeNamed(madeBy, provider)) return false;
  return !isModelFixed || madeBy === null || madeBy.upstreamModel === model.upstreamId;
}

/** Whether a provider may be sent the id of the answer that a call is compared with. */
export function mayCompare({ after, madeBy }: Compared, { provider }: Pick<Target, 'provider'>): boolean {
  return after === null || mayBeNamed(madeBy, provider);
}

/**
 * Whether a provider may be sent the id of an answer: of one that it made with this credential. One that is not known here may
 * be another caller's, so it is named only to providers whose account is its callers' own.
 */
function mayBeNamed(madeBy: AnswerMaker | null, provider: Target['provider']): boolean {
  if (madeBy === null) return provider.sharedIds === 'allow';
  return madeBy.provider === provider.id && madeBy.credential === provider.credentialName;
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
  return `answer ${answerId}`;
}

function makerIn(json: string | undefined): AnswerMaker | null {
  if (json === undefined) return null;
  const [provider, credential, upstreamModel] = parseJson(json) as [string, string, string];
  return { provider, credential, upstreamModel };
}
