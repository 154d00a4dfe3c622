import { type DialectMembers, entries, kinds, type MemberShape, members } from '../members.ts';

/**
 * What Anthropic's clients know of messages, beta members too. `npm run vendors:check` compares it with the client of the
 * day. https://docs.anthropic.com/en/api/messages
 */
const CITATIONS = kinds({
  read: 'web_search_result_location',
  native: 'char_location content_block_location page_location search_result_location',
});
const TEXT = members({ read: 'type text cache_control' }, { citations: CITATIONS });
const IMAGE = members(
  { read: 'type cache_control', reported: 'transformations' },
  { source: kinds({ read: 'base64 file url' }) },
);
const DOCUMENT = members(
  { read: 'type cache_control citations context title' },
  { source: kinds({ read: 'base64 content file text url' }) },
);
const SEARCH_RESULT = members({ read: 'type source title content cache_control citations' });

/** Blocks of tools that Anthropic runs, or that only its format has. */
const NATIVE_BLOCKS =
  'advisor_tool_result bash_code_execution_tool_result code_execution_tool_result compaction container_upload fallback mcp_tool_listing mcp_tool_result mcp_tool_use server_tool_use text_editor_code_execution_tool_result tool_addition tool_removal tool_search_tool_result web_fetch_tool_result web_search_tool_result';

const RESULT_CONTENT = kinds(
  { read: 'tool_reference', native: 'browser_state' },
  { text: TEXT, image: IMAGE, document: DOCUMENT, search_result: SEARCH_RESULT },
);

export const BLOCKS: MemberShape = kinds(
  { native: NATIVE_BLOCKS },
  {
    text: TEXT,
    image: IMAGE,
    document: DOCUMENT,
    search_result: SEARCH_RESULT,
    thinking: members({ read: 'type thinking signature' }),
    redacted_thinking: members({ read: 'type data' }),
    tool_use: members({ read: 'type id name input cache_control', reported: 'caller toolset_name' }),
    tool_result: members(
      { read: 'type tool_use_id is_error cache_control', reported: 'toolset_name' },
      { content: RESULT_CONTENT },
    ),
  },
);

export const SYSTEM: MemberShape = kinds({}, { text: TEXT });

export const MESSAGES = kinds(
  {},
  {
    user: members({ read: 'role' }, { content: BLOCKS }),
    assistant: members({ read: 'role' }, { content: BLOCKS }),
    system: members(
      { read: 'role', reported: 'clear_at output_config' },
      { content: kinds({ refused: 'tool_addition tool_removal' }, { text: TEXT }) },
    ),
  },
);

/** Members of a tool that the caller runs. `eager_input_streaming` matters to Anthropic alone. */
export const CUSTOM_TOOL: MemberShape = members({
  read: 'type name description input_schema strict cache_control',
  silent: 'eager_input_streaming',
  reported: 'allowed_callers defer_loading input_examples',
});

const TOOLS: MemberShape = {
  members: CUSTOM_TOOL.members!,
  kinds: entries(
    {
      native:
        'advisor_20260301 bash_20241022 bash_20250124 browser_toolset_20260801 code_execution_20250522 code_execution_20250825 code_execution_20260120 code_execution_20260521 computer_20241022 computer_20250124 computer_20251124 computer_toolset_20260801 mcp_toolset memory_20250818 text_editor_20241022 text_editor_20250124 text_editor_20250429 text_editor_20250728 tool_search_tool_bm25 tool_search_tool_bm25_20251119 tool_search_tool_regex tool_search_tool_regex_20251119 web_fetch_20250910 web_fetch_20260209 web_fetch_20260309 web_fetch_20260318 web_search_20250305 web_search_20260209 web_search_20260318',
    },
    { custom: CUSTOM_TOOL },
  ),
};

export const THINKING = kinds(
  { read: 'between_tools disabled' },
  {
    adaptive: members({ read: 'type display', reported: 'block_binding' }),
    enabled: members({ read: 'type budget_tokens display', reported: 'block_binding' }),
  },
);

/** Its other members are reported by the reader of the call. */
export const OUTPUT_CONFIG: MemberShape = members(
  { reported: 'task_budget' },
  {
    effort: { words: entries({ read: 'high low max medium xhigh' }) },
    format: kinds({ read: 'json_schema' }),
  },
);

export const REQUEST: MemberShape = members(
  {
    read: 'max_tokens model output_format service_tier stop_sequences stream temperature top_k top_p',
    reported:
      'betas billing_policy cache_control compaction container context_management diagnostics fallback_credit_token fallbacks inference_geo mcp_servers speed thread user_profile_id workspace_id',
  },
  {
    messages: MESSAGES,
    metadata: members({ read: 'user_id' }),
    output_config: OUTPUT_CONFIG,
    system: kinds({}, { text: TEXT }),
    thinking: THINKING,
    tool_choice: kinds({ read: 'any auto none tool' }),
    tools: TOOLS,
  },
);

const USAGE = members(
  {
    read: 'cache_creation_input_tokens cache_read_input_tokens inference_geo input_tokens output_tokens server_tool_use service_tier speed',
    silent: 'fallback_credit',
  },
  {
    cache_creation: members({ read: 'ephemeral_1h_input_tokens ephemeral_5m_input_tokens' }),
    iterations: kinds({ read: 'advisor_message compaction fallback_message message' }),
    output_tokens_details: members({ read: 'thinking_tokens' }),
  },
);

const STOP = {
  stop_details: kinds(
    {},
    {
      refusal: members({
        read: 'type explanation',
        reported: 'category fallback_credit_token fallback_has_prefill_claim recommended_model',
      }),
    },
  ),
  stop_reason: {
    words: entries({
      read: 'compaction end_turn max_tokens model_context_window_exceeded pause_turn refusal stop_sequence tool_use',
    }),
  },
};

export const MESSAGE = members(
  {
    read: 'id model stop_sequence type',
    silent: 'role',
    reported: 'container context_management diagnostics input_transformations',
  },
  { content: BLOCKS, usage: USAGE, ...STOP },
);

export const RESPONSE: MemberShape = { kinds: entries({}, { message: MESSAGE }) };

export const EVENTS: MemberShape = kinds(
  { read: 'content_block_stop message_stop ping error' },
  {
    message_start: members({ read: 'type' }, { message: RESPONSE }),
    content_block_start: members({ read: 'type index' }, { content_block: BLOCKS }),
    content_block_delta: members(
      { read: 'type index' },
      {
        delta: kinds({
          read: 'citations_delta input_json_delta signature_delta text_delta thinking_delta',
          native: 'compaction_delta',
        }),
      },
    ),
    message_delta: members(
      { read: 'type', reported: 'context_management input_transformations' },
      { usage: USAGE, delta: members({ read: 'stop_sequence', reported: 'container' }, STOP) },
    ),
  },
);

const ERRORS: MemberShape = kinds({
  read: 'api_error authentication_error billing_error invalid_request_error not_found_error overloaded_error permission_error rate_limit_error timeout_error',
});

export const MEMBERS: DialectMembers = {
  request: REQUEST,
  response: RESPONSE,
  events: EVENTS,
  errors: ERRORS,
  count: { response: members({ read: 'input_tokens', silent: 'context_management' }) },
};
