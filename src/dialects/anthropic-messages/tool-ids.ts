import { createHash } from 'node:crypto';
import type { Call } from '../../core/call.ts';
import type { AnswerContext } from '../dialect.ts';

const MAX_LENGTH = 64;
const LEGAL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
/** Prefixes of rewritten ids. An id that already has such a prefix is rewritten too, so that ids stay distinct. */
const WRITTEN = 'hg_';
const HASHED = 'hgh_';
/** For callers: followed by a token, `_`, and the vendor's id, which an earlier call already has. */
const REPEATED = 'hgr_';
const TOKEN_LENGTH = 12;
const READ_REPEATED = /^hgr_[0-9a-z]{1,12}_([\w-]*)$/;
const REWRITTEN = [WRITTEN, HASHED, REPEATED];

/** Rewrites the ids of tool calls to the characters that Anthropic allows, unique in a conversation. */
export class ToolIds {
  readonly #used = new Set<string>();
  readonly #written = new Map<string, string>();
  /** How often each id occurred. Searching from 1 each time would take quadratic time if all ids are the same. */
  readonly #times = new Map<string, number>();

  /** Registers a tool call. @returns its id for Anthropic */
  add(id: string): string {
    const legal = legalId(id);
    let unique = legal;
    let times = this.#times.get(id) ?? 1;
    // Some vendors number calls from 0 in each turn, so ids repeat.
    while (this.#used.has(unique)) {
      times += 1;
      unique = legalId(`${id}#${times}`);
    }
    this.#times.set(id, times);
    this.#used.add(unique);
    this.#written.set(id, unique);
    return unique;
  }

  /** The id for Anthropic of the last call with this id. */
  of(id: string): string {
    return this.#written.get(id) ?? legalId(id);
  }
}

/** A legal id. The same id always gives the same result, and different ids different ones. */
export function legalId(id: string): string {
  if (LEGAL_ID.test(id) && !REWRITTEN.some((prefix) => id.startsWith(prefix))) return id;
  const written = WRITTEN + encoded(id);
  if (written.length <= MAX_LENGTH) return written;
  return HASHED + createHash('sha256').update(id).digest('base64url');
}

/**
 * The ids of an answer's tool calls for a caller of this format, who needs each to be unique in its conversation. The
 * conversation may come back without its oldest turns, so a repeated id gets a random token and not a number.
 */
export class CallerIds {
  readonly #context: Pick<AnswerContext, 'call' | 'newId'>;
  #used: Set<string> | null = null;

  constructor(context: Pick<AnswerContext, 'call' | 'newId'>) {
    this.#context = context;
  }

  /** Registers a tool call by the vendor's id. @returns its id for the caller */
  add(id: string): string {
    this.#used ??= idsWithin(this.#context.call);
    if (!this.#used.has(id)) {
      this.#used.add(id);
      return callerId(id);
    }
    const token = this.#context.newId('').slice(1, 1 + TOKEN_LENGTH);
    const told = `${REPEATED}${token}_${encoded(id)}`;
    return told.length <= MAX_LENGTH ? told : callerId(id);
  }
}

/** The vendors' ids of the tool calls in a conversation. */
function idsWithin({ messages }: Call): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) if (part.kind === 'tool-call') ids.add(part.id);
  }
  return ids;
}

/**
 * The id of a call for a caller of this format, who may send it back to a vendor that refuses other characters. One that
 * could not be read back stays as it is: some vendors keep something of their own in it.
 */
export function callerId(id: string): string {
  const legal = legalId(id);
  return legal.startsWith(HASHED) ? id : legal;
}

/** The id that a caller's was made from: the vendor that made it gets it back. */
export function givenId(id: string): string {
  const repeated = READ_REPEATED.exec(id)?.[1];
  if (repeated !== undefined) {
    const given = decoded(repeated);
    return encoded(given) === repeated ? given : id;
  }
  if (!id.startsWith(WRITTEN)) return id;
  const given = decoded(id.slice(WRITTEN.length));
  return legalId(given) === id ? given : id;
}

function encoded(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function decoded(code: string): string {
  return Buffer.from(code, 'base64url').toString();
}
