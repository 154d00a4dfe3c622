import type { CallSummary } from '../../core/route.ts';
import type { JsonNode } from '../../json/node.ts';
import type { Envelope } from '../dialect.ts';
import { bindsToJson, itemsOf, type PartKinds, parsedObject, type SummaryBuilder, summaryOf } from '../summary.ts';
import { BILLING_BLOCK } from './wire.ts';

const KINDS: PartKinds = new Map([
  ['text', 'text'],
  ['image', 'image'],
  ['document', 'file'],
  ['container_upload', 'file'],
]);

/** Summarizes a messages call for routing. */
export function summarize(call: Envelope): CallSummary {
  return summaryOf(call, (body, summary) => {
    const { user_id: _, ...metadata } = parsedObject(body.get('metadata'));
    const system = summary.texts(body.get('system'), KINDS);
    summary.system(system.filter(({ text }) => text?.startsWith(BILLING_BLOCK) === false));
    for (const message of itemsOf(body.get('messages'))) see(summary, message);
    return summary.build({
      body,
      tools: itemsOf(body.get('tools')),
      structuredOutput: bindsToJson(body.get('output_config')?.get('format')) || bindsToJson(body.get('output_format')),
      user: body.get('metadata')?.get('user_id') ?? null,
      metadata,
    });
  });
}

function see(summary: SummaryBuilder, message: JsonNode): void {
  const content = message.get('content');
  const texts = summary.texts(content, KINDS);
  switch (message.get('role')?.text) {
    case 'system':
      return summary.system(texts);
    case 'assistant':
      return summary.assistant();
    case 'user': {
      const results = itemsOf(content).filter((block) => block.get('type')?.text === 'tool_result');
      if (results.length === 0) return summary.user(texts);
      // Text beside a tool result is usually the client's, not the user's.
      for (const result of results) summary.texts(result.get('content'), KINDS);
      return summary.toolResult();
    }
    default:
      return;
  }
}
