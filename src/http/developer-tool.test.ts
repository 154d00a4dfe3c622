import assert from 'node:assert/strict';
import { test } from 'node:test';
import { developerToolOf } from './developer-tool.ts';

const CHROME = 'Chrome/134.0.6998.205 Electron/35.5.1 Safari/537.36';
const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';

const AGENTS: readonly (readonly [agent: string, name: string, version: string | null])[] = [
  ['codex_exec/0.169.0 (Debian 12.0.0; x86_64) unknown (codex_exec; 0.169.0)', 'codex', '0.169.0'],
  ['codex_cli_rs/0.169.0 (Mac OS 15.5.0; arm64) iTerm.app/3.6.1', 'codex', '0.169.0'],
  [
    'codex-tui/0.142.0-alpha.10 (Mac OS 13.7.8; arm64) xterm-256color (codex-tui; 0.142.0)',
    'codex',
    '0.142.0-alpha.10',
  ],
  ['codex_vscode/1.0.0', 'codex', '1.0.0'],
  ['codex_sdk_ts/0.98.0', 'codex', '0.98.0'],
  ['Codex Desktop/0.140.0 (Windows 11; x86_64) unknown (Codex Desktop; 26.1.2)', 'codex', '0.140.0'],
  ['claude-cli/2.1.330 (external, cli)', 'claude-code', '2.1.330'],
  ['claude-cli/2.1.330 (external, sdk-cli)', 'claude-code', '2.1.330'],
  ['claude-code/2.1.0', 'claude-code', '2.1.0'],
  ['Cursor/2.2.23 (darwin arm64)', 'cursor', '2.2.23'],
  [`${BROWSER} Cursor/3.22.12 ${CHROME}`, 'cursor', '3.22.12'],
  ['opencode/1.14.28 ai-sdk/provider-utils/3.0.20 runtime/bun/1.3.5', 'opencode', '1.14.28'],
  ['opencode/latest', 'opencode', 'latest'],
  ['opencode', 'opencode', null],
  ['aider/0.86.2', 'aider', '0.86.2'],
  ['Cline/3.0.0', 'cline', '3.0.0'],
  ['RooCode/3.52.1', 'roo-code', '3.52.1'],
  ['Continue/1.5.11 (Visual Studio Code; vscode)', 'continue', '1.5.11'],
  ['Continue-CLI/1.4.0', 'continue', '1.4.0'],
  ['Zed/0.205.3 (linux; x86_64)', 'zed', '0.205.3'],
  ['goose/1.23.0', 'goose', '1.23.0'],
  ['GeminiCLI/0.56.0/gemini-3-pro (linux; x64; terminal)', 'gemini-cli', '0.56.0'],
  ['GeminiCLI-a2a-server/0.56.0', 'gemini-cli', '0.56.0'],
  ['GitHubCopilotChat/0.68.0', 'copilot', '0.68.0'],
  ['copilot/1.0.5 (linux v24.1.0) term/unknown', 'copilot', '1.0.5'],
  ['ai-sdk/openai/4.0.118 ai-sdk/provider-utils/5.0.3 runtime/node.js/v26.0.0', 'ai-sdk', '4.0.118'],
  ['ai-sdk/openai-compatible/1.0.0/codebuff', 'ai-sdk', '1.0.0'],
  ['ai-sdk-provider-utils/4.0.15 runtime-bun/1.3.9', 'ai-sdk', '4.0.15'],
  ['ai/7.0.1 ai-sdk/provider-utils/5.0.3 runtime/node.js/26', 'ai-sdk', '7.0.1'],
  ['ai-sdk/6.0.1 runtime/browser', 'ai-sdk', '6.0.1'],
  ['OpenAI/JS 7.57.0', 'openai-js', '7.57.0'],
  ['OpenAI/Python 2.33.0', 'openai-python', '2.33.0'],
  ['AsyncOpenAI/Python 2.33.0', 'openai-python', '2.33.0'],
  ['AsyncAzureOpenAI/Python 1.1.0', 'openai-python', '1.1.0'],
  ['OpenAIClientAsyncImpl/Java 3.0.0', 'openai-java', '3.0.0'],
  ['OpenAI::Client/Ruby 0.1.0', 'openai-ruby', '0.1.0'],
  ['Headgate/JS 7.57.0', 'headgate-js', '7.57.0'],
  ['AsyncHeadgate/Python 3.54.0', 'headgate-python', '3.54.0'],
  ['Anthropic/JS 0.70.0', 'anthropic-js', '0.70.0'],
  ['AnthropicBedrock/Python 0.70.0', 'anthropic-python', '0.70.0'],
  ['anthropic/PHP 0.1.0', 'anthropic-php', '0.1.0'],
  ['AnthropicClient/C# 1.0.0', 'anthropic-c#', '1.0.0'],
  ['OpenAI/Python 2.33.0 aider/0.86.2', 'aider', '0.86.2'],
  ['myapp/1.0 ai-sdk/openai/4.0.118', 'myapp', '1.0'],
  ['litellm/1.90.2', 'litellm', '1.90.2'],
  ['My-Agent/v2.0-beta+7 (by me)', 'my-agent', '2.0-beta+7'],
  ['node', 'node', null],
  ['curl/8.12.0', 'curl', '8.12.0'],
  [`${BROWSER} ${CHROME}`, 'mozilla', '5.0'],
  // Names that only begin like a known one.
  ['codexian/1.0', 'codexian', '1.0'],
  ['not-claude-cli/1.0', 'not-claude-cli', '1.0'],
  ['zedtool/1', 'zedtool', '1'],
  ['something/1 (codex_cli_rs; 0.1)', 'something', '1'],
  ['   spaced/1  ', 'spaced', '1'],
];

for (const [agent, name, version] of AGENTS) {
  test(`“${agent}” is ${name}, ${version ?? 'of no version'}`, () => {
    assert.deepEqual(developerToolOf(agent), { name, version });
  });
}

test('what names nothing is nothing', () => {
  for (const agent of [undefined, '', '   ', '(codex/1)', '/', '()()', '\u00e9\u00e9/1', '/1']) {
    assert.equal(developerToolOf(agent), null);
  }
});

test('whatever is sent, a name and a version are short and printable', () => {
  for (const agent of [
    `${'x'.repeat(9000)}/${'y'.repeat(9000)}`,
    `x/${'y'.repeat(400)}`,
    'x/\u0000\u001b[31m',
    'a\u00ffb/1\u00e9',
    '('.repeat(500),
    `${'codex'.repeat(100)}`,
  ]) {
    const tool = developerToolOf(agent);
    if (tool === null) continue;
    assert.match(tool.name, /^[!-~ ]{1,64}$/);
    assert.match(tool.version ?? '-', /^[!-~]{1,64}$/);
  }
});
