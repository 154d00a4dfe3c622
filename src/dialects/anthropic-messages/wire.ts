/** The dialect's id. */
export const ID = 'anthropic-messages';

/**
 * The start of a block that Claude Code puts before its system text. The block changes with every call and serves only
 * Anthropic's billing: other vendors do not get it, because it would keep their prompt caches from matching.
 * https://github.com/anthropics/claude-code/issues/50085
 */
export const BILLING_BLOCK = 'x-anthropic-billing-header:';

/** The parts of Anthropic's types that the gateway writes. https://docs.anthropic.com/en/api/messages */
export type WireCacheControl = { type: 'ephemeral'; ttl?: '1h' };

export type WireCitation = {
  type: 'web_search_result_location';
  url: string;
  title: string;
  cited_text: string;
  encrypted_index: string;
};

export type WireText = { type: 'text'; text: string; citations?: unknown[]; cache_control?: WireCacheControl };
export type WireThinking =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };
export type WireToolUse = {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  cache_control?: WireCacheControl;
};
export type WireToolResult = {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | WireBlock[];
  is_error?: true;
  cache_control?: WireCacheControl;
};
export type WireImage = { type: 'image'; source: unknown; cache_control?: WireCacheControl };
export type WireDocument = { type: 'document'; source: unknown; title?: string; cache_control?: WireCacheControl };
/** A native block of this format, passed on unchanged. */
export type WireOther = { type: string };

export type WireBlock = WireText | WireThinking | WireToolUse | WireToolResult | WireImage | WireDocument | WireOther;

export type WireMessage = { role: 'user' | 'assistant' | 'system'; content: WireBlock[] };
