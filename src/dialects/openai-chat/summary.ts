import type { CallSummary } from '../../core/route.ts';
import type { JsonNode } from '../../json/node.ts';
import type { Envelope } from '../dialect.ts';
import {
  bindsToJson,
  given,
  itemsOf,
  type PartKinds,
  parsedObject,
  type SummaryBuilder,
  summaryOf,
  textsOf,
} from '../summary.ts';

const KINDS: PartKinds = new Map([
  ['text', 'text'],
  ['image_url', 'image'],
  ['input_audio', 'audio'],
  ['file', 'file'],
]);

/** Summarizes a chat completion request for routing. */
export function summarize(call: Envelope): CallSummary {
  return summaryOf(call, (body, summary) => {
    for (const message of itemsOf(body.get('messages'))) see(summary, message);
    if (textsOf(body.get('modalities')).some(({ text }) => text === 'audio')) summary.hears();
    return summary.build({
      body,
      tools: [...itemsOf(body.get('tools')), ...itemsOf(body.get('functions'))],
      structuredOutput: bindsToJson(body.get('response_format')),
      user: given(body.get('safety_identifier')) ?? body.get('user'),
      metadata: parsedObject(body.get('metadata')),
    });
  });
}

function see(summary: SummaryBuilder, message: JsonNode): void {
  const texts = summary.texts(message.get('content'), KINDS);
  switch (message.get('role')?.text) {
    case 'system':
    case 'developer':
      return summary.system(texts);
    case 'user':
      return summary.user(texts);
    case 'assistant':
      return summary.assistant();
    case 'tool':
    case 'function':
      return summary.toolResult();
    default:
      return;
  }
}
