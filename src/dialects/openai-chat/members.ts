import { type DialectMembers, entries, kinds, type MemberShape, members } from '../members.ts';

/**
 * What OpenAI's clients know of chat completions, and further members that other vendors' have. `npm run vendors:check`
 * compares it with the client of the day. https://platform.openai.com/docs/api-reference/chat
 */
const CONTENT = kinds(
  {},
  {
    text: members({ read: 'type text cache_control prompt_cache_breakpoint' }),
    refusal: members({ read: 'type refusal' }),
    image_url: members(
      { read: 'type cache_control prompt_cache_breakpoint' },
      { image_url: members({ read: 'url detail' }) },
    ),
    input_audio: members(
      { read: 'type', silent: 'cache_control prompt_cache_breakpoint' },
      { input_audio: members({ read: 'data format' }) },
    ),
    file: members(
      { read: 'type cache_control prompt_cache_breakpoint' },
      { file: members({ read: 'file_data file_id filename' }) },
    ),
  },
);

const FUNCTION_CALL = members({ read: 'arguments name' });
const CUSTOM_CALL = members({ read: 'input name' });
const CALLS = kinds(
  {},
  {
    function: members({ read: 'id index type extra_content' }, { function: FUNCTION_CALL, custom: CUSTOM_CALL }),
    custom: members({ read: 'id index type' }, { function: FUNCTION_CALL, custom: CUSTOM_CALL }),
  },
);

/** Answers are sent back with their vendors' own data. */
export const MESSAGES = kinds(
  {},
  {
    system: members({ read: 'role cache_control', silent: 'name' }, { content: CONTENT }),
    developer: members({ read: 'role cache_control', silent: 'name' }, { content: CONTENT }),
    user: members({ read: 'role name cache_control' }, { content: CONTENT }),
    assistant: members(
      {
        read: 'role name refusal audio cache_control annotations citations context executed_tools extra_content grounding_metadata provider_specific_fields reasoning reasoning_content reasoning_details search_info search_results web_search',
      },
      { content: CONTENT, function_call: FUNCTION_CALL, tool_calls: CALLS },
    ),
    tool: members({ read: 'role tool_call_id cache_control', silent: 'name' }, { content: CONTENT }),
    function: members({ read: 'role name cache_control' }, { content: CONTENT }),
  },
);

export const TOOLS = kinds(
  {},
  {
    function: members(
      { read: 'type cache_control' },
      { function: members({ read: 'name description parameters strict cache_control' }) },
    ),
    custom: members(
      { read: 'type' },
      { custom: members({ read: 'name description' }, { format: kinds({ read: 'grammar text' }) }) },
    ),
  },
);

const TOOL_CHOICE: MemberShape = {
  words: entries({ read: 'auto none required' }),
  kinds: entries({ read: 'allowed_tools custom function' }),
};

export const REQUEST: MemberShape = members(
  {
    read: 'frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata model n parallel_tool_calls presence_penalty prompt_cache_key prompt_cache_retention safety_identifier seed service_tier stop stream temperature top_k top_logprobs top_p user verbosity web_search_options',
    reported: 'audio modalities moderation prediction prompt_cache_options store',
    silent: 'stream_options',
  },
  {
    messages: MESSAGES,
    reasoning_effort: { words: entries({ read: 'high low max medium minimal none xhigh' }) },
    response_format: kinds(
      { read: 'json_object text' },
      {
        json_schema: members({ read: 'type' }, { json_schema: members({ read: 'name description schema strict' }) }),
      },
    ),
    tool_choice: TOOL_CHOICE,
    tools: TOOLS,
  },
);

const USAGE = members(
  { read: 'completion_tokens prompt_tokens total_tokens' },
  {
    completion_tokens_details: members({
      read: 'audio_tokens reasoning_tokens',
      silent: 'accepted_prediction_tokens rejected_prediction_tokens text_tokens',
    }),
    prompt_tokens_details: members({
      read: 'audio_tokens cache_write_tokens cached_tokens',
      silent: 'image_tokens text_tokens',
    }),
  },
);

const WORDS = members(
  { read: 'content refusal audio', silent: 'role' },
  {
    annotations: kinds({ read: 'url_citation' }),
    function_call: FUNCTION_CALL,
    tool_calls: CALLS,
  },
);

const CHOICES = members(
  { read: 'index' },
  {
    finish_reason: { words: entries({ read: 'content_filter function_call length stop tool_calls' }) },
    logprobs: members({ read: 'content refusal' }),
    message: { ...WORDS, kinds: entries({}, { assistant: WORDS }) },
    delta: WORDS,
  },
);

/** The members of a whole answer and of a chunk. */
export const RESPONSE: MemberShape = members(
  {
    read: 'id created model service_tier',
    silent: 'metadata object obfuscation system_fingerprint',
    reported: 'moderation',
  },
  { choices: CHOICES, usage: USAGE },
);

export const MEMBERS: DialectMembers = { request: REQUEST, response: RESPONSE, events: RESPONSE };
