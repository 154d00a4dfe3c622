import type { AnswerFormat, Call } from '../../core/call.ts';
import type { Envelope } from '../dialect.ts';
import { Fields, unknownWord } from '../fields.ts';
import { isUnsupported, lostWithin } from '../members.ts';
import { parsedBody } from '../request.ts';
import { defined } from '../unchecked-json.ts';
import { MESSAGES, REQUEST, TOOLS } from './members.ts';
import { readMessages } from './messages-read.ts';
import { readThinking } from './thinking-read.ts';
import { isSearchPlugin, readToolChoice, readTools } from './tools.ts';

/** Reads the whole of a chat completion request. */
export function readCall(envelope: Envelope): Call {
  const body = new Fields(parsedBody(envelope), '');
  const thinking = readThinking(body);
  const omitted = new Set(lostWithin(body.raw('messages'), MESSAGES, 'messages', { unknown: true }));
  lostWithin(body.raw('tools'), TOOLS, 'tools', { into: omitted, unknown: true });
  const legacy = body.raw('functions') !== undefined && body.raw('tools') === undefined;
  return {
    messages: readMessages(body.objects('messages')),
    tools: readTools(body),
    ...defined({
      toolChoice: readToolChoice(body),
      // With `functions`, only one is called at a time.
      parallelToolCalls: body.boolean('parallel_tool_calls') ?? (legacy ? false : undefined),
      maxOutputTokens: envelope.maxOutputTokens ?? undefined,
      choices: envelope.choices === 1 ? undefined : envelope.choices,
      temperature: body.number('temperature'),
      topP: body.number('top_p'),
      topK: body.integer('top_k'),
      frequencyPenalty: body.number('frequency_penalty'),
      presencePenalty: body.number('presence_penalty'),
      seed: body.integer('seed'),
      stop: readStop(body),
      logitBias: readNumbers(body.object('logit_bias')),
      logprobs: readLogprobsWish(body),
      reasoning: thinking.wish,
      format: readFormat(body.object('response_format')),
      verbosity: body.text('verbosity'),
      serviceTier: body.text('service_tier'),
      user: body.text('safety_identifier') ?? body.text('user'),
      metadata: readTexts(body.object('metadata')),
      promptCacheKey: body.text('prompt_cache_key'),
      promptCacheRetention: body.text('prompt_cache_retention'),
      extra: readExtra(body, thinking.members),
      omitted: omitted.size > 0 ? [...omitted] : undefined,
    }),
  };
}

function readStop(body: Fields): string[] | undefined {
  const value = body.raw('stop');
  if (value === undefined) return undefined;
  if (typeof value === 'string') return [value];
  return body.texts('stop');
}

function readLogprobsWish(body: Fields): Call['logprobs'] {
  const top = body.integer('top_logprobs');
  return body.boolean('logprobs') === true ? { top: top ?? 0 } : undefined;
}

const FORMATS = ['text', 'json_object', 'json_schema'];

function readFormat(format: Fields | undefined): AnswerFormat | undefined {
  if (format === undefined) return undefined;
  const type = format.needed('type');
  switch (type) {
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema': {
      const inner = format.object('json_schema') ?? new Fields({}, format.at('json_schema'));
      const { name, description, strict } = {
        name: inner.text('name'),
        description: inner.text('description'),
        strict: inner.boolean('strict'),
      };
      return { kind: 'schema', schema: inner.plain('schema') ?? {}, ...defined({ name, description, strict }) };
    }
    default:
      throw unknownWord(format.at('type'), type, FORMATS);
  }
}

function readNumbers(fields: Fields | undefined): Record<string, number> | undefined {
  if (fields === undefined) return undefined;
  return Object.fromEntries(fields.names.flatMap((name) => entry(name, fields.number(name))));
}

function readTexts(fields: Fields | undefined): Record<string, string> | undefined {
  if (fields === undefined) return undefined;
  return Object.fromEntries(fields.names.flatMap((name) => entry(name, fields.text(name))));
}

function entry<T>(name: string, value: T | undefined): [string, T][] {
  return value === undefined ? [] : [[name, value]];
}

function readExtra(body: Fields, read: ReadonlySet<string>): Call['extra'] {
  const isLeft = (name: string) =>
    isUnsupported(REQUEST, name) && !read.has(name) && !saysNothing(name, body.raw(name));
  const unknown = body.names.filter(isLeft);
  if (unknown.length === 0) return undefined;
  return { dialect: 'openai-chat', fields: Object.fromEntries(unknown.map((name) => [name, body.raw(name)])) };
}

/** Whether a field has its default value. */
function saysNothing(name: string, value: unknown): boolean {
  if (value === undefined) return true;
  if (name === 'store') return value === false;
  if (name === 'plugins') return Array.isArray(value) && value.every(isSearchPlugin);
  return name === 'modalities' && JSON.stringify(value) === '["text"]';
}
