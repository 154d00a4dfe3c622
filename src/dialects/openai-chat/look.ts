import type { CallLook } from '../../core/route.ts';
import type { Envelope } from '../dialect.ts';
import { bindsToJson, bodyOf, listOf, objectOf, type PartKinds, Sight } from '../look.ts';

const KINDS: PartKinds = new Map([
  ['text', 'text'],
  ['image_url', 'image'],
  ['input_audio', 'audio'],
  ['file', 'file'],
]);

/** What routing looks at in a chat completion request. */
export function look(call: Envelope): CallLook {
  const body = bodyOf(call);
  const sight = new Sight();
  for (const message of listOf(body.messages)) see(sight, objectOf(message).role, objectOf(message).content);
  if (listOf(body.modalities).includes('audio')) sight.hears();
  return sight.look({
    body,
    tools: [...listOf(body.tools), ...listOf(body.functions)],
    structuredOutput: bindsToJson(body.response_format),
    user: body.safety_identifier ?? body.user,
    metadata: body.metadata,
  });
}

function see(sight: Sight, role: unknown, content: unknown): void {
  const texts = sight.texts(content, KINDS);
  switch (role) {
    case 'system':
    case 'developer':
      return sight.system(texts);
    case 'user':
      return sight.user(texts);
    case 'assistant':
      return sight.assistant();
    case 'tool':
    case 'function':
      return sight.toolResult();
    default:
      return;
  }
}
