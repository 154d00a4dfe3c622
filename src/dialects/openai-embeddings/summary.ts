import type { CallSummary } from '../../core/route.ts';
import type { Envelope } from '../dialect.ts';
import { parsedObject, summaryOf, textsOf } from '../summary.ts';

/** Summarizes an embeddings request for routing: its texts count as a user's, and there is no conversation. */
export function summarize(call: Envelope): CallSummary {
  return summaryOf(call, (body, summary) => {
    const input = body.get('input');
    summary.user(input?.isText ? [input] : textsOf(input));
    const seen = summary.build({
      body,
      tools: [],
      structuredOutput: false,
      user: body.get('user'),
      metadata: parsedObject(body.get('metadata')),
    });
    return { ...seen, turns: 0, opening: '' };
  });
}
