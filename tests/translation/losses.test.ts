import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Answer, Finish } from '../../src/core/answer.ts';
import { unfoldAnswer } from '../../src/core/answer.ts';
import type { AnswerPart, Call, Citation, ReasoningPart, UserPart } from '../../src/core/call.ts';
import { LOSSES, type Loss } from '../../src/core/losses.ts';
import type { DialectId } from '../../src/core/provider.ts';
import type { Quirks } from '../../src/core/quirks.ts';
import { DIALECTS } from '../../src/dialects/built.ts';
import { caseContext, caseWriteOptions } from '../../src/dialects/contract/cases.ts';
import type { AnswerContext, Dialect, WriteOptions } from '../../src/dialects/dialect.ts';
import { readRequestBody } from '../../src/dialects/request.ts';
import { withToolResults } from '../../src/pipeline/translation/tool-results.ts';
import { wrapCustomTools } from '../../src/pipeline/translation/tools.ts';

/**
 * Every loss that there is, provoked in each dialect: by a call (and an answer) that holds the thing, in its usual form
 * and in odd ones, written for the best of vendors and for poor ones. The table in `docs/translation.md` must say what
 * comes of it. `HEADGATE_GOLDEN=write` writes the table anew.
 */
const DOCUMENT = fileURLToPath(new URL('../../docs/translation.md', import.meta.url));
const TABLE = /(?<=^## What is lost\n(?:(?!\|).*\n)*)(?:^\|.*\n)+/m;
const COLUMNS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;

/** A dialect that none of those is, for what only its own has a word for. */
const ELSEWHERE: DialectId = 'gemini';

const EVERYTHING: Quirks = {
  customTools: true,
  strictSchemas: true,
  developerRole: true,
  takes: ['prompt_cache_key', 'prompt_cache_retention', 'refusal', 'service_tier', 'verbosity'],
  reasoningField: 'reasoning_content',
  cacheControl: { source: '' },
  cacheBreakpoints: { models: /./, source: '' },
};
const NOTHING: Quirks = {
  refuses: ['frequency_penalty', 'logit_bias', 'logprobs', 'name', 'presence_penalty', 'seed', 'user'],
  refusesSchemas: true,
};
const PLAIN = { tools: false, reasoning: false, structuredOutput: false, attachment: false, temperature: false };

/** Vendors and models: one that takes all that its dialect has, and some that do not. */
const VENDORS: readonly Partial<WriteOptions>[] = [
  { quirks: EVERYTHING },
  { quirks: NOTHING, model: { maxOutputTokens: null, capabilities: PLAIN } },
  { upstreamModel: 'claude-3-haiku-20240307' },
  { upstreamModel: 'claude-sonnet-4-5' },
  { upstreamModel: 'claude-opus-5-5' },
];

const TOOL = { kind: 'function', name: 'look', parameters: { type: 'object' } } as const;
const LIMITED = { type: 'object', properties: { stars: { type: 'integer', minimum: 1 } } };
const TEXT = { kind: 'text', text: 'a' } as const;
const CALL = { kind: 'tool-call', id: 'call_1', name: 'look', input: '{}', form: 'function' } as const;
const MARK = { ttl: '5m' } as const;
const SEALED: ReasoningPart = {
  kind: 'reasoning',
  text: 'Hm',
  form: 'full',
  seal: { dialect: ELSEWHERE, provider: 'other', form: 'signature', id: null, value: 's' },
};
const CITED: Citation = { kind: 'url', url: 'https://a.invalid', title: 'A', start: 0, end: 1 };
const OWN_CITED: Citation = { kind: 'native', dialect: ELSEWHERE, value: {} };
const STEP = { kind: 'native', dialect: ELSEWHERE, type: 'search', value: { type: 'search' } } as const;

const LOGPROB = { token: 'a', logprob: -1, bytes: null, top_logprobs: [] };
const CALLED: AnswerPart = { kind: 'tool-call', id: 'c', name: 'look', input: '{}', form: 'function' };

/** Calls that hold what may be lost, the usual form first. */
const CALLS: Record<Loss, readonly Partial<Call>[]> = {
  audio: [said({ kind: 'audio', data: 'AA==', format: 'wav' })],
  cache_control: [said({ ...TEXT, cache: MARK }), said(...Array<UserPart>(5).fill({ ...TEXT, cache: MARK }))],
  choices: [{ choices: 2 }],
  citations: [answered({ ...TEXT, citations: [CITED] }), answered({ ...TEXT, citations: [OWN_CITED] })],
  detail: [said({ kind: 'image', source: { kind: 'url', url: 'https://a.invalid' }, detail: 'high' })],
  file: [
    said({ kind: 'file', source: { kind: 'data', mediaType: 'application/pdf', data: 'AA==' } }),
    said({ kind: 'file', source: { kind: 'url', url: 'https://a.invalid/a.pdf' } }),
    said({ kind: 'file', source: { kind: 'data', mediaType: 'application/zip', data: 'AA==' } }),
  ],
  file_id: [said({ kind: 'file', source: { kind: 'id', dialect: ELSEWHERE, id: 'f' } })],
  frequency_penalty: [{ frequencyPenalty: 0.5 }],
  grammar: [
    { tools: [{ kind: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } }] },
  ],
  image: [
    said({ kind: 'image', source: { kind: 'url', url: 'https://a.invalid/a.png' } }),
    said({ kind: 'image', source: { kind: 'text', text: 'a' } }),
  ],
  is_error: [resulting({ isError: true })],
  logit_bias: [{ logitBias: { 1: 2 } }],
  logprobs: [{ logprobs: { top: 1 } }],
  metadata: [{ metadata: { a: 'b' } }, { metadata: { a: 'b'.repeat(600) } }],
  name: [{ messages: [{ role: 'user', name: 'ann', parts: [TEXT] }] }],
  parallel_tool_calls: [{ tools: [TOOL], parallelToolCalls: false }],
  pause: [],
  presence_penalty: [{ presencePenalty: 0.5 }],
  prompt_cache_key: [{ promptCacheKey: 'a' }],
  prompt_cache_retention: [{ promptCacheRetention: '24h' }],
  reasoning: [answered(SEALED, TEXT)],
  reasoning_effort: [{ reasoning: { effort: 'high' } }, { reasoning: { effort: 'odd' } }],
  reasoning_summary: [{ reasoning: { summary: 'auto' } }, { reasoning: { summary: 'none', budgetTokens: 2048 } }],
  response_format: [
    { format: { kind: 'schema', schema: { type: 'object' } } },
    { format: { kind: 'schema', schema: LIMITED } },
    { format: { kind: 'json' } },
  ],
  seal: [answered(SEALED, TEXT)],
  seed: [{ seed: 1 }],
  service_tier: [{ serviceTier: 'default' }, { serviceTier: 'priority' }, { serviceTier: 'odd' }],
  stop: [{ stop: ['a'] }, { stop: [' ', 'a', 'b', 'c', 'd'] }],
  stop_sequence: [],
  strict: [
    { tools: [{ ...TOOL, strict: true }] },
    { tools: [{ ...TOOL, parameters: LIMITED, strict: true }] },
    { format: { kind: 'schema', schema: LIMITED, held: true } },
  ],
  temperature: [{ temperature: 0.5 }, { temperature: 1.5 }],
  tool_choice: [{ tools: [TOOL], toolChoice: { mode: 'required' } }, { toolChoice: { mode: 'required' } }],
  tool_result: [
    {
      messages: [
        { role: 'user', parts: [TEXT] },
        { role: 'assistant', parts: [CALL] },
      ],
    },
  ],
  tool_result_content: [
    resulting({ parts: [TEXT, { kind: 'image', source: { kind: 'url', url: 'https://a.invalid/a.png' } }] }),
    resulting({ parts: [TEXT, STEP] }),
    resulting({
      parts: [TEXT, { kind: 'file', source: { kind: 'data', mediaType: 'application/zip', data: 'AA==' } }],
    }),
  ],
  tool_schema: [{ tools: [{ ...TOOL, parameters: { type: 'object', anyOf: [{ required: ['a'] }] } }] }],
  tools: [{ tools: [{ kind: 'native', dialect: ELSEWHERE, type: 'search', value: {} }] }],
  top_k: [{ topK: 5 }],
  top_p: [{ topP: 0.5 }],
  user: [{ user: 'ann' }, { user: 'a'.repeat(300) }],
  vendor_tool_calls: [answered(STEP, TEXT)],
  verbosity: [{ verbosity: 'low' }],
};

