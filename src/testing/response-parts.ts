import type { AnswerPart } from '../core/call.ts';
import type { Seal } from '../core/seal.ts';
import { pick } from './seeded.ts';

const TEXTS = ['a', ' ', 'One\n"two" \\ 日本 🙂\u2028', '{"type":"response.completed"}', 'data: x\n\n'];
export const OWN: Seal = { dialect: 'openai-responses', provider: null, form: 'encrypted', id: 'rs_9', value: 'gAAA=' };
export const FOREIGN: Seal = {
  dialect: 'anthropic-messages',
  provider: 'elsewhere',
  form: 'signature',
  id: null,
  value: 'sig+/=',
};

/** A part that responses can express completely. */
export function randomAnswerPart(random: () => number, index: number): AnswerPart {
  const text = pick(random, TEXTS);
  return pick<() => AnswerPart>(random, [
    () => ({ kind: 'text', text }),
    () => ({
      kind: 'text',
      text,
      citations: [
        { kind: 'url', url: 'http://a.invalid', title: 'A', start: 0, end: 1 },
        { kind: 'native', dialect: 'openai-responses', value: { type: 'file_citation', file_id: 'f', index: 0 } },
      ],
      logprobs: [{ token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -1, bytes: null }] }],
    }),
    () => ({ kind: 'refusal', text }),
    () => ({ kind: 'reasoning', text, form: 'summary', seal: pick(random, [null, OWN, FOREIGN]) }),
    () => ({ kind: 'reasoning', text: '', form: 'summary', seal: pick(random, [OWN, FOREIGN]) }),
    () => ({ kind: 'tool-call', id: `call_${index}`, name: 'look', input: '{"a":1.50}', form: 'function' }),
    () => ({ kind: 'tool-call', id: `call_${index}`, name: 'patch', input: text, form: 'custom' }),
    () => {
      // This kind of call costs nothing by itself, so usage does not mention it.
      const value = { id: `mcp_${index}`, type: 'mcp_call', status: 'completed', name: 'look', arguments: '{}' };
      return { kind: 'native', dialect: 'openai-responses', type: 'mcp_call', value };
    },
  ])();
}
