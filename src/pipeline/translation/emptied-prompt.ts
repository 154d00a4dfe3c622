import type { Call, UserPart } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Envelope } from '../../dialects/dialect.ts';
import { hasMember } from '../../json/tape.ts';

/** The most files that an error names, and the most characters of a name. */
const MAX_NAMED = 5;
const MAX_NAME = 100;

/**
 * Refuses a call whose last prompt consists only of files that the vendor's format cannot hold: the rest would be an
 * empty prompt, or an earlier one. Throws `GatewayError` (400) that names the files.
 *
 * @param carries whether the vendor's format can hold a part
 */
export function refuseEmptiedPrompt(call: Call, carries: (part: UserPart) => boolean, envelope: Envelope): void {
  const parts = lastPrompt(call);
  const files = parts.filter(({ kind }) => kind === 'image' || kind === 'audio' || kind === 'file');
  if (files.length === 0 || parts.some((part) => !isBlank(part) && carries(part))) return;
  const named = files.slice(0, MAX_NAMED).map(nameOf).join(', ');
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  const param = hasMember(envelope.body, envelope.index, 'input') ? 'input' : 'messages';
  const message = `The prompt consists only of files that this model cannot accept: ${named}${more}.`;
  throw new GatewayError('invalid_request', message, { param, code: 'unsupported_file' });
}

/** The user's parts after the last answer; none if there are tool results among them. */
function lastPrompt({ messages }: Call): readonly UserPart[] {
  let end = messages.length;
  while (end > 0 && messages[end - 1]!.role === 'assistant') end -= 1;
  const parts: UserPart[] = [];
  for (let at = end - 1; at >= 0 && messages[at]!.role !== 'assistant'; at -= 1) {
    const message = messages[at]!;
    if (message.role === 'tool') return [];
    if (message.role === 'user') parts.unshift(...message.parts);
  }
  return parts;
}

function isBlank(part: UserPart): boolean {
  return part.kind === 'text' && part.text.trim() === '';
}

function nameOf(part: UserPart): string {
  switch (part.kind) {
    case 'audio':
      return `audio (${part.format})`;
    case 'image':
    case 'file': {
      const { source } = part;
      const type = source.kind === 'data' ? ` (${source.mediaType})` : '';
      const name = part.kind === 'file' ? part.filename : undefined;
      const place = source.kind === 'url' ? source.url : source.kind === 'id' ? source.id : part.kind;
      return `${(name ?? place).slice(0, MAX_NAME)}${type}`;
    }
    default:
      return part.kind;
  }
}
