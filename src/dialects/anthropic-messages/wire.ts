/** The dialect's id. */
export const ID = 'anthropic-messages';

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

/** An object that was received and not checked: any member may be missing or of any type. */
export type Loose = Readonly<Record<string, unknown>>;

/** The object, or an empty one if the value is not an object. */
export function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {};
}

/** The text, or an empty one if the value is not a string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
