import type { DialectId } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { CallSummary, CallTraits } from '../core/route.ts';
import { conversationKey } from './affinity.ts';
import { readSteering } from './steering.ts';

/** The header that names a call's project, for rules. */
export const PROJECT_HEADER = 'openai-project';
/** Suffixes of the gateway's own headers. Tags are separated by commas. */
const TAGS = '-tags';
const SESSION = '-session';
/**
 * Headers by which clients identify a conversation, most reliable first: Codex's (a session may have several threads),
 * Claude Code's, opencode's. The gateway's own header takes precedence.
 */
const SESSION_HEADERS = [
  'thread-id',
  'conversation_id',
  'session-id',
  'session_id',
  'x-claude-code-session-id',
  'x-session-affinity',
  'x-session-id',
] as const;

const MAX_PAIRS = 16;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 512;
const MAX_TAGS = 16;
const MAX_USER_LENGTH = 128;

/** The inputs of traits. */
export type TraitsInput = {
  summary: CallSummary;
  surface: DialectId;
  stream: boolean;
  /** Estimated. */
  promptTokens: number;
  /** `null` if the caller sets none. */
  maxOutputTokens: number | null;
  key: Pick<ApiKey, 'id' | 'source' | 'product' | 'allowedModels' | 'spendLimit'>;
  /** True if a budget other than the key's own, its product's, requires a price. */
  hasBudget: boolean;
  routeId: string;
  /** The prefix of the gateway's own headers. */
  headerPrefix: string;
  /** A caller's header by its lower-case name. */
  header(name: string): string | undefined;
  /** Unix ms. */
  now: number;
  /** The prompt's features, if the route is smart. */
  features: string | null;
};

/** The traits that a route decides on. Bounded in size. Throws `GatewayError` (400) for unknown steering. */
export function traitsOf(seen: TraitsInput): CallTraits {
  const { summary, key, header, routeId } = seen;
  const sessionHeader = header(`${seen.headerPrefix}${SESSION}`) || firstOf(header);
  const { cacheKey, previousResponseId, opening } = summary;
  return {
    at: seen.now,
    surface: seen.surface,
    stream: seen.stream,
    tools: summary.tools,
    images: summary.images,
    audio: summary.audio,
    files: summary.files,
    structuredOutput: summary.structuredOutput,
    turns: summary.turns,
    midTurn: summary.midTurn,
    promptTokens: seen.promptTokens,
    maxOutputTokens: seen.maxOutputTokens,
    keyId: key.id,
    source: key.source,
    product: key.product,
    project: header(PROJECT_HEADER)?.slice(0, MAX_NAME_LENGTH) || null,
    metadata: bounded(summary.metadata),
    tags: tagsOf(header(`${seen.headerPrefix}${TAGS}`)),
    user: summary.user?.slice(0, MAX_USER_LENGTH) || null,
    demandsPrice: key.spendLimit !== null || seen.hasBudget,
    allowedModels: key.allowedModels,
    conversation: conversationKey({ keyId: key.id, routeId, cacheKey, sessionHeader, previousResponseId, opening }),
    features: seen.features,
    steering: readSteering(summary),
  };
}

function firstOf(header: TraitsInput['header']): string | null {
  for (const name of SESSION_HEADERS) {
    const value = header(name);
    if (value) return value;
  }
  return null;
}

function bounded(metadata: CallSummary['metadata']): Readonly<Record<string, string>> {
  const pairs = Object.entries(metadata).slice(0, MAX_PAIRS);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.slice(0, MAX_NAME_LENGTH), value.slice(0, MAX_VALUE_LENGTH)]),
  );
}

function tagsOf(sent: string | undefined): readonly string[] {
  if (sent === undefined) return [];
  const tags = sent
    .slice(0, MAX_TAGS * (MAX_NAME_LENGTH + 1))
    .split(',')
    .map((tag) => tag.trim().slice(0, MAX_NAME_LENGTH));
  return [...new Set(tags)].filter((tag) => tag !== '').slice(0, MAX_TAGS);
}
