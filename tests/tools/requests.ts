/** Small bodies of the shapes that Codex 0.169 and Claude Code 2.1.330 send, as they were seen on the wire. */

const nothing = { type: 'object', properties: {}, additionalProperties: false };
const command = { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] };

/** The headers of Codex, but for its key. */
export const CODEX_HEADERS = {
  accept: 'text/event-stream',
  originator: 'codex_exec',
  'user-agent': 'codex_exec/0.169.0 (Debian 12.0.0; x86_64) unknown (codex_exec; 0.169.0)',
  'session-id': '01a1fee1-0f83-75f0-a4c6-c19af8a4ca36',
  'thread-id': '01a1fee1-0f83-75f0-a4c6-c19af8a4ca36',
  'x-client-request-id': '01a1fee1-0f83-75f0-a4c6-c19af8a4ca36',
  'x-codex-beta-features': 'remote_compaction_v2',
  'x-codex-window-id': '01a1fee1-0f83-75f0-a4c6-c19af8a4ca36:0',
};

/**
 * A later turn of Codex, of a model that it gives a custom tool: no `instructions`, but messages of a developer; an id of
 * the client's own making on each item; items of earlier answers whole; kinds of tools that only OpenAI knows.
 */
export const CODEX_BODY = {
  input: [
    inputMessage('msg_7cd84247', 'developer', ['You are a coding agent.']),
    inputMessage('msg_01a1fedf-c352', 'developer', ['Skills: none.', 'There is no sandbox.']),
    inputMessage('msg_01a1fedf-c353', 'user', ['Folder: /work']),
    inputMessage('msg_01a1fedf-c379', 'user', ['Write a file.']),
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'I write it.', annotations: [], logprobs: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      status: 'completed',
      call_id: 'call_1',
      name: 'exec_command',
      arguments: '{"cmd":"ls"}',
    },
    { type: 'function_call_output', id: 'fco_01a1fede-83a3', call_id: 'call_1', output: 'no files' },
    {
      type: 'custom_tool_call',
      id: 'ctc_1',
      status: 'completed',
      call_id: 'call_2',
      name: 'apply_patch',
      input: '*** Begin Patch\n',
    },
    { type: 'custom_tool_call_output', id: 'ctco_01a1fedf-c3ee', call_id: 'call_2', output: 'done' },
  ],
  tools: [
    { type: 'function', name: 'exec_command', description: 'Runs.', strict: false, parameters: command },
    { type: 'custom', name: 'apply_patch', description: 'Patches.', format: grammar('start: "a"') },
    {
      type: 'namespace',
      name: 'agents',
      description: 'Others.',
      tools: [{ type: 'function', name: 'spawn', description: 'One more.', strict: false, parameters: nothing }],
    },
    { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: nothing },
    { type: 'web_search', external_web_access: false, search_content_types: ['text'] },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '01a1fedf-c2bf-76d0-9a70-8b03e87680e9',
  text: { verbosity: 'low' },
  client_metadata: { session_id: '01a1fedf-c2bf', turn_id: '01a1fedf-c2e4' },
};

function inputMessage(id: string, role: string, texts: readonly string[]): unknown {
  return { type: 'message', id, role, content: texts.map((text) => ({ type: 'input_text', text })) };
}

function grammar(definition: string): unknown {
  return { type: 'grammar', syntax: 'lark', definition };
}

/** The headers of Claude Code, but for its key. */
export const CLAUDE_CODE_HEADERS = {
  accept: 'application/json',
  'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)',
  'x-app': 'cli',
  'x-claude-code-session-id': '107a67c2-e7fa-4389-84eb-1d420a9a56d1',
  'anthropic-dangerous-direct-browser-access': 'true',
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,advanced-tool-use-2025-11-20',
};

const ephemeral = { type: 'ephemeral' };
const account = { metadata: { user_id: `{"device_id":"${'2a'.repeat(32)}","session_id":"107a67c2-e7fa"}` } };

/**
 * A later turn of Claude Code: a block of its own bookkeeping before its system text, a system message inside the
 * conversation, tools that its own search found.
 */
export const CLAUDE_CODE_BODY = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Remember this.' },
        { type: 'text', text: 'Write a file.' },
      ],
    },
    { role: 'system', content: 'Folder: /work' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look for a tool.' },
        { type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: { query: 'select:WebFetch' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
          cache_control: ephemeral,
        },
      ],
    },
  ],
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330.fec; cc_entrypoint=sdk-cli;' },
    { type: 'text', text: 'You are an agent.', cache_control: ephemeral },
    { type: 'text', text: 'Be careful.', cache_control: ephemeral },
  ],
  tools: [
    { name: 'Bash', description: 'Runs.', input_schema: command },
    { name: 'ToolSearch', description: 'Finds tools.', input_schema: nothing },
    { name: 'WebFetch', description: 'Fetches.', input_schema: nothing, defer_loading: true },
  ],
  ...account,
  max_tokens: 32000,
  thinking: { type: 'adaptive', display: 'omitted' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  stream: true,
};

/** What 2.1.197 asked beside its task: a title, in a form of its own, streamed. */
export const CLAUDE_CODE_ASIDE = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Write a file.' }] }],
  system: [{ type: 'text', text: 'Give it a title.' }],
  tools: [],
  ...account,
  max_tokens: 32000,
  output_config: {
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
    },
  },
  stream: true,
};