/** The same of answers; what is not here no answer holds, or every dialect has a word for. */
const ANSWERS: Partial<Record<Loss, readonly Answer[]>> = {
  choices: [{ ...answer([TEXT]), choices: [answer([TEXT]).choices[0]!, answer([TEXT]).choices[0]!] }],
  citations: [answer([{ ...TEXT, citations: [OWN_CITED] }])],
  logprobs: [answer([{ ...TEXT, logprobs: [LOGPROB] }])],
  parallel_tool_calls: [answer([CALLED, { ...CALLED, id: 'd' }])],
  pause: [answer([TEXT], { reason: 'pause' })],
  reasoning: [answer([SEALED, TEXT])],
  seal: [answer([SEALED, TEXT])],
  stop_sequence: [answer([TEXT], { reason: 'stop', stopSequence: 'x' })],
  vendor_tool_calls: [answer([STEP, TEXT])],
};

test('docs/translation.md says of every loss where it happens', () => {
  const document = readFileSync(DOCUMENT, 'utf8');
  const table = tableOf();
  if (process.env.HEADGATE_GOLDEN === 'write') writeFileSync(DOCUMENT, document.replace(TABLE, `${table}\n`));
  assert.equal(TABLE.exec(readFileSync(DOCUMENT, 'utf8'))?.[0].trimEnd(), table);
});

