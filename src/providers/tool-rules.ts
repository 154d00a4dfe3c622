import type { ToolRules } from '../core/quirks.ts';

/**
 * Vendors' rules for tools: one row per vendor. A test keeps `docs/translation.md` equal to this table. Rows without a
 * date of reading are from memory.
 */
export const TOOL_RULES = {
  openai: {
    longestName: 64,
    refuses: ['no-properties', 'root-union', 'pattern'],
    source: 'https://github.com/langchain-ai/langchainjs/issues/9804, https://github.com/cline/cline/pull/14019',
    read: '2026-11-27',
  },
  anthropic: {
    longestName: 128,
    refuses: ['root-union', 'property-names'],
    takes: ['no-properties', 'pattern', 'boolean'],
    source:
      'https://github.com/anthropics/claude-code/issues/40075, https://github.com/anthropics/claude-code/issues/79418',
    read: '2026-11-27',
  },
  gemini: {
    longestName: 64,
    startsWithLetter: true,
    refuses: ['root-union', 'empty', 'type-list', 'ref', 'typed-union', 'boolean', 'old-draft', 'json-schema'],
    source: 'https://github.com/BerriAI/litellm/issues/12543, https://github.com/theopenco/llmgateway/issues/1763',
    read: '2026-11-27',
  },
  mistral: {
    longestName: 64,
    refuses: ['old-draft'],
    source: 'https://github.com/SylphxAI/pdf-reader-mcp/issues/63',
    read: '2026-11-27',
  },
  groq: {
    longestName: 64,
    source: 'https://github.com/groq/groq-typescript/blob/main/src/resources/shared.ts',
    read: '2026-11-27',
  },
  deepseek: {
    longestName: 64,
    refuses: ['no-properties', 'pattern'],
    source: 'https://github.com/zed-industries/zed/issues/64386',
    read: '2026-11-27',
  },
  moonshot: {
    longestName: 64,
    startsWithLetter: true,
    refuses: ['root-union', 'ref', 'typed-union'],
    source: 'https://github.com/MoonshotAI/kimi-code/issues/2661',
    read: '2026-11-27',
  },
  bedrock: {
    longestName: 64,
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html',
    read: '2026-11-27',
  },
  fireworks: {
    longestName: 64,
    refuses: ['boolean'],
    source: 'https://github.com/androidStern-personal/openclaw-mcp-adapter/pull/9',
    read: '2026-11-27',
  },
  xai: {
    longestName: 64,
    refuses: ['boolean'],
    source: 'https://github.com/vercel/ai/issues/14678',
    read: '2026-11-27',
  },
} as const satisfies Readonly<Record<string, ToolRules>>;
