import { hash } from 'node:crypto';
import type { Target } from '../core/provider.ts';
import type { CallTraits, Warm } from '../core/route.ts';

/** Times in ms. */
export type AffinitySettings = {
  /** How long a cache is taken to be warm. */
  keep: number;
  /** Conversations remembered: the oldest go. */
  max: number;
};

export const AFFINITY_DEFAULTS: AffinitySettings = { keep: 600_000, max: 100_000 };

/** How much of a hash names a conversation. Who shares one with another gets a worse hint, and nothing else. */
const KEY_LENGTH = 20;
const BY_OPENING = 'o';

/** What tells a conversation, the surest first. */
export type ConversationSigns = {
  keyId: string;
  routeId: string;
  cacheKey: string | null;
  /** A session's or thread's header. */
  sessionHeader: string | null;
  previousResponseId: string | null;
  /** What all turns of a conversation begin with. */
  opening: string;
};

/** Names a conversation, of one key on one route; `null` where nothing tells it. Texts cannot be found again from it. */
export function conversationKey(signs: ConversationSigns): string | null {
  const { cacheKey, sessionHeader, previousResponseId, opening } = signs;
  const sign = cacheKey || sessionHeader || previousResponseId || opening;
  if (!sign) return null;
  const kind = cacheKey ? 'k' : sessionHeader ? 's' : previousResponseId ? 'r' : BY_OPENING;
  const name = hash('sha256', JSON.stringify([signs.keyId, signs.routeId, sign]), 'base64url');
  return `${kind}${name.slice(0, KEY_LENGTH)}`;
}

type LastServed = { provider: string; upstreamModel: string; credential: string; cachedTokens: number; at: number };

/** Where conversations were last. Bounded; times are handed in, in ms of one clock. */
export class Affinity {
  #settings: AffinitySettings;
  /** The one that was not noted for the longest time stands first. */
  readonly #conversations = new Map<string, LastServed>();

  constructor(settings: AffinitySettings = AFFINITY_DEFAULTS) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#conversations.size;
  }

  /** What is remembered stays, as far as there is room for it. */
  configure(settings: AffinitySettings): void {
    this.#settings = settings;
    trim(this.#conversations, settings.max);
  }

  /** @param cachedTokens how much of the next prompt its cache is expected to have */
  note(conversation: string, target: Target, cachedTokens: number, now: number): void {
    put(this.#conversations, conversation, seenAt(target, cachedTokens, now), this.#settings.max);
  }

  /**
   * Where a call's conversation was; `null` where it was nowhere that is known. The same opening alone tells nothing of a
   * first turn: all who begin alike would go to one target.
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
