/** Headers by name, in the words of JSON Schema: they are made of nothing that comes in. */
type Headers = Readonly<Record<string, { description: string; schema: object }>>;

const STRING = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const DURATION = { type: 'string', examples: ['6m0s', '1.182s', '20ms', '0s'] };

const REQUESTS = {
  'x-ratelimit-limit-requests': header(COUNT, 'Requests per minute.'),
  'x-ratelimit-remaining-requests': header(COUNT, 'Requests left now.'),
  'x-ratelimit-reset-requests': header(DURATION, 'Time until the requests are full again.'),
};

/** The headers of answers, grouped by the answers that have them, and those that callers may send. The names of the gateway's own begin with `prefix`. */
export function answerHeaders(prefix: string) {
  return {
    always: {
      'x-request-id': header(STRING, 'The gateway’s id of the request.'),
      [`${prefix}-version`]: header(STRING, 'The version of this API.'),
      [`${prefix}-processing-ms`]: header(COUNT, 'Time until the answer began, in milliseconds.'),
    },
    /** Once the caller is known. */
    toCaller: {
      [`${prefix}-organization`]: header(STRING, 'The organization that the key belongs to.'),
      ...REQUESTS,
      'x-ratelimit-limit-tokens': header(COUNT, 'Tokens per minute.'),
      'x-ratelimit-remaining-tokens': header(COUNT, 'Tokens left now.'),
      'x-ratelimit-reset-tokens': header(DURATION, 'Time until the tokens are full again.'),
    },
    /** To a person who is signed in. */
    toPerson: REQUESTS,
    /** Once a provider was asked. */
    fromProvider: {
      [`${prefix}-provider`]: header(STRING, 'Who served the call; not there where its route does not disclose it.'),
      [`${prefix}-model`]: header(STRING, 'The model’s name there.'),
      [`${prefix}-attempts`]: header(COUNT, 'How often a provider was asked.'),
      [`${prefix}-cost-usd`]: header(
        { type: 'string', examples: ['0.0001275'] },
        'What the caller is charged, in dollars, of an answer that is no stream; not there where no price is known.',
      ),
    },
    /** Where a route chose. */
    fromRoute: {
      [`${prefix}-route`]: header(STRING, 'The route that chose who serves the call.'),
      [`${prefix}-unpriced`]: header(
        STRING,
        'Targets of the route that were left out of a call under a budget or spend limit, because they have no price; not there where ' +
          'the route does not disclose them.',
      ),
    },
    /** Where a call was translated with losses. */
    fromTranslation: {
      [`${prefix}-dropped`]: header(STRING, 'What of the call or its whole answer could not be carried over.'),
    },
    /** What a caller may send with a call to a model. */
    asked: {
      [`${prefix}-include-cost`]: header(
        { type: 'string', enum: ['true'] },
        'With `true` the usage of the answer, or the last of a stream, has `cost`: what the caller is charged, in dollars; `null` ' +
          'where no price is known.',
      ),
    },
    /** In Anthropic’s style. */
    inMessages: {
      'request-id': header(STRING, 'The same as `x-request-id`.'),
    },
    /** On errors that say when to come back, and whether to. */
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

/** References to headers, as they stand in an answer. */
export type HeaderRefs = Readonly<Record<string, { $ref: string }>>;

export function headerRefs(...sets: readonly Headers[]): HeaderRefs {
  const names = sets.flatMap((set) => Object.keys(set));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(schema: object, description: string): Headers[string] {
  return { description, schema };
}
