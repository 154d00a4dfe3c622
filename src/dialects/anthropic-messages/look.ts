import type { CallLook } from '../../core/route.ts';
import type { Envelope } from '../dialect.ts';
import { bindsToJson, bodyOf, listOf, objectOf, type PartKinds, type Seen, Sight } from '../look.ts';

const KINDS: PartKinds = new Map([
  ['text', 'text'],
  ['image', 'image'],
  ['document', 'file'],
  ['container_upload', 'file'],
]);

/** Claude Code's own bookkeeping in front of its system text. A part of it changes with each call. */
const BOOKKEEPING = 'x-anthropic-billing-header:';

/** What routing looks at in a call for a message. */
export function look(call: Envelope): CallLook {
  const body = bodyOf(call);
  const { user_id: user, ...metadata } = objectOf(body.metadata);
  const sight = new Sight();
  sight.system(sight.texts(body.system, KINDS).filter((text) => !text.startsWith(BOOKKEEPING)));
  for (const message of listOf(body.messages)) see(sight, objectOf(message));
  return sight.look({
    body,
    tools: listOf(body.tools),
    structuredOutput: bindsToJson(objectOf(body.output_config).format) || bindsToJson(body.output_format),
    user,
    metadata,
  });
}

function see(sight: Sight, { role, content }: Seen): void {
  const texts = sight.texts(content, KINDS);
  switch (role) {
    case 'system':
      return sight.system(texts);
    case 'assistant':
      return sight.assistant();
    case 'user': {
      const results = listOf(content).filter((block) => objectOf(block).type === 'tool_result');
      if (results.length === 0) return sight.user(texts);
      // Words beside a tool's result are the client's reminders more often than the user's.
      for (const result of results) sight.texts(objectOf(result).content, KINDS);
      return sight.toolResult();
    }
    default:
      return;
  }
}
