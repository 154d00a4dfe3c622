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
} from '../summary.ts';

const KINDS: PartKinds = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['input_image', 'image'],
  ['computer_screenshot', 'image'],
  ['input_audio', 'audio'],
  ['input_file', 'file'],
]);

/** Summarizes a responses call for routing. */
export function summarize(call: Envelope): CallSummary {
  return summaryOf(call, (body, summary) => {
    summary.system(summary.texts(body.get('instructions'), KINDS));
    const input = body.get('input');
    if (input?.isText) summary.user([input]);
    let inAnswer = false;
    for (const item of itemsOf(input)) inAnswer = see(summary, item, inAnswer);
    return summary.build({
      body,
      tools: itemsOf(body.get('tools')),
      structuredOutput: bindsToJson(body.get('text')?.get('format')),
      user: given(body.get('safety_identifier')) ?? body.get('user'),
      metadata: parsedObject(body.get('metadata')),
    });
  });
}

/** @returns whether the item belongs to an answer: consecutive ones count as one assistant turn */
function see(summary: SummaryBuilder, item: JsonNode, inAnswer: boolean): boolean {
  const type = item.get('type')?.text || 'message';
  if (type === 'message') return seeMessage(summary, item, inAnswer);
  if (type.endsWith('_output') || type.endsWith('_response')) {
    // A tool result: a text, parts, or a single screenshot.
    const output = item.get('output');
    if (output?.isObject) summary.part(output, KINDS);
    else summary.texts(output, KINDS);
    summary.toolResult();
    return false;
  }
  if (type !== 'reasoning' && !type.endsWith('_call')) return inAnswer;
  if (!inAnswer) summary.assistant();
  return true;
}

function seeMessage(summary: SummaryBuilder, message: JsonNode, inAnswer: boolean): boolean {
  const texts = summary.texts(message.get('content'), KINDS);
  switch (message.get('role')?.text) {
    case 'system':
    case 'developer':
      summary.system(texts);
      return inAnswer;
    case 'user':
      summary.user(texts);
      return false;
    case 'assistant':
      if (!inAnswer) summary.assistant();
      return true;
    default:
      return inAnswer;
  }
}
