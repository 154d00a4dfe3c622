import { hash } from 'node:crypto';
import type { Target } from '../core/provider.ts';
import type { CallTraits, Warm } from '../core/route.ts';

/** Times in ms. */
export type AffinitySettings = {
  /** How long a cache counts as warm. */
  keep: number;
  /** The most conversations remembered; the oldest are dropped. */
  max: number;
};

const AFFINITY_DEFAULTS: AffinitySettings = { keep: 600_000, max: 100_000 };

/** Characters of a hash that identify a conversation. A collision only causes a worse choice of target. */
const KEY_LENGTH = 20;
const BY_OPENING = 'o';

/** The signs that identify a conversation, most reliable first. */
export type ConversationSigns = {
  keyId: string;
  routeId: string;
  cacheKey: string | null;
  /** The value of a session or thread header. */
  sessionHeader: string | null;
  previousResponseId: string | null;
  /** The text that all turns of a conversation begin with. */
  opening: string;
};

/** The key of a conversation, for one API key on one route; `null` without any sign. Texts cannot be recovered from it. */
export function conversationKey(signs: ConversationSigns): string | null {
  const { cacheKey, sessionHeader, previousResponseId, opening } = signs;
  const sign = cacheKey || sessionHeader || previousResponseId || opening;
  if (!sign) return null;
  const kind = cacheKey ? 'k' : sessionHeader ? 's' : previousResponseId ? 'r' : BY_OPENING;
  const name = hash('sha256', JSON.stringify([signs.keyId, signs.routeId, sign]), 'base64url');
  return `${kind}${name.slice(0, KEY_LENGTH)}`;
}

type LastServed = { provider: string; upstreamModel: string; credential: string; cachedTokens: number; at: number };

/** Remembers which target last served each conversation. Bounded; times are passed in, in ms of one clock. */
export class Affinity {
  #settings: AffinitySettings;
  /** Least recently noted conversation first. */
  readonly #conversations = new Map<string, LastServed>();

  constructor(settings: AffinitySettings = AFFINITY_DEFAULTS) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#conversations.size;
  }

  /** Applies new settings. Keeps as many conversations as they allow. */
  configure(settings: AffinitySettings): void {
    this.#settings = settings;
    trim(this.#conversations, settings.max);
  }

  /** @param cachedTokens tokens of the next prompt that the target probably has cached */
  note(conversation: string, target: Target, cachedTokens: number, now: number): void {
    put(this.#conversations, conversation, seenAt(target, cachedTokens, now), this.#settings.max);
  }

  /**
   * The target that last served a call's conversation; `null` if unknown. A first turn identified only by its opening
   * has none: otherwise all conversations with the same opening would go to one target.
   */
  find({ conversation, turns }: Pick<CallTraits, 'conversation' | 'turns'>, now: number): Warm | null {
    if (conversation === null || (conversation.startsWith(BY_OPENING) && turns <= 1)) return null;
    const seen = this.#conversations.get(conversation);
    return seen === undefined || now - seen.at > this.#settings.keep ? null : warm(seen);
  }
}

function seenAt({ provider, model }: Target, cachedTokens: number, at: number): LastServed {
  return {
    provider: provider.id,
    upstreamModel: model.upstreamId,
    credential: provider.credentialName,
    cachedTokens,
    at,
  };
}

function warm({ provider, upstreamModel, credential, cachedTokens }: LastServed): Warm {
  return { provider, upstreamModel, credential, cachedTokens };
}

function put(map: Map<string, LastServed>, key: string, seen: LastServed, max: number): void {
  map.delete(key);
  map.set(key, seen);
  trim(map, max);
}

function trim(map: Map<string, LastServed>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
