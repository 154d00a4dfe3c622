/** Headers by name, in JSON Schema: nothing in them comes from requests. */
type Headers = Readonly<Record<string, { description: string; schema: object }>>;

const STRING = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const DURATION = { type: 'string', examples: ['6m0s', '1.182s', '20ms', '0s'] };

const REQUESTS = {
  'x-ratelimit-limit-requests': header(COUNT, 'Requests per minute.'),
  'x-ratelimit-remaining-requests': header(COUNT, 'Requests left now.'),
  'x-ratelimit-reset-requests': header(DURATION, 'Time until the request limit is full again.'),
};

/**
 * The headers of answers, grouped by kind of answer, and those that callers may send. The gateway's own names begin
 * with `prefix`.
 */
export function answerHeaders(prefix: string) {
  return {
    always: {
      'x-request-id': header(STRING, 'The gateway’s request id.'),
      [`${prefix}-version`]: header(STRING, 'The version of this API.'),
      [`${prefix}-processing-ms`]: header(COUNT, 'Time until the answer began, in milliseconds.'),
    },
    /** After the caller is known. */
    toCaller: {
      [`${prefix}-organization`]: header(STRING, 'The organization of the key.'),
      ...REQUESTS,
      'x-ratelimit-limit-tokens': header(COUNT, 'Tokens per minute.'),
      'x-ratelimit-remaining-tokens': header(COUNT, 'Tokens left now.'),
      'x-ratelimit-reset-tokens': header(DURATION, 'Time until the token limit is full again.'),
    },
    /** For signed-in people. */
    toPerson: REQUESTS,
    /** After a call to a provider. */
    fromProvider: {
      [`${prefix}-provider`]: header(STRING, 'The provider of the answer; missing if its route does not disclose it.'),
      [`${prefix}-model`]: header(STRING, 'The model’s name there.'),
      [`${prefix}-attempts`]: header(COUNT, 'Number of attempts at providers.'),
      [`${prefix}-cost-usd`]: header(
        { type: 'string', examples: ['0.0001275'] },
        'What the caller is charged, in dollars, for an answer that is not streamed; missing if no price is known.',
      ),
    },
    /** If a route chose. */
    fromRoute: {
      [`${prefix}-route`]: header(STRING, 'The route that chose the target.'),
      [`${prefix}-unpriced`]: header(
        STRING,
        'Targets of the route that were skipped under a budget or spend limit, because they have no price; missing if ' +
          'the route does not disclose them.',
      ),
    },
    /** For calls translated with losses. */
    fromTranslation: {
      [`${prefix}-dropped`]: header(STRING, 'Omissions of the call, and of a whole answer.'),
    },
    /** Headers that callers may send with model calls. */
    asked: {
      [`${prefix}-include-cost`]: header(
        { type: 'string', enum: ['true'] },
        'With `true` the usage of the answer, or the last of a stream, has `cost`: what the caller is charged, in dollars; `null` ' +
          'where no price is known.',
      ),
    },
    /** For Anthropic's clients. */
    inMessages: {
      'request-id': header(STRING, 'The same as `x-request-id`.'),
    },
    /** On errors with a time to retry, or a hint whether to. */
    retry: {
      'retry-after': header(COUNT, 'Seconds to wait.'),
      'retry-after-ms': header(COUNT, 'The same in milliseconds.'),
      'x-should-retry': header({ type: 'string', enum: ['true', 'false'] }, 'Whether the same call may succeed later.'),
    },
    /** On a 401. */
    challenge: { 'www-authenticate': header({ const: 'Bearer' }, 'How to send a key.') },
  } satisfies Record<string, Headers>;
}

export type AnswerHeaders = ReturnType<typeof answerHeaders>;

/** References to headers, for an answer. */
export type HeaderRefs = Readonly<Record<string, { $ref: string }>>;

export function headerRefs(...sets: readonly Headers[]): HeaderRefs {
  const names = sets.flatMap((set) => Object.keys(set));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(schema: object, description: string): Headers[string] {
  return { description, schema };
}
