import { answer } from '../../src/testing/answers.ts';
import { field } from '../../src/testing/json.ts';
import { insert, type Plan, paced } from '../../src/testing/reply.ts';

/** One call of the load. All of them, up to ten million, differ in their tokens, so that no record can stand for another. */
export type Call = {
  number: number;
  streamed: boolean;
  /** Whether the caller asks for a stream's usage; else the gateway does. */
  asksUsage: boolean;
  inputTokens: number;
  outputTokens: number;
};

export const MODEL = 'crash-model';
/** Not round, so that rounding shows: dollars per million tokens, which are also micro-dollars per token. */
export const PRICE = { input: 0.123457, output: 0.654321 };
const INPUT_PICOS = 123_457n;
const OUTPUT_PICOS = 654_321n;

const MAX_WAIT_MS = 20;
/** Without a common divisor: pairs of what numbers leave begin anew after as many numbers as both together are. */
const [INPUTS, OUTPUTS] = [10_007, 997];

/** The call of this number: whole or streamed, at once or slowly. */
export function callOf(number: number): Call {
  return {
    number,
    streamed: number % 2 === 1,
    asksUsage: number % 8 >= 4,
    inputTokens: 100 + (number % INPUTS),
    outputTokens: 1 + (number % OUTPUTS),
  };
}

/** The caller's own id for a call: its record has it too, even if the call was cut short. */
export function clientIdOf({ number }: Call): string {
  return `crash-${number}`;
}

export function callOfClientId(id: unknown): Call | null {
  const number = /^crash-(\d+)$/.exec(String(id))?.[1];
  return number === undefined ? null : callOf(Number(number));
}

export function bodyOf(call: Call): string {
  const messages = [{ role: 'user', content: `${call.number}` }];
  const options = call.asksUsage ? { stream_options: { include_usage: true } } : {};
  return JSON.stringify({ model: MODEL, messages, ...(call.streamed && { stream: true, ...options }) });
}

/** Nano-dollars of so many tokens: each kind is rounded half up, then they are added. */
export function costOf(inputTokens: number, outputTokens: number): bigint {
  const nanos = (tokens: number, picos: bigint) => (BigInt(tokens) * picos + 500n) / 1000n;
  return nanos(inputTokens, INPUT_PICOS) + nanos(outputTokens, OUTPUT_PICOS);
}

/** The vendor's side: answers with the tokens of the call that asks, half of the calls slowly. Tells of each it got. */
export function vendorPlan(onCall: (call: Call) => void): Plan {
  return (request) => {
    const call = callOf(Number(field(request.json, 'messages', '0', 'content')));
    onCall(call);
    const { inputTokens, outputTokens } = call;
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    };
    const plan = answer({ usage });
    const slow = call.number % 4 >= 2;
    if (!slow) return plan(request);
    const waitMs = call.number % MAX_WAIT_MS;
    return (call.streamed ? paced(plan, Math.ceil(waitMs / 5)) : insert(plan, 0, { waitMs }))(request);
  };
}