test('every loss happens somewhere', () => {
  const rows = (Object.keys(LOSSES) as Loss[]).map((loss) => [loss, cellsOf(loss)] as const);
  assert.deepEqual(
    rows.filter(([, cells]) => cells.every((cell) => cell === '')).map(([loss]) => loss),
    [],
  );
});

test('nothing is said to be lost that was not there', () => {
  for (const dialect of COLUMNS.map(dialectOf)) {
    for (const vendor of VENDORS) assert.deepEqual(writtenCall(dialect, {}, vendor), []);
    assert.deepEqual(writtenAnswer(dialect, answer([TEXT]), caseContext()), []);
  }
});

function tableOf(): string {
  const head = ['What', 'Name', ...COLUMNS.map((id) => `to ${nameOf(id)}`), ...COLUMNS.map((id) => `as ${nameOf(id)}`)];
  const rows = (Object.entries(LOSSES) as [Loss, string][]).map(([loss, what]) => [
    what.replace(/\.$/, ''),
    `\`${loss}\``,
    ...cellsOf(loss),
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** `lost`: always; `some`: of some vendors and models, or in odd forms; empty: it is kept, or cannot be there. */
function cellsOf(loss: Loss): string[] {
  const name = loss === 'tools' ? 'tools.search' : loss;
  const verdict = (runs: readonly (readonly string[])[]) => {
    const lost = runs.filter((dropped) => dropped.includes(name)).length;
    return lost === 0 ? '' : lost === runs.length ? 'lost' : 'some';
  };
  const dialects = COLUMNS.map(dialectOf);
  return [
    ...dialects.map((dialect) =>
      verdict(CALLS[loss].flatMap((call) => VENDORS.map((vendor) => writtenCall(dialect, call, vendor)))),
    ),
    ...dialects.map((dialect) =>
      verdict(
        (ANSWERS[loss] ?? []).flatMap((each) => contexts().map((context) => writtenAnswer(dialect, each, context))),
      ),
    ),
  ];
}

/** What is told as lost of the call. */
function writtenCall({ translation }: Dialect, part: Partial<Call>, vendor: Partial<WriteOptions>): readonly string[] {
  const options = caseWriteOptions(vendor);
  const given: Call = { messages: [{ role: 'user', parts: [TEXT] }], tools: [], ...part };
  const { call, dropped } = withToolResults(given);
  const wrapped = translation!.takesCustomTools(options.quirks) ? { call, dropped: [] } : wrapCustomTools(call);
  return [...dropped, ...wrapped.dropped, ...translation!.writeCall(wrapped.call, options).dropped];
}

/** The same of an answer, whole and streamed. */
function writtenAnswer({ translation }: Dialect, given: Answer, context: AnswerContext): readonly string[] {
  const whole = translation!.writeAnswer(given, context).dropped;
  const writer = translation!.writeEvents(context);
  for (const event of unfoldAnswer(given)) writer.push(event);
  assert.deepEqual([...writer.dropped].sort(), [...whole].sort(), 'a stream tells the same as the whole answer');
  return whole;
}

/** A caller of today's, and one who speaks of functions, as chat did before it had tools. */
function contexts(): AnswerContext[] {
  const given = caseContext();
  const body = Buffer.from('{"model":"asked","messages":[{}],"functions":[{"name":"look"}]}');
  return [given, { ...given, envelope: { ...given.envelope, ...readRequestBody(body, 9) } }];
}

function dialectOf(id: DialectId): Dialect {
  return DIALECTS.find((dialect) => dialect.id === id)!;
}

function nameOf(id: (typeof COLUMNS)[number]): string {
  return id.replace(/^.*-/, '');
}

function said(...parts: UserPart[]): Partial<Call> {
  return { messages: [{ role: 'user', parts }] };
}

function answered(...parts: AnswerPart[]): Partial<Call> {
  const user = { role: 'user', parts: [TEXT] } as const;
  return { messages: [user, { role: 'assistant', parts }, user] };
}

type Result = Extract<Call['messages'][number], { role: 'tool' }>['parts'][number];

function resulting(more: Partial<Result>): Partial<Call> {
  const result: Result = { kind: 'tool-result', callId: 'c', parts: [TEXT], isError: false, form: 'function', ...more };
  return {
    messages: [
      { role: 'user', parts: [TEXT] },
      { role: 'assistant', parts: [CALLED] },
      { role: 'tool', parts: [result] },
    ],
  };
}

function answer(parts: readonly AnswerPart[], finish: Finish = { reason: 'stop' }): Answer {
  return { id: 'a', model: 'm', createdAt: 1, choices: [{ parts, finish }], usage: null };
}
