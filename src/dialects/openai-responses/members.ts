import { type DialectMembers, entries, kinds, type MemberShape, members } from '../members.ts';

/**
 * What OpenAI's clients know of responses. `npm run vendors:check` compares it with the client of the day.
 * https://platform.openai.com/docs/api-reference/responses
 */
export const FUNCTION = members({
  read: 'type name description parameters strict',
  reported: 'allowed_callers async defer_loading output_schema',
});
export const CUSTOM = members({
  read: 'type name description format',
  reported: 'allowed_callers async defer_loading',
});
const NAMESPACE = members(
  { read: 'type name description' },
  { tools: kinds({}, { function: FUNCTION, custom: CUSTOM }) },
);

export const TOOLS = kinds(
  {
    read: 'apply_patch local_shell shell tool_search',
    native:
      'code_interpreter computer computer_use_preview file_search image_generation mcp programmatic_tool_calling web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11',
  },
  { function: FUNCTION, custom: CUSTOM, namespace: NAMESPACE },
);

const TOOL_CHOICE: MemberShape = {
  words: entries({ read: 'auto none required' }),
  kinds: entries({
    read: 'allowed_tools apply_patch custom function shell',
    reported:
      'code_interpreter computer computer_use computer_use_preview file_search image_generation mcp programmatic_tool_calling web_search_preview web_search_preview_2025_03_11',
  }),
};

/** Parts of a message, and of a tool's result. */
const CONTENT = kinds(
  { native: 'computer_screenshot encrypted_content' },
  {
    input_text: members({ read: 'type text prompt_cache_breakpoint' }),
    input_image: members({ read: 'type detail file_id image_url prompt_cache_breakpoint' }),
    input_file: members({
      read: 'type file_data file_id file_url filename prompt_cache_breakpoint',
      reported: 'detail',
    }),
    output_text: members(
      { read: 'type text', silent: 'logprobs' },
      { annotations: kinds({ read: 'url_citation', native: 'container_file_citation file_citation file_path' }) },
    ),
    refusal: members({ read: 'type refusal' }),
    reasoning_text: members({ read: 'type text' }),
    summary_text: members({ read: 'type text' }),
    text: members({ read: 'type text' }),
  },
);

const CALL = { silent: 'id status created_by', reported: 'agent async caller' };
const RESULT = { silent: 'id status name namespace created_by', reported: 'agent caller' };

const MESSAGE = members({ read: 'type role', silent: 'id status', reported: 'agent phase' }, { content: CONTENT });

/** Items of a conversation and of an answer. One without a type is a message. */
export const ITEMS: MemberShape = {
  members: MESSAGE.members!,
  kinds: entries(
    {
      read: 'additional_tools compaction apply_patch_call apply_patch_call_output local_shell_call local_shell_call_output shell_call shell_call_output tool_search_call tool_search_output',
      native:
        'agent_message code_interpreter_call computer_call computer_call_output file_search_call image_generation_call mcp_approval_request mcp_approval_response mcp_call mcp_list_tools multi_agent_call multi_agent_call_output program program_output web_search_call',
      reported: 'compaction_trigger configuration_update',
      refused: 'item_reference',
    },
    {
      message: MESSAGE,
      function_call: members({ read: 'type call_id name arguments namespace', ...CALL }),
      custom_tool_call: members({ read: 'type call_id name input namespace', ...CALL }),
      function_call_output: members({ read: 'type call_id', ...RESULT }, { output: CONTENT }),
      custom_tool_call_output: members({ read: 'type call_id', ...RESULT }, { output: CONTENT }),
      reasoning: members(
        { read: 'type id encrypted_content', silent: 'status', reported: 'agent' },
        { summary: CONTENT, content: CONTENT },
      ),
    },
  ),
};

const EFFORT = 'high low max medium minimal none xhigh';
const REASONING = members(
  { read: 'generate_summary summary', reported: 'context mode' },
  { effort: { words: entries({ read: EFFORT }) } },
);
const TEXT = members(
  { read: 'verbosity' },
  {
    format: kinds(
      { read: 'json_object text' },
      { json_schema: members({ read: 'type name schema description strict' }) },
    ),
  },
);

const INCLUDE: MemberShape = {
  words: entries({
    read: 'message.output_text.logprobs reasoning.encrypted_content web_search_call.action.sources',
    reported:
      'code_interpreter_call.outputs computer_call_output.output.image_url file_search_call.results message.input_image.image_url web_search_call.results',
  }),
};

