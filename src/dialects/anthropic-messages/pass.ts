import { Losses } from '../../core/losses.ts';
import { isMarked, opens, unpackSeal } from '../../core/seal.ts';
import type { Envelope, PassOptions, WrittenCall } from '../dialect.ts';
import { fieldsWithout, mayHoldSeals, parsedBody, passBody } from '../request.ts';
import { ownMarks } from '../seal-marks.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { parseCall } from './body.ts';
import { unmarked, withoutForeignSummaries } from './compaction.ts';
import { COMPARED_ID, comparedIdIn, DIAGNOSTICS } from './diagnostics.ts';
import { openedSteps } from './sealed-steps.ts';
import { withStrictContent } from './strict-content.ts';
import { lacksThinking } from './thinking-turn.ts';
import { ID } from './wire.ts';

/** The caller's body with the vendor's model name. Removes or restores seals that the gateway packed earlier. */
export function passCall(given: Envelope, options: PassOptions): WrittenCall {
  const losses = new Losses();
  const call = options.quirks?.strictContent === true ? withStrictContent(given, losses) : given;
  const isNamed = options.withoutCompared === true && options.drop?.includes(DIAGNOSTICS) !== true;
  const compared = isNamed ? comparedIdIn(call) : null;
  if (compared !== null) losses.addNames([COMPARED_ID]);
  const isLooked = options.withoutSeals === true || mayHoldSeals(call);
  const own = isLooked && options.withoutSeals !== true ? ownMarks(call.body, ID, options.provider) : null;
  const body = isLooked && own === null ? cleaned(call, options, losses, compared !== null) : null;
  if (body !== null) return { body: Buffer.from(JSON.stringify(body)), dropped: losses.names };
  const uncompared = compared === null ? [] : [{ start: compared.start, end: compared.end, text: 'null' }];
  return { body: passBody(call, options, [...(own ?? []), ...uncompared]), dropped: losses.names };
}

/** The cleaned body; `null` if the seal mark only occurs in ordinary text and nothing changes. */
function cleaned(call: Envelope, options: PassOptions, losses: Losses, isCompared: boolean): Unchecked | null {
  const { upstreamModel, provider, drop, withoutSeals = false } = options;
  const body = fieldsWithout(objectOf(parsedBody(call, parseCall)), drop ?? []);
  if (isCompared) body[DIAGNOSTICS] = { ...objectOf(body[DIAGNOSTICS]), previous_message_id: null };
  let changed = false;
  const cleanBlocks = (blocks: readonly unknown[]) => {
    const steps = openedSteps(blocks, withoutSeals ? null : provider, losses);
    const clean = steps.flatMap((block) => {
      const own = withoutSeals ? unsealed(objectOf(block), losses) : cleanBlock(objectOf(block), provider, losses);
      return own === null ? [] : [own];
    });
    changed ||= clean.length !== blocks.length || clean.some((block, index) => block !== blocks[index]);
    return clean;
  };
  const told = isList(body.messages) ? body.messages : [];
  const shortened = withoutForeignSummaries(told, withoutSeals ? null : provider);
  if (shortened !== null) {
    changed = true;
    losses.add('seal');
  }
  const messages = (shortened ?? told).flatMap((message) => {
    const { content } = objectOf(message);
    if (!isList(content)) return [message];
    const blocks = cleanBlocks(content);
    // A turn of only reasoning that was removed is removed too.
    return blocks.length === 0 && content.length > 0 ? [] : [{ ...objectOf(message), content: blocks }];
  });
  if (!changed) return null;
  const clean = { ...body, model: upstreamModel, messages };
  // With a thinking budget, a turn that calls tools must begin with thinking; here that thinking was another vendor's
  // and was removed.
  const thinks = objectOf(body.thinking).type === 'enabled';
  if (!thinks || !lacksThinking(messages)) return clean;
  losses.add('reasoning_effort');
  return withoutThinking(clean);
}

/** The block for this provider: the same object if nothing changes, `null` if the block is removed. */
function cleanBlock(block: Unchecked, provider: string, losses: Losses): Unchecked | null {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking': {
      const packed = block.type === 'thinking' ? block.signature : block.data;
      if (!isMarked(packed)) return block;
      const seal = unpackSeal(packed);
      if (seal === null || seal.value === '' || !opens(seal, ID, provider)) {
        if (seal?.value !== '') losses.add('seal');
        if (textOf(block.thinking) !== '') losses.add('reasoning');
        return null;
      }
      if (seal.form === 'redacted') return { type: 'redacted_thinking', data: seal.value };
      return { ...block, thinking: block.thinking ?? '', signature: seal.value };
    }
    case 'compaction':
      return unmarked(block);
    default:
      return block;
  }
}

/** The block; `null` if it is reasoning, which is removed with its seal. */
function unsealed(block: Unchecked, losses: Losses): Unchecked | null {
  const { type } = block;
  if (type !== 'thinking' && type !== 'redacted_thinking') return block;
  losses.add('seal');
  if (textOf(block.thinking) !== '') losses.add('reasoning');
  return null;
}

/**
 * Disables thinking, and removes the context edits that need it.
 * https://docs.anthropic.com/en/docs/build-with-claude/context-editing
 */
function withoutThinking(body: Unchecked): Unchecked {
  const { edits } = objectOf(body.context_management);
  const clean = { ...body, thinking: { type: 'disabled' } };
  if (!isList(edits)) return clean;
  const others = edits.filter((edit) => !String(objectOf(edit).type).startsWith('clear_thinking'));
  return { ...clean, context_management: { ...objectOf(body.context_management), edits: others } };
}
