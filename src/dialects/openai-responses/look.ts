import type { CallLook } from '../../core/route.ts';
import type { Envelope } from '../dialect.ts';
import { bindsToJson, bodyOf, listOf, objectOf, type PartKinds, type Seen, Sight } from '../look.ts';
import { itemType } from './items-read.ts';

const KINDS: PartKinds = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['input_image', 'image'],
  ['computer_screenshot', 'image'],
  ['input_audio', 'audio'],
  ['input_file', 'file'],
]);

/** What routing looks at in a call for a response. */
export function look(call: Envelope): CallLook {
  const body = bodyOf(call);
  const sight = new Sight();
  sight.system(sight.texts(body.instructions, KINDS));
  if (typeof body.input === 'string') sight.user([body.input]);
  let inAnswer = false;
  for (const item of listOf(body.input)) inAnswer = see(sight, objectOf(item), inAnswer);
  return sight.look({
    body,
    tools: listOf(body.tools),
    structuredOutput: bindsToJson(objectOf(body.text).format),
    user: body.safety_identifier ?? body.user,
    metadata: body.metadata,
  });
}

/** @returns whether the item is of an answer: those that follow one another are one turn of the assistant's */
function see(sight: Sight, item: Seen, inAnswer: boolean): boolean {
  const type = itemType(item);
  if (type === 'message') return seeMessage(sight, item, inAnswer);
  if (type.endsWith('_output') || type.endsWith('_response')) {
    // What a tool gave back: a text, parts, or a screenshot by itself.
    sight.texts(Array.isArray(item.output) ? item.output : [item.output], KINDS);
    sight.toolResult();
    return false;
  }
  if (type !== 'reasoning' && !type.endsWith('_call')) return inAnswer;
  if (!inAnswer) sight.assistant();
  return true;
}

function seeMessage(sight: Sight, { role, content }: Seen, inAnswer: boolean): boolean {
  const texts = sight.texts(content, KINDS);
  switch (role) {
    case 'system':
    case 'developer':
      sight.system(texts);
      return inAnswer;
    case 'user':
      sight.user(texts);
      return false;
    case 'assistant':
      if (!inAnswer) sight.assistant();
      return true;
    default:
      return inAnswer;
  }
}
