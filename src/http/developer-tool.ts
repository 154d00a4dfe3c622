import type { CallingTool } from '../core/records.ts';

/** The longest part of a user agent that is read, and the longest stored name. */
const MAX_AGENT = 512;
const MAX_WORD = 64;

/**
 * The tools that are known, by how the name of their product begins, in lower case; after it the name ends, or goes on
 * behind a mark. Seen on the wire, or in the sources:
 * codex_cli_rs, codex_exec, codex-tui, “Codex Desktop” (https://github.com/openai/codex/pull/4485,
 * https://github.com/Wei-Shaw/sub2api/issues/3750), opencode (https://github.com/anomalyco/opencode/issues/24594),
 * Continue and Continue-CLI (https://github.com/continuedev/continue/pull/8532), aider
 * (https://github.com/Aider-AI/aider/pull/4898), goose (https://github.com/aaif-goose/goose/pull/6988), Cline, RooCode,
 * Zed, GeminiCLI (its model stands behind the version), GitHubCopilotChat.
 */
const TOOLS: readonly (readonly [product: string, name: string])[] = [
  ['codex', 'codex'],
  ['claude-cli', 'claude-code'],
  ['claude-code', 'claude-code'],
  ['cursor', 'cursor'],
  ['opencode', 'opencode'],
  ['aider', 'aider'],
  ['cline', 'cline'],
  ['roocode', 'roo-code'],
  ['roo-code', 'roo-code'],
  ['continue', 'continue'],
  ['zed', 'zed'],
  ['goose', 'goose'],
  ['geminicli', 'gemini-cli'],
  ['gemini-cli', 'gemini-cli'],
  ['githubcopilot', 'copilot'],
  ['githubcopilotchat', 'copilot'],
  ['copilot', 'copilot'],
];

/** The characters that may follow a known name: `codex_exec`, `Continue-CLI`. */
const MARKS = ['_', '-', '.'];

/**
 * `ai/7.0.1`, `ai-sdk/openai/4.0.118`, `ai-sdk-provider-utils/4.0.15`. A product that stands before it is the tool, and it is
 * put behind: https://github.com/vercel/ai/tree/main/packages/provider-utils
 */
const AI_SDK = /^ai(?:-sdk[^/]*)?\/(?:[a-z][^/]*\/)*([^/]+)/i;

/**
 * The clients that vendors give out: `OpenAI/JS 7.57.0`, `AsyncAnthropic/Python 0.97.0`, `OpenAI::Client/Ruby 0.1.0`; and
 * ours.
 */
const VENDORS_CLIENT =
  /^(?:async)?(?:azure)?(openai|anthropic|headgate)(?:[:a-z]*)\/(js|python|go|java|kotlin|ruby|php|c#) v?([^\s();,]+)/i;

/** Name and version of each product of a user agent: `name/1.2.3`, or a name alone. Two words may be a name. */
const PRODUCTS = /(?<!\S)(codex [a-z]+|[!#$%&'*+.^_`|~0-9a-z:-]+)(?:\/([^\s();,]*))?/gi;

/**
 * The developer tool that a user agent names: a known one wherever it stands, else a vendor's own client, else whatever stands
 * first, in lower case. `null` if there is no name. It is what a client says of itself, and proves nothing.
 */
export function developerToolOf(userAgent: string | undefined): CallingTool | null {
  const agent = userAgent?.slice(0, MAX_AGENT).trim() ?? '';
  const products = productsOf(agent);
  for (const { name, version } of products) {
    const known = TOOLS.find(([product]) => isOf(name, product));
    if (known !== undefined) return { name: known[1], version };
  }
  return clientOf(agent) ?? products[0] ?? null;
}

function clientOf(agent: string): CallingTool | null {
  const [, vendor = '', language = '', version = ''] = VENDORS_CLIENT.exec(agent) ?? [];
  if (vendor !== '') return { name: `${vendor}-${language}`.toLowerCase(), version: versionOf(version) };
  const sdk = AI_SDK.exec(agent);
  return sdk === null ? null : { name: 'ai-sdk', version: versionOf(sdk[1] ?? '') };
}

/** Comments are ignored. */
function productsOf(agent: string): CallingTool[] {
  const products: CallingTool[] = [];
  for (const [, name = '', version = ''] of agent.replaceAll(/\([^)]*\)?/g, ' ').matchAll(PRODUCTS)) {
    products.push({ name: name.slice(0, MAX_WORD).toLowerCase(), version: versionOf(version) });
  }
  return products;
}

function isOf(name: string, product: string): boolean {
  if (!name.startsWith(product)) return false;
  const next = name.charAt(product.length);
  return next === '' || next === ' ' || MARKS.includes(next);
}

/** The version up to another slash; `null` if it is invalid. */
function versionOf(text: string): string | null {
  const version = /^v?([!-.0-~]+)/i.exec(text)?.[1]?.slice(0, MAX_WORD);
  return version === undefined || version === '' ? null : version;
}
