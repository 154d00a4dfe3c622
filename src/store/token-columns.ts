import type { TokenCount, Usage } from '../core/usage.ts';
import { compiled } from './compiled.ts';

/**
 * The tokens of a call, each written once: the member of `Usage`, its column in `calls`, and its place in the journal. A
 * place is never changed; 3, 8 and 9 have something else. A new one is added at the end, and its column is made at the next start.
 */
const COLUMNS = {
  inputTokens: { column: 'input_tokens', place: 0 },
  cacheReadTokens: { column: 'cache_read_tokens', place: 1 },
  cacheWriteTokens: { column: 'cache_write_tokens', place: 2 },
  outputTokens: { column: 'output_tokens', place: 4 },
  reasoningTokens: { column: 'reasoning_tokens', place: 5 },
  audioInputTokens: { column: 'audio_input_tokens', place: 6 },
  audioOutputTokens: { column: 'audio_output_tokens', place: 7 },
} as const satisfies Record<TokenCount, { column: string; place: number }>;

export type TokenColumn = (typeof COLUMNS)[TokenCount]['column'];

/** Behind it each place is one of tokens, and is written only as far as there are any. */
export const LAST_FIXED_PLACE = 9;

/** The tokens of a call by member. */
export type TokenCounts = Record<TokenCount, number>;

export const TOKEN_COLUMNS = Object.entries(COLUMNS).map(([member, { column, place }]) => ({
  member: member as TokenCount,
  column,
  place,
}));

/** Of a row of `calls`. A row of before a column was added has `null` there. */
export const tokensOfRow: (row: Record<TokenColumn, bigint | null>) => TokenCounts = compiled(
  ['row'],
  `return {${TOKEN_COLUMNS.map(({ member, column }) => `${member}:Number(row.${column})`)}};`,
);

/** Of usage as it lies in a journal; what an earlier version wrote may end before a place. */
export const tokensOfJson: (json: readonly unknown[]) => TokenCounts = compiled(
  ['json'],
  `return {${TOKEN_COLUMNS.map(({ member, place }) => `${member}:json[${place}]${place > LAST_FIXED_PLACE ? '??0' : ''}`)}};`,
);

/** The places up to 8 of usage in a journal. */
export const firstPlaces: (usage: Usage, writtenForAnHour: number) => (number | string | null)[] = compiled(
  ['usage', 'writtenForAnHour'],
  `return [${Array.from({ length: 8 }, (_, place) => memberAt(place))}, usage.serviceTier ?? null];`,
);

function memberAt(at: number): string {
  const found = TOKEN_COLUMNS.find(({ place }) => place === at);
  return found === undefined ? 'writtenForAnHour' : `usage.${found.member}`;
}
