/** The `include` value that asks for encrypted reasoning, without which a reasoning item cannot be sent back. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';
export const LOGPROBS = 'message.output_text.logprobs';
/** The `include` value that asks for all pages that a search has found. */
export const FOUND_PAGES = 'web_search_call.action.sources';
