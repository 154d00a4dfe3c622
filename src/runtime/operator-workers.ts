import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';

/** How long workers may take together for a command of the operator: to ask all providers, or to replay past calls. */
const OPERATOR_ANSWER_MS = 25_000;
/** In less time no other worker is asked. */
const LEAST_MS = 1_000;

type AskedWorker = {
  isServing: boolean;
  channel: { ask(name: 'operator', asked: OperatorRequest, timeoutMs: number): Promise<OperatorAnswer> };
};

/**
 * One serving worker answers for all. If it fails, the next is asked, unless the request may have changed something or the
 * time is up: a slow answer would be as slow there.
 *
 * @param now - ms, from any point
 */
export async function askWorkers(
  workers: readonly AskedWorker[],
  asked: OperatorRequest,
  now: () => number,
): Promise<OperatorAnswer> {
  const endsAt = now() + OPERATOR_ANSWER_MS;
  const serving = workers.filter(({ isServing }) => isServing);
  for (const [index, { channel }] of serving.entries()) {
    try {
      return await channel.ask('operator', asked, endsAt - now());
    } catch (error) {
      if (index === serving.length - 1 || mayChange(asked) || endsAt - now() < LEAST_MS) throw error;
    }
  }
  throw new Error('No worker serves at this moment.');
}

/** Whether it must not be asked twice. */
function mayChange({ method }: OperatorRequest): boolean {
  return method !== 'GET';
}
