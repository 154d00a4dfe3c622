import type { Losses } from '../../core/losses.ts';
import { isMarked, markSeal, opens, unpackSeal } from '../../core/seal.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { ID } from './wire.ts';

/**
 * What the vendor encrypts in results of its own tools and in citations of them: pages, places in pages, and the output
 * of code. Only its maker can read it, and it refuses that of others.
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool
 */
const ENCRYPTED: ReadonlySet<string> = new Set(['encrypted_content', 'encrypted_index', 'encrypted_stdout']);
/** `web_search_tool_result`, `code_execution_tool_result`. Results of the caller's own tools are `tool_result`. */
const RESULT = /._tool_result$/;

/** The seals in a block of an answer: in a result of a tool that the vendor ran, or in citations. */
export function sealsOfStep(block: Unchecked): FoundSeal[] {
  const found: FoundSeal[] = [];
  mapped(sealedPart(block), (value, name) => {
    found.push({ name, value, form: 'encrypted' });
    return value;
  });
  return found;
}

/** The block with these seals marked as the provider's. The same object if it has none. */
export function withMarkedStep(block: Unchecked, provider: string): Unchecked {
  return mappedBlock(block, (value) =>
    isMarked(value) ? value : markSeal({ dialect: ID, provider, form: 'encrypted', value }),
  );
}

/**
 * A turn's blocks for a provider, with its own seals unmarked. Calls and results with another provider's seals are
 * omitted, and so are such citations, but not their text.
 *
 * @param provider the provider that is called; `null` if it has refused seals, so that it gets none
 * @returns the same objects for blocks that do not change
 */
export function openedSteps(blocks: readonly unknown[], provider: string | null, losses: Losses): readonly unknown[] {
  const isForeign = (part: unknown) => isSealedFrom(part, provider);
  const foreign = new Set(
    blocks.flatMap((block) => {
      const { type, tool_use_id: id } = objectOf(block);
      return RESULT.test(textOf(type)) && isForeign(block) ? [id] : [];
    }),
  );
  return blocks.flatMap((block) => {
    const read = objectOf(block);
    if (foreign.has(stepOf(read))) {
      losses.add('vendor_tool_calls');
      if (mayBeSealed(read)) losses.add('seal');
      return [];
    }
    const cited = read.type === 'text' && isList(read.citations) ? read.citations : [];
    const kept = cited.filter((citation) => !isForeign(citation));
    if (kept.length === cited.length) return [mappedBlock(read, opened)];
    losses.add('citations');
    const { citations: _, ...plain } = read;
    return [kept.length === 0 ? plain : mappedBlock({ ...plain, citations: kept }, opened)];
  });
}

/** The id that a call of the vendor's own tool and its result share; `undefined` for other blocks. */
function stepOf({ type, id, tool_use_id: of }: Unchecked): unknown {
  if (type === 'server_tool_use') return id;
  return RESULT.test(textOf(type)) ? of : undefined;
}

/** Whether a vendor made a seal in the block. Searches of other formats have an empty one from the gateway. */
function mayBeSealed(block: Unchecked): boolean {
  return sealsOfStep(block).some(({ value }) => unpackSeal(value)?.value !== '');
}

/** Whether a value has a seal that this provider cannot open. A seal without a mark goes to whoever is asked. */
function isSealedFrom(value: unknown, provider: string | null): boolean {
  let isSealed = false;
  mapped(value, (text) => {
    isSealed ||= provider === null || (isMarked(text) && !isOwn(text, provider));
    return text;
  });
  return isSealed;
}

function isOwn(text: string, provider: string): boolean {
  const seal = unpackSeal(text);
  return seal?.inPlace === true && opens(seal, ID, provider);
}

function opened(text: string): string {
  const seal = unpackSeal(text);
  return seal?.inPlace === true ? seal.value : text;
}

/** The part of a block that its vendor may have sealed. Text of the caller or the model is never searched. */
function sealedPart(block: Unchecked): unknown {
  if (block.type === 'text') return block.citations;
  return RESULT.test(textOf(block.type)) ? block.content : undefined;
}

function mappedBlock(block: Unchecked, change: (value: string, name: string) => string): Unchecked {
  const part = sealedPart(block);
  const changed = mapped(part, change);
  if (changed === part) return block;
  return { ...block, [block.type === 'text' ? 'citations' : 'content']: changed };
}

/** The value with every sealed member changed, at any depth. The same object if none is. */
function mapped(value: unknown, change: (value: string, name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const list = value.map((each) => mapped(each, change));
    return list.every((each, index) => each === value[index]) ? value : list;
  }
  const entries = Object.entries(value).map(([name, inner]) => {
    if (typeof inner !== 'string') return [name, mapped(inner, change)] as const;
    return [name, ENCRYPTED.has(name) && inner !== '' ? change(inner, name) : inner] as const;
  });
  const isSame = entries.every(([name, inner]) => inner === (value as Unchecked)[name]);
  return isSame ? value : Object.fromEntries(entries);
}
