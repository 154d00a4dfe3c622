import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readInnerError, readVendorError } from './vendor-errors.ts';

const codeOf = (message: string, status: number, code: unknown = null) =>
  readVendorError(status, {}, JSON.stringify({ error: { message, type: 'invalid_request_error', code } })).code;

describe('a sentence that the prompt is too long', () => {
  const said = [
    'The maximum context length of DeepSeek-V3-0324 is 32768. However, answering your request will take 39732 tokens.',
    'Total tokens of image and text exceed max message tokens. Request id: 0217',
    'Total tokens of multi-modal content and text exceed max message tokens.',
    'Prompt tokens too long',
    'Prompt tokens (9000) exceeds context size (8192)',
    'Requested tokens (2138) exceed context window of 2048',
    'request (53192 tokens) exceeds context size (50176 tokens)',
    '<LM Studio error> Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with 4096.',
    'Reached context length of 4096 tokens with model (arch: qwen3vlmoe) that does not support mid-generation context overflow.',
    'Input too long: The number of tokens in the input exceeds the maximum allowed length of 4096 tokens.',
    'Input too long. Received 7226 tokens, but the maximum input length is 4096 tokens.',
    'ValidationException: 400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9279 ',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    'Request contains 35000 tokens, which exceeds the limit of 32768.',
    "An unexpected error occurred on Google's side. Your input context is too long.",
    'Input length is too long',
    'Input length exceeds the maximum length limit',
    "The number of tokens in the prompt exceeds the model's maximum context length of 32768. Please use a shorter prompt.",
    "The length of tokens in the request is too long. Do not exceed the model's maximum token limit.",
    'Conversation length exceeded. Please start a new session.',
    "this model's maximum context length is 8192 tokens, but the prompt contains 9000 input tokens",
    "You passed 200000 characters and requested 1024 output tokens. However, the model's context length is only 8192 tokens.",
    'The engine prompt length 140000 exceeds the max_model_len 131072. Please reduce prompt.',
    'Multimodal prompt is too long after expanding multimodal tokens.',
    'Current length is 132784 while limit is 131000',
    'too many tokens: the total number of tokens in the prompt exceeds the limit of 128000',
    'input too large: total number of tokens 140000 exceeds limit 128000',
    'BAD_REQUEST: prompt token count (140000) plus max_tokens (4096) exceeds the context length 131072',
    'Request exceeds the maximum context length of 272000 tokens',
    'Messages exceed max message tokens: 12345',
    'The request used 5000 tokens, which exceeds the 4096-token context window.',
    'Context window exceeded: 140000 > 131072',
    'too many input tokens: 150000 > 128000',
    'Input tokens (140000) exceed model context window (131072)',
    "The total number of tokens in the prompt and max_tokens exceeds the model's context length: 140000 > 131072",
    'llama runner process: prompt too long; exceeded max context length by 4096 tokens',
    "Invalid input argument for Model 'x': the number of input tokens 9000 cannot exceed the total tokens limit 4096 for this model",
    'input tokens (9000) plus prefix length (0) must be <= 8192',
    'inference prohibited: Requested input length 140000 exceeds maximum input length 131071',
    'Request body too large for gpt-4o model. Max size: 8000 tokens.',
    'AiError: AiError: Invalid input: prompt exceeds maximum context length 24000',
    ...[
      '输入长度超过限制',
      '上下文长度超出模型最大限制',
      '请求的 tokens 超过了模型最大上下文长度',
      '超出最大上下文长度',
      '上下文过长',
    ],
    '入力トークン数がモデルの最大コンテキスト長を超えています。',
    '입력 토큰 수가 모델의 최대 컨텍스트 길이를 초과했습니다.',
  ];
  for (const message of said) {
    test(`is “${message.slice(0, 60)}”`, () => {
      for (const status of [400, 413, 422, 429, 500]) assert.equal(codeOf(message, status), 'context_length_exceeded');
    });
  }

  const others: readonly [status: number, message: string][] = [
    [400, 'The maximum tokens you requested exceeds the model limit of 2048. Try again with a lower value.'],
    [400, 'max_total_tokens (100000794) must be less than or equal to max_seq_len (32768)'],
    [400, 'rpc error: code = InvalidArgument desc = max_tokens (10000) cannot exceed 8192.'],
    [400, "The requested max_tokens is too large for this model's context window"],
    [400, 'Output token limit exceeded'],
    [400, 'The number of output tokens exceeds the maximum of 8192 tokens.'],
    [
      429,
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 132819. The input must be reduced.',
    ],
    [
      413,
      'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, reduce your message size.',
    ],
    [429, 'Number of request tokens has exceeded your per-minute rate limit'],
    [429, 'Extra usage is required for long context requests.'],
    [429, 'Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000'],
    [400, 'token limit exceeded per minute'],
    [400, 'messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'],
    [400, 'The input image exceeds the maximum of 4096 tokens'],
    [400, 'Request payload size exceeds the limit: 20971520 bytes.'],
    [413, 'Request exceeds the maximum size'],
    [
      400,
      "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got one with length 2049.",
    ],
    [400, 'Message exceeds maximum length of 1000 characters'],
    [400, 'The tool description in your request is too long'],
    [400, 'The prompt contains too many images: 120 > 100'],
    [400, 'Your API token has exceeded its limit'],
    [400, 'The access token is too long'],
    [400, 'Monthly token limit exceeded'],
    [400, "The prompt was flagged: this model's maximum context length is 8 tokens. However, you requested 9 tokens"],
    [400, 'Content blocked: prompt is too long'],
    [400, 'thinking budget exceeds the maximum number of tokens'],
    [500, 'The model took too long to respond'],
    [400, 'Number of inputs exceeds maximum batch size of 25'],
    [400, '模型输出长度超过限制'],
    [429, '请求过于频繁，输入超过限制'],
    [400, '图片大小超过限制，输入无效'],
  ];
  for (const [status, message] of others) {
    test(`is not “${message.slice(0, 60)}”`, () => {
      for (const code of [null, 'invalid_request_error', status])
        assert.notEqual(codeOf(message, status, code), 'context_length_exceeded');
    });
  }

  test('tells its numbers only where they say that it is too long', () => {
    const numbers = (message: string) => readVendorError(400, {}, JSON.stringify({ error: { message } })).tooLong;
    const vllm =
      "This model's maximum context length is 196608 tokens. However, you requested 16384 output tokens and your";
    assert.deepEqual(
      numbers(`${vllm} prompt contains at least 180225 input tokens, for a total of at least 196609 tokens.`),
      {
        asked: 196_609,
        most: 196_608,
      },
    );
    assert.deepEqual(numbers('Requested tokens (2138) exceed context window of 2048'), { asked: 2138, most: 2048 });
    assert.equal(numbers('Prompt tokens (140000) plus max_tokens (4096) exceeds the context length 131072'), null);
    assert.equal(numbers(`${vllm} prompt is what it is.`), null);
  });

  test('is known in every shape of an error', () => {
    const inside = 'prompt is too long: 209000 tokens > 200000 maximum';
    const shapes = [
      JSON.stringify({ code: '1261', msg: 'Prompt too long', success: false }),
      JSON.stringify({ error: { code: 'OutofContextError', message: 'No.' } }),
      JSON.stringify({ error: { message: 'No.', innererror: { code: 'ContextLengthExceeded' } } }),
      JSON.stringify({ error: { code: 'tokens_limit_reached', message: 'No.' } }),
      JSON.stringify({ detail: { error: inside } }),
      JSON.stringify({ detail: `Error code: 400 - {'error': "${inside}"}` }),
      JSON.stringify({
        detail: `litellm.BadRequestError: VertexAIException - b'{\\n  "error": {\\n "message": "${inside}"}\\n}'`,
      }),
      JSON.stringify({
        detail: `Error code: 400 - {'error': {'message': '{"error":{"message":"${inside}"}}', 'status': 'X'}}`,
      }),
    ];
    for (const body of shapes) assert.equal(readVendorError(400, {}, body).code, 'context_length_exceeded', body);
    assert.equal(readInnerError({ error_code: 336103, error_msg: 'No.' }).code, 'context_length_exceeded');
  });
});
