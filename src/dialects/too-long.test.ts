import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classify } from '../routing/failure.ts';
import { RECOGNIZERS } from './too-long-messages.ts';
import { readInnerError, readVendorError } from './vendor-errors.ts';

describe('a prompt that is too long', () => {
  const openAi = (message: string, more: object = {}) => ({
    error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error', ...more },
  });
  const object = (message: string, type: string, code: unknown) => ({
    object: 'error',
    message,
    type,
    param: null,
    code,
  });
  const model = "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens";
  const told: readonly [vendor: string, body: unknown][] = [
    ['Anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 2 > 1' } }],
    [
      'Cloudflare, with its own code',
      {
        success: false,
        errors: [
          {
            code: 5021,
            message:
              'AiError: AiError: 5021: The estimated number of input and maximum output tokens (155740) exceeded this model context window limit (128000). (0a1b)',
          },
        ],
      },
    ],
    [
      'vLLM, with max_tokens',
      openAi(
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 65536 tokens and your request has 57879 input tokens (8192 > 65536 - 57879).",
        { code: 400 },
      ),
    ],
    [
      'DeepSeek',
      openAi(
        `${model} (139000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.`,
      ),
    ],
    [
      'OpenRouter',
      openAi(
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (139000 of text input, 1000 in the output).",
        { type: undefined, code: 400 },
      ),
    ],
    ['vLLM', object(`${model}. Please reduce the length of the messages.`, 'BadRequestError', 400)],
    [
      'a later vLLM',
      openAi(
        "You passed 140000 input tokens and requested 1024 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 130048 tokens.",
        { type: 'BadRequestError', param: 'input_tokens', code: 400 },
      ),
    ],
    [
      'xAI',
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      },
    ],
    [
      'Mistral',
      object(
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        'invalid_request_prompt',
        '3051',
      ),
    ],
    [
      'Gemini',
      [
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    ['Moonshot', openAi('Your request exceeded model token limit: 262144 (requested: 300000)', { code: null })],
    ['Bedrock', { message: 'Input is too long for requested model.' }],
    ['Ollama', { error: 'prompt too long; exceeded max context length by 4096 tokens' }],
    ['llama.cpp', openAi('the request exceeds the available context size, try increasing it', { code: 400 })],
    [
      'a later llama.cpp',
      openAi('request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it', {
        code: 400,
      }),
    ],
    [
      'SGLang',
      object(
        "The input (140000 tokens) is longer than the model's context length (131072 tokens).",
        'BadRequestError',
        400,
      ),
    ],
    [
      'OpenAI’s words',
      openAi('Your input exceeds the context window of this model. Please adjust it.', { code: null }),
    ],
  ];
  for (const [vendor, body] of told) {
    test(`is known by the words of ${vendor}`, () => {
      const text = JSON.stringify(body);
      for (const status of [400, 413, 422, 429, 500, 503]) {
        const error = readVendorError(status, {}, text);
        assert.deepEqual([error.code, error.status, classify(error)], ['context_length_exceeded', 400, 'context']);
      }
      assert.notEqual(readVendorError(404, {}, text).code, 'context_length_exceeded');
    });
  }

  test('is known inside an answer, whatever its status', () => {
    for (const more of [{}, { type: 'server_error', code: 503 }, { type: undefined, code: undefined }, { code: 429 }])
      assert.equal(readInnerError(openAi(`${model}.`, more)).code, 'context_length_exceeded');
  });

  const numbers: readonly [who: string, message: string, asked: number, most: number][] = [
    ['Anthropic', 'prompt is too long: 209000 tokens > 200000 maximum', 209_000, 200_000],
    ['DeepSeek', `${model} (139000 in the messages, 1000 in the completion).`, 140_000, 131_072],
    [
      'OpenAI',
      "This model's maximum context length is 8,192 tokens. However, your messages resulted in 9,001 tokens.",
      9001,
      8192,
    ],
    [
      'OpenAI’s later models',
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.',
      300_123,
      272_000,
    ],
    [
      'llama.cpp',
      'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
      9000,
      8192,
    ],
    [
      'Moonshot',
      'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)',
      300_000,
      262_144,
    ],
    [
      'Cerebras',
      'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      9000,
      8192,
    ],
    [
      'Cohere',
      'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4500. Try a shorter prompt.',
      4500,
      4081,
    ],
    [
      'Hugging Face',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
      5000,
      4096,
    ],
    [
      'vLLM since 0.12',
      "This model's maximum context length is 8192 tokens. However, you requested 1024 output tokens and your prompt contains at least 7169 input tokens, for a total of at least 8193 tokens. Please reduce the length of the input prompt.",
      8193,
      8192,
    ],
    ['SiliconFlow', 'length of prompt_tokens (40000) must be less than max_seq_len (32768).', 40_000, 32_768],
    [
      'SGLang',
      "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 40000 tokens: 39000 tokens from the input messages and 1000 tokens for the completion.",
      40_000,
      32_768,
    ],
    [
      'SGLang’s scheduler',
      'Input length (40000 tokens) exceeds the maximum allowed length (32768 tokens). Use a shorter input.',
      40_000,
      32_768,
    ],
    ['OpenRouter', 'Input length 300000 exceeds the maximum allowed input length of 262144 tokens.', 300_000, 262_144],
    [
      'vLLM’s engine',
      'The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that it fits.',
      9000,
      8192,
    ],
    [
      'Vertex AI',
      'Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.',
      1_200_000,
      1_048_576,
    ],
    ['Copilot', 'prompt token count of 140000 exceeds the limit of 128000', 140_000, 128_000],
    [
      'Cloudflare',
      'The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).',
      9000,
      8192,
    ],
    ['Fireworks', 'The prompt is too long: 140000, model maximum context length: 131071', 140_000, 131_071],
    ['MLX', 'Prompt has 300,000 tokens, but the configured context size is 131,072 tokens', 300_000, 131_072],
  ];
  for (const [who, message, asked, most] of numbers) {
    test(`is told with the numbers of ${who}`, () => {
      const error = readVendorError(400, {}, JSON.stringify(openAi(message)));
      assert.deepEqual([error.code, error.tooLong], ['context_length_exceeded', { asked, most }]);
    });
  }

  test('is known without numbers, too', () => {
    for (const message of [
      '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]',
      'Total message token length exceed model limit',
      'Prompt exceeds max length',
      'Prompt 超长',
      'invalid params, context window exceeds limit (2013)',
      'Context size has been exceeded.',
      'The number of tokens to keep from the initial prompt is greater than the context length. Try a shorter input.',
      'Trying to keep the first 13825 tokens when context the overflows.',
      'the input length exceeds the context length',
      'Input token length too long',
      'too many tokens: size limit exceeded by 13 tokens.',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
      'ValidationException: The model returned the following errors: Input is too long for requested model.',
      "This model's maximum context length is 8192 tokens. Please reduce the length of the prompt",
      'input (900 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    ])
      assert.equal(readVendorError(400, {}, JSON.stringify(openAi(message))).code, 'context_length_exceeded', message);
  });

  test('is known by the code or the type of a vendor, and by its members', () => {
    const numbers = { n_prompt_tokens: 9000, n_ctx: 8192 };
    const llama = openAi('It does not fit.', { code: 500, type: 'exceed_context_size_error', ...numbers });
    const error = readVendorError(500, {}, JSON.stringify(llama));
    assert.deepEqual([error.code, error.tooLong], ['context_length_exceeded', { asked: 9000, most: 8192 }]);
    for (const code of ['model_max_prompt_tokens_exceeded', 'context_window_exceeded', 'model_context_window_exceeded'])
      assert.equal(
        readVendorError(400, {}, JSON.stringify(openAi('Too much.', { code }))).code,
        'context_length_exceeded',
      );
  });

  const inside = 'prompt is too long: 209000 tokens > 200000 maximum';
  const wrapped: readonly [how: string, body: string][] = [
    [
      'as JSON in `metadata.raw`',
      JSON.stringify(
        openAi('Provider returned error', {
          code: 400,
          metadata: {
            provider_name: 'A',
            raw: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: inside } }),
          },
        }),
      ),
    ],
    [
      'as text in `metadata.raw`',
      JSON.stringify(openAi('Provider returned error', { code: 502, metadata: { raw: inside } })),
    ],
    [
      'as an `innererror`',
      JSON.stringify(openAi('Bad request.', { innererror: { code: 'context_length_exceeded', message: inside } })),
    ],
    ['as `details`', JSON.stringify(openAi('Request failed.', { code: null, details: [{ message: inside }] }))],
    [
      'behind the names of errors',
      JSON.stringify(
        openAi(`litellm.ContextWindowExceededError: litellm.BadRequestError: AnthropicException - ${inside}`),
      ),
    ],
    [
      'as JSON behind the names of errors',
      JSON.stringify(
        openAi(`litellm.BadRequestError: AnthropicException - {"type":"error","error":{"message":"${inside}"}}`),
      ),
    ],
    [
      'as a Python gateway writes it',
      JSON.stringify({ detail: `Error code: 400 - {'error': {'message': '${inside}', 'code': None}}` }),
    ],
    [
      'as a base response',
      JSON.stringify({ base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } }),
    ],
    ['as text alone', inside],
    ['as the first event of a stream', `data: ${JSON.stringify(openAi(inside))}\n\n`],
  ];
  for (const [how, body] of wrapped) {
    test(`is known ${how}`, () => {
      for (const status of [400, 500]) assert.equal(readVendorError(status, {}, body).code, 'context_length_exceeded');
    });
  }

  test('is not a limit on tokens per minute, nor a vendor that is busy', () => {
    for (const message of [
      'Throttling error: Too many tokens, please wait before trying again.',
      'too many tokens: size limit exceeded by the rate limit of this key',
      'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000.',
    ])
      for (const status of [400, 413, 429, 500])
        assert.notEqual(readVendorError(status, {}, JSON.stringify(openAi(message))).code, 'context_length_exceeded');
  });

  test('each recognizer names its source', () => {
    for (const { who, source } of RECOGNIZERS) assert.match(source, /^(https:\/\/\S+|reports)$/, who);
    assert.ok(RECOGNIZERS.length >= 30);
  });

  test('is not what a vendor’s own code calls otherwise', () => {
    for (const code of ['content_filter', 'string_above_max_length'])
      assert.equal(readVendorError(400, {}, JSON.stringify(openAi(`${model}.`, { code }))).code, code);
  });

  const others = [
    'max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you provided 32768.',
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 100 input tokens (5000 > 4096 - 100).",
    "This model's maximum context length is 8192 tokens. However, you requested 8192 output tokens and your prompt contains at least 1 input tokens, for a total of at least 8193 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
    'max_tokens (200000) exceeds the context window of this model.',
    'Request parameter max_tokens exceeds the context window.',
    'max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5',
    "This model's maximum context length is 131072 tokens, which `max_tokens` may not reach.",
    'The context window of this model cannot be set.',
    'Input should be a valid string; the context length is not counted.',
    'The parameter `context_length` is unknown.',
    "The prompt “This model's maximum context length is 8 tokens. However, you” was flagged.",
    'String too long. Expected a string with maximum length 1048576, but got a string with length 1048577 instead.',
  ];
  for (const message of others) {
    test(`is not meant by “${message.slice(0, 60)}”`, () => {
      for (const code of [null, 400, 'invalid_request_error']) {
        const error = readVendorError(400, {}, JSON.stringify(openAi(message, { code })));
        assert.deepEqual([error.code, classify(error)], [code === null ? null : String(code), 'rejected']);
      }
    });
  }
});