export const REQUEST: MemberShape = members(
  {
    read: 'frequency_penalty instructions max_output_tokens metadata model parallel_tool_calls presence_penalty prompt_cache_key prompt_cache_retention safety_identifier service_tier stream temperature top_logprobs top_p truncation user',
    reported:
      'access_programs background_options betas context_management max_tool_calls moderation multi_agent prompt prompt_cache_options',
    silent: 'store stream_options',
    refused: 'background conversation previous_response_id',
  },
  {
    image: members({ reported: 'context_compression' }),
    include: INCLUDE,
    input: ITEMS,
    reasoning: REASONING,
    text: TEXT,
    tool_choice: TOOL_CHOICE,
    tools: TOOLS,
  },
);

const USAGE = members(
  { read: 'input_tokens output_tokens total_tokens' },
  {
    input_tokens_details: members(
      { read: 'cached_tokens cache_write_tokens' },
      { cache_write_tokens_details: members({ read: 'ttl_12h_tokens ttl_30m_tokens' }) },
    ),
    output_tokens_details: members({ read: 'reasoning_tokens' }),
  },
);

const ERROR = members(
  { read: 'message param type', silent: 'misalignment' },
  {
    code: {
      words: entries({
        read: 'bio_policy data_residency_mismatch empty_image_file failed_to_download_image image_content_policy_violation image_file_not_found image_file_too_large image_parse_error image_too_large image_too_small invalid_base64_image invalid_image invalid_image_format invalid_image_mode invalid_image_url invalid_prompt misalignment_policy_violation rate_limit_exceeded server_error unsupported_image_media_type vector_store_timeout',
      }),
    },
  },
);

export const RESPONSE: MemberShape = members(
  {
    read: 'id object created_at model service_tier tool_usage',
    reported: 'input_transformations moderation prompt_cache_diagnostics',
    // What repeats the request.
    silent:
      'access_programs background completed_at conversation image instructions max_output_tokens max_tool_calls metadata output_text parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier temperature text tool_choice tools top_logprobs top_p truncation user',
  },
  {
    error: ERROR,
    incomplete_details: members(
      {},
      { reason: { words: entries({ read: 'content_filter max_messages max_output_tokens steered' }) } },
    ),
    output: ITEMS,
    status: { words: entries({ read: 'cancelled completed failed in_progress incomplete queued' }) },
    usage: USAGE,
  },
);

/** Progress of tools that the vendor runs is silent: their items hold everything once they are done. */
export const EVENTS: MemberShape = kinds({
  read: 'error response.completed response.content_part.added response.content_part.done response.created response.custom_tool_call_input.delta response.custom_tool_call_input.done response.failed response.function_call_arguments.delta response.function_call_arguments.done response.in_progress response.incomplete response.output_item.added response.output_item.done response.output_text.annotation.added response.output_text.delta response.output_text.done response.queued response.reasoning_summary_part.done response.reasoning_summary_text.delta response.reasoning_summary_text.done response.reasoning_text.delta response.reasoning_text.done response.refusal.delta response.refusal.done',
  silent:
    'response.code_interpreter_call.completed response.code_interpreter_call.in_progress response.code_interpreter_call.interpreting response.code_interpreter_call_code.delta response.code_interpreter_call_code.done response.compaction.compacting response.file_search_call.completed response.file_search_call.in_progress response.file_search_call.searching response.image_generation_call.completed response.image_generation_call.generating response.image_generation_call.in_progress response.image_generation_call.partial_image response.mcp_call.completed response.mcp_call.failed response.mcp_call.in_progress response.mcp_call_arguments.delta response.mcp_call_arguments.done response.mcp_list_tools.completed response.mcp_list_tools.failed response.mcp_list_tools.in_progress response.reasoning_summary_part.added response.shell_call_command.added response.shell_call_command.delta response.shell_call_command.done response.shell_call_output_content.delta response.shell_call_output_content.done response.web_search_call.completed response.web_search_call.in_progress response.web_search_call.searching',
  reported: 'response.audio.delta response.audio.done response.audio.transcript.delta response.audio.transcript.done',
});

export const MEMBERS: DialectMembers = { request: REQUEST, response: RESPONSE, events: EVENTS };
