import { type CallStatus, SOURCES } from '../../core/records.ts';
import type { UsageSource } from '../../core/usage.ts';
import {
  BOOLEAN,
  COUNT,
  described,
  list,
  listObject,
  NUMBER,
  object,
  oneOf,
  openObject,
  orNull,
  ref,
  type Schema,
  SECONDS,
  STRING,
} from './schema.ts';

const STATUSES: Record<CallStatus, true> = { succeeded: true, failed: true, cancelled: true, interrupted: true };
const USAGE_SOURCES: Record<UsageSource, true> = { provider: true, estimated: true, none: true };

const MAYBE_COUNT = orNull(COUNT);
const MAYBE_STRING = orNull(STRING);
const STATUS = oneOf(...Object.keys(STATUSES));
const ERROR_KIND = described(MAYBE_STRING, 'The kind of the error, as in docs/errors.md.');
const USAGE_SOURCE = described(
  oneOf(...Object.keys(USAGE_SOURCES)),
  'Who says so: the provider, the gateway’s own count, or nobody.',
);
const MILLISECONDS = { type: 'integer', description: 'Unix time in milliseconds.' };
const CREDENTIAL = described(STRING, 'Which of the provider’s credentials: shown to administrators’ keys only.');

const RECORD = {
  id: described(STRING, 'Sorts by time; the cursor for `after`.'),
  object: { const: 'usage_record' },
  model: STRING,
  source: oneOf(...SOURCES),
  input_tokens: described(COUNT, 'The whole prompt, cached tokens too.'),
  output_tokens: COUNT,
  total_tokens: COUNT,
  created_at: SECONDS,
  cost_usd: described(orNull(NUMBER), '`null` where a token that was used has no known price.'),
  requested_model: described(STRING, 'The name that the caller sent.'),
  provider: STRING,
  upstream_model: STRING,
  status: STATUS,
  http_status: COUNT,
  error: ERROR_KIND,
  streamed: BOOLEAN,
  cached_tokens: COUNT,
  cache_write_tokens: COUNT,
  reasoning_tokens: COUNT,
  usage_source: USAGE_SOURCE,
  latency_ms: COUNT,
  time_to_first_token_ms: MAYBE_COUNT,
  request_id: STRING,
  client_request_id: MAYBE_STRING,
  api_key_id: STRING,
  attempts: COUNT,
  dropped: described(
    list(STRING),
    'What translation could not carry of the call and its answer: at most 4 KB of names, the longer ones cut; then, as ' +
      'the last, how many there were besides (`+59871 more`).',
  ),
  product: described(MAYBE_STRING, 'The operator’s product that called; `null` for every other source.'),
  tool: described(
    orNull(object({ name: STRING, version: MAYBE_STRING })),
    'The developer tool that called, as it names itself; `null` for every other source.',
  ),
  vendor_cost_usd: described(
    orNull(NUMBER),
    'What the vendors charged, all attempts together; `cost_usd` is what the caller is charged.',
  ),
  counted_usd: described(
    NUMBER,
    'What the call took of the limits of its key and product: `cost_usd`; where that is `null`, or the call was ' +
      'interrupted, what was held for it.',
  ),
  reported_usage: described(
    orNull(
      object({
        input_tokens: COUNT,
        output_tokens: COUNT,
        cached_tokens: COUNT,
        cache_write_tokens: COUNT,
        reasoning_tokens: COUNT,
      }),
    ),
    'What the provider reported, where it was more than can be and the gateway counted instead; else `null`.',
  ),
};

const ATTEMPT = object(
  {
    number: COUNT,
    provider: STRING,
    upstream_model: STRING,
    status: STATUS,
    http_status: described(MAYBE_COUNT, 'What the provider answered, if it got that far.'),
    error: ERROR_KIND,
    started_at_ms: MILLISECONDS,
    ended_at_ms: MILLISECONDS,
    possibly_billed: described(BOOLEAN, 'It failed, and the vendor may have charged for it all the same.'),
    usage_source: USAGE_SOURCE,
    upstream_request_id: MAYBE_STRING,
  },
  { credential: CREDENTIAL },
);

const SCORE = described({ type: 'number', minimum: 0, maximum: 1 }, 'From 0, of no use, to 1, as good as can be.');

/** What tells of past calls. */
export const USAGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  UsageRecord: object(RECORD),
  FeedbackRequest: {
    ...object(
      {
        request_id: described(STRING, 'The `x-request-id` of the answer, or the id of its usage record.'),
        score: SCORE,
      },
      { note: orNull(STRING) },
    ),
    additionalProperties: false,
  },
  Feedback: object({
    object: { const: 'feedback' },
    request_id: STRING,
    usage_id: STRING,
    score: SCORE,
    note: orNull(STRING),
    created_at: SECONDS,
    route: described(orNull(STRING), 'The route that chose who served the call.'),
    learned: described(BOOLEAN, 'Whether a smart route will learn from it.'),
  }),
  UsageList: listObject(ref('UsageRecord'), { has_more: BOOLEAN }),
  UsageDetail: object({
    ...RECORD,
    attempt_details: described(list(ATTEMPT), 'In the order in which they were made.'),
    decision: described(orNull(ref('Decision')), '`null` for a call that named its model.'),
  }),
  Decision: described(
    openObject({
      route: STRING,
      route_version: STRING,
      seed: NUMBER,
      traits: described(openObject({}), 'What the call was, as far as the route looked at it.'),
      candidates: list(
        openObject(
          {
            model: STRING,
            provider: STRING,
            upstream_model: STRING,
            role: STRING,
            expected_cost: orNull(NUMBER),
            chance: described(orNull(NUMBER), 'Of a good answer, as a smart route expects it.'),
            left_out: described(orNull(object({ reason: STRING, detail: STRING })), 'Why it was not used.'),
          },
          { credential: CREDENTIAL },
        ),
      ),
      order: described(list(COUNT), 'Places in `candidates`, in the order in which they were to be tried.'),
      because: described(list(STRING), 'What the order came of.'),
    }),
    'How a route chose, as it is kept. Times are Unix milliseconds, amounts nano-dollars.',
  ),
};
