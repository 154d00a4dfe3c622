import type { ToolRules } from '../core/provider.ts';

/**
 * What vendors take of tools: one row a vendor. `docs/translation.md` shows them; a test holds both together.
 * Rows without the day on which their source was read are from memory.
 */
export const TOOL_RULES = {
  openai: {
    longestName: 64,
    refuses: ['no-properties', 'root-union'],
    source: 'https://github.com/langchain-ai/langchainjs/issues/9804',
    read: '2026-11-27',
  },
  anthropic: {
    longestName: 128,
    refuses: ['root-union'],
    source: 'https://github.com/anthropics/claude-code/issues/40075',
    read: '2026-11-27',
  },
  gemini: {
    longestName: 64,
    startsWithLetter: true,
    refuses: ['root-union', 'type-list', 'ref', 'typed-union', 'json-schema'],
    source: 'https://ai.google.dev/api/caching#Schema',
  },
  mistral: { longestName: 64, source: 'https://docs.mistral.ai/capabilities/function_calling/' },
  groq: {
    longestName: 64,
    source: 'https://github.com/groq/groq-typescript/blob/main/src/resources/shared.ts',
    read: '2026-11-27',
  },
  deepseek: { longestName: 64, source: 'https://api-docs.deepseek.com/api/create-chat-completion' },
  moonshot: {
    longestName: 64,
    startsWithLetter: true,
    refuses: ['root-union', 'ref', 'typed-union'],
    source: 'https://github.com/MoonshotAI/kimi-code/issues/2661',
    read: '2026-11-27',
  },
  xai: { longestName: 64, source: 'https://docs.x.ai/docs/guides/function-calling' },
} as const satisfies Readonly<Record<string, ToolRules>>;
