import { Losses } from '../../core/losses.ts';
import { opens, unpackSeal } from '../../core/seal.ts';
import type { Envelope, PassOptions, WrittenCall } from '../dialect.ts';
import { fieldsWithout, mayHoldSeals, parsedBody, passBody } from '../request.ts';
import { ownMarks } from '../seal-marks.ts';
import { parseCall } from './body.ts';
import { unmarked, withoutForeignSummaries } from './compaction.ts';
import { COMPARED_ID, comparedIdIn, DIAGNOSTICS } from './diagnostics.ts';
import { ID, isMarked } from './seals.ts';
import { withStrictContent } from './strict-content.ts';
import { lacksThinking } from './thinking-turn.ts';
import { isList, type Loose, loose, textOf } from './wire.ts';

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
function cleaned(call: Envelope, options: PassOptions, losses: Losses, isCompared: boolean): Loose | null {
  const { upstreamModel, provider, drop, withoutSeals = false } = options;
  const body = fieldsWithout(loose(parsedBody(call, parseCall)), drop ?? []);
  if (isCompared) body[DIAGNOSTICS] = { ...loose(body[DIAGNOSTICS]), previous_message_id: null };
  let changed = false;
  const cleanBlocks = (blocks: readonly unknown[]) => {
    const foreign = foreignSearches(blocks);
    return blocks.flatMap((block) => {
      if (isOfSearch(loose(block), foreign)) {
        changed = true;
        losses.add('vendor_tool_calls');
        return [];
      }
      const clean = withoutSeals ? unsealed(loose(block), losses) : cleanBlock(loose(block), provider, losses);
      if (clean === block) return [block];
      changed = true;
      return clean === null ? [] : [clean];
    });
  };
  const told = isList(body.messages) ? body.messages : [];
  const shortened = withoutForeignSummaries(told, withoutSeals ? null : provider);
  if (shortened !== null) {
    changed = true;
    losses.add('seal');
  }
  const messages = (shortened ?? told).flatMap((message) => {
    const { content } = loose(message);
    if (!isList(content)) return [message];
    const blocks = cleanBlocks(content);
    // A turn of only reasoning that was removed is removed too.
    return blocks.length === 0 && content.length > 0 ? [] : [{ ...loose(message), content: blocks }];
  });
  if (!changed) return null;
  const clean = { ...body, model: upstreamModel, messages };
  // With a thinking budget, a turn that calls tools must begin with thinking; here that thinking was another vendor's
  // and was removed.
  const thinks = loose(body.thinking).type === 'enabled';
  if (!thinks || !lacksThinking(messages)) return clean;
  losses.add('reasoning_effort');
  return withoutThinking(clean);
}

/** The block for this provider: the same object if nothing changes, `null` if nothing is left. */
function cleanBlock(block: Loose, provider: string, losses: Losses): Loose | null {
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
    case 'text': {
      const { citations, ...rest } = block;
      if (!isList(citations) || !citations.some(isOurs)) return block;
      losses.add('citations');
      const others = citations.filter((citation) => !isOurs(citation));
      return others.length === 0 ? rest : { ...rest, citations: others };
    }
    default:
      return block;
  }
}

/** The block without any provider's proof: `null` if it is one of reasoning. */
function unsealed(block: Loose, losses: Losses): Loose | null {
  const { type } = block;
  if (type !== 'thinking' && type !== 'redacted_thinking') return block;
  losses.add('seal');
  if (textOf(block.thinking) !== '') losses.add('reasoning');
  return null;
}

/** The ids of searches that vendors of other formats made: Anthropic refuses pages whose content it has not encrypted. */
function foreignSearches(blocks: readonly unknown[]): ReadonlySet<unknown> {
  const results = blocks.map(loose).filter(({ type }) => type === 'web_search_tool_result');
  const foreign = results.filter(
    ({ content }) => isList(content) && content.some((page) => isMarked(loose(page).encrypted_content)),
  );
  return new Set(foreign.map(({ tool_use_id: id }) => id));
}

function isOfSearch({ type, id, tool_use_id: of }: Loose, searches: ReadonlySet<unknown>): boolean {
  return (type === 'server_tool_use' && searches.has(id)) || (type === 'web_search_tool_result' && searches.has(of));
}

function isOurs(citation: unknown): boolean {
  return isMarked(loose(citation).encrypted_index);
}

/**
 * Disables thinking, and removes the context edits that need it.
 * https://docs.anthropic.com/en/docs/build-with-claude/context-editing
 */
function withoutThinking(body: Loose): Loose {
  const { edits } = loose(body.context_management);
  const clean = { ...body, thinking: { type: 'disabled' } };
  if (!isList(edits)) return clean;
  const others = edits.filter((edit) => !String(loose(edit).type).startsWith('clear_thinking'));
  return { ...clean, context_management: { ...loose(body.context_management), edits: others } };
}
