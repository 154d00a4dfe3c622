import type { Answer } from '../../core/answer.ts';
import type { AnswerPart, NativePart, TextPart } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import type { AnswerContext, WrittenAnswer } from '../dialect.ts';
import { estimatedUsage } from '../estimate.ts';
import { objectOf, type Unchecked } from '../unchecked-json.ts';
import { toolInput } from './call-write-messages.ts';
import { writeFinish } from './finish.ts';
import { withMarkedStep } from './sealed-steps.ts';
import { callerThinking, writeCitation } from './seals.ts';
import { SearchBlocks } from './search-blocks.ts';
import { CallerIds } from './tool-ids.ts';
import { writeUsage } from './usage.ts';
import { ID, type WireBlock } from './wire.ts';

/** Writes a whole message. */
export function writeAnswer(answer: Answer, context: AnswerContext): WrittenAnswer {
  const losses = new Losses();
  const [choice, ...others] = answer.choices;
  if (others.length > 0) losses.add('choices');
  const parts = choice?.parts ?? [];
  const { provider } = context;
  const place: WrittenPlace = { provider, ids: new CallerIds(context), searches: new SearchBlocks(context), losses };
  const content = parts.flatMap((part) => writeBlock(part, place));
  const body = {
    ...messageHead(answer.id, answer.model, context),
    content,
    ...writeFinish(choice?.finish ?? { reason: 'stop' }, parts.at(-1)?.kind ?? null),
    stop_details: null,
    container: null,
    usage: writeUsage(
      answer.usage ??
        estimatedUsage(
          context.envelope,
          parts.reduce((sum, part) => sum + lengthOf(part), 0),
        ),
    ),
  };
  return { body: JSON.stringify(body), dropped: losses.names };
}

/** The head of a message. Ids from other formats are replaced, because clients expect `msg_`. */
export function messageHead(id: string | null, model: string | null, context: AnswerContext) {
  return {
    id: id?.startsWith('msg_') ? id : context.newId('msg'),
    type: 'message',
    role: 'assistant',
    model: model ?? context.model,
  };
}

type NativePlace = { provider: string; searches: SearchBlocks; losses: Losses };
type WrittenPlace = NativePlace & { ids: CallerIds };

/** The blocks of a part; none if the part is empty or Anthropic's format cannot express it. */
function writeBlock(part: AnswerPart, place: WrittenPlace): WireBlock[] {
  const { provider, ids, losses } = place;
  switch (part.kind) {
    case 'text':
      if (part.logprobs !== undefined) losses.add('logprobs');
      return writeText(part, provider, losses);
    case 'refusal':
      if (part.logprobs !== undefined) losses.add('logprobs');
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return part.text === '' && part.seal === null ? [] : [callerThinking(part, provider)];
    case 'tool-call':
      return [{ type: 'tool_use', id: ids.add(part.id), name: part.name, input: toolInput(part) }];
    case 'native':
      return nativeBlocks(part, place) as WireBlock[];
    default:
      return part satisfies never;
  }
}

/** The blocks of a native part: its own, or those of a search. */
export function nativeBlocks(part: NativePart, { provider, searches, losses }: NativePlace): Unchecked[] {
  if (part.dialect === ID) return [withMarkedStep(objectOf(part.value), provider)];
  if (part.search !== undefined) return searches.of(part.search);
  losses.add('vendor_tool_calls');
  return [];
}

function writeText({ text, citations = [] }: TextPart, provider: string, losses: Losses): WireBlock[] {
  const written = citations.flatMap((citation) => {
    const wire = writeCitation(citation, provider);
    if (wire === null) losses.add('citations');
    return wire === null ? [] : [wire];
  });
  // Anthropic refuses an empty text when the caller sends it back.
  if (text === '' && written.length === 0) return [];
  return [{ type: 'text', text, ...(written.length > 0 && { citations: written }) }];
}

function lengthOf(part: AnswerPart): number {
  if (part.kind === 'native') return 0;
  return part.kind === 'tool-call' ? part.name.length + part.input.length : part.text.length;
}
