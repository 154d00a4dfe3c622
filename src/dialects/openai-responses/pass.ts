import { Losses } from '../../core/losses.ts';
import { opens, SEAL_MARK, unpackSeal } from '../../core/seal.ts';
import { type Edit, omissions, splice } from '../../json/edits.ts';
import { memberRange } from '../../json/tape.ts';
import type { Envelope, PassOptions, WrittenCall } from '../dialect.ts';
import { mayHoldSeals, member, parsedBody } from '../request.ts';
import { ownMarks } from '../seal-marks.ts';
import { isObject, objectOf } from '../unchecked-json.ts';
import { ENCRYPTED_REASONING } from './wire.ts';

/**
 * The caller's body with the vendor's model name. Unless the provider's account belongs to its callers, the vendor is
 * told to store nothing, because the account is shared.
 * Seals that another provider made are removed, and those that the gateway packed are unpacked.
 */
export function passCall(call: Envelope, options: PassOptions): WrittenCall {
  const { body, index } = call;
  const edits: Edit[] = omissions(body, index, options.drop ?? []);
  const added: string[] = [];
  const losses = new Losses();
  const set = (name: string, text: string): void => {
    const span = memberRange(body, index, name);
    if (span !== undefined) edits.push({ ...span, text });
    else added.push(`,"${name}":${text}`);
  };
  if (call.model !== options.upstreamModel) set('model', JSON.stringify(options.upstreamModel));
  if (options.withoutSeals === true) {
    set('input', JSON.stringify(withoutSeals(objectOf(parsedBody(call)).input, losses)));
  } else if (mayHoldSeals(call)) {
    const own = ownMarks(body, 'openai-responses', options.provider);
    if (own !== null) edits.push(...own);
    else set('input', JSON.stringify(withOwnSeals(objectOf(parsedBody(call)).input, options.provider, losses)));
  }
  const store = member(call, 'store');
  if (store !== false && !(store === true && options.sharedIds === 'allow')) {
    set('store', 'false');
    const include = reasons(call, options) ? withReasoning(member(call, 'include')) : null;
    if (include !== null) set('include', JSON.stringify(include));
  }
  edits.sort((one, other) => one.start - other.start);
  if (added.length > 0) edits.push({ start: index.closeAt, end: index.closeAt, text: added.join('') });
  return { body: splice(body, edits), dropped: losses.names };
}

/** Whether to ask for encrypted reasoning. Models that do not reason refuse that. */
function reasons(call: Envelope, options: PassOptions): boolean {
  return options.reasons ?? isObject(member(call, 'reasoning'));
}

/** Adds encrypted reasoning to `include`, because the vendor stores none; `null` if the caller did so. */
function withReasoning(include: unknown): readonly unknown[] | null {
  if (include === undefined || include === null) return [ENCRYPTED_REASONING];
  if (!Array.isArray(include) || include.includes(ENCRYPTED_REASONING)) return null;
  return [...include, ENCRYPTED_REASONING];
}

function withOwnSeals(input: unknown, provider: string, losses: Losses): unknown {
  if (!Array.isArray(input)) return input;
  return input.flatMap((item: unknown) => {
    if (!isObject(item) || typeof item.encrypted_content !== 'string') return [item];
    if (!item.encrypted_content.startsWith(SEAL_MARK)) return [item];
    const seal = unpackSeal(item.encrypted_content);
    if (seal === null || seal.value === '' || !opens(seal, 'openai-responses', provider)) {
      if (seal?.value !== '') losses.add('seal');
      if (hasText(item.summary) || hasText(item.content)) losses.add('reasoning');
      return [];
    }
    if (seal.inPlace === true) return [{ ...item, encrypted_content: seal.value }];
    const { id: _, ...rest } = item;
    return [{ ...rest, ...(seal.id !== null && { id: seal.id }), encrypted_content: seal.value }];
  });
}

/** The items without those that any provider has sealed: reasoning and compacted conversations. */
function withoutSeals(input: unknown, losses: Losses): unknown {
  if (!Array.isArray(input)) return input;
  return input.filter((item: unknown) => {
    if (!isObject(item) || !(item.type === 'reasoning' || typeof item.encrypted_content === 'string')) return true;
    losses.add('seal');
    if (hasText(item.summary) || hasText(item.content)) losses.add('reasoning');
    return false;
  });
}

function hasText(pieces: unknown): boolean {
  return Array.isArray(pieces) && pieces.some((piece) => isObject(piece) && Boolean(piece.text));
}
