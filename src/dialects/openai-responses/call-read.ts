import type { AnswerFormat, Call, ReasoningWish } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Envelope } from '../dialect.ts';
import { isUnsupported, lostWithin } from '../members.ts';
import { missing, parsedBody, wrongType } from '../request.ts';
import { defined, isObject, listOf, objectOf, textOf, type Unchecked, wordOf } from '../unchecked-json.ts';
import { readInput } from './call-items-read.ts';
import { CallTools } from './call-tools.ts';
import { ITEMS, REQUEST } from './members.ts';
import { omittedOfTools, readToolChoice } from './tools-read.ts';
import { Turns } from './turns.ts';
import { ENCRYPTED_REASONING, FOUND_PAGES, LOGPROBS } from './wire.ts';

/** Reads a whole responses call. */
export function readCall(envelope: Envelope): Call {
  const body = objectOf(parsedBody(envelope));
  refuseEarlierAnswer(body);
  const turns = new Turns();
  const tools = new CallTools(body);
  const instructions = optional(body, 'instructions', 'string');
  if (instructions) turns.system('system', [{ kind: 'text', text: instructions }]);
  readInput(body.input, turns, tools);
  if (turns.messages.length === 0) {
    throw missing('input', 'You must send `input`: only the provider that stores a prompt knows it.');
  }
  const choice = (body.tool_choice ?? null) === null ? null : readToolChoice(body.tool_choice, tools);
  const fields = unknownFields(body, choice === null);
  const omitted = [...lostWithin(body.input, ITEMS, 'input', { unknown: true })];
  return {
    messages: turns.messages,
    tools: tools.tools,
    ...defined({
      toolChoice: choice ?? undefined,
      parallelToolCalls: optional(body, 'parallel_tool_calls', 'boolean'),
      maxOutputTokens: envelope.maxOutputTokens ?? undefined,
      temperature: optional(body, 'temperature', 'number'),
      topP: optional(body, 'top_p', 'number'),
      frequencyPenalty: optional(body, 'frequency_penalty', 'number'),
      presencePenalty: optional(body, 'presence_penalty', 'number'),
      logprobs: readLogprobsWish(body),
      reasoning: readReasoningWish(body),
      format: readFormat(objectOf(body.text).format),
      verbosity: wordOf(objectOf(body.text).verbosity) ?? undefined,
      serviceTier: optional(body, 'service_tier', 'string'),
      user: wordOf(body.safety_identifier) ?? wordOf(body.user) ?? undefined,
      metadata: readMetadata(body.metadata),
      promptCacheKey: optional(body, 'prompt_cache_key', 'string'),
      promptCacheRetention: optional(body, 'prompt_cache_retention', 'string'),
    }),
    ...(Object.keys(fields).length > 0 && { extra: { dialect: 'openai-responses', fields } as const }),
    ...(omitted.length > 0 && { omitted }),
  };
}

/** Refuses references to earlier answers, which only the vendor that stored them knows. */
function refuseEarlierAnswer(body: Unchecked): void {
  for (const param of ['previous_response_id', 'conversation']) {
    if ((body[param] ?? null) === null) continue;
    const message = `\`${param}\` is known only to the provider that stores it. Send the whole conversation in \`input\`.`;
    throw new GatewayError('invalid_request', message, { param, code: 'unsupported_parameter' });
  }
}

type Primitive = { string: string; number: number; boolean: boolean };

function optional<Kind extends keyof Primitive>(
  body: Unchecked,
  param: string,
  kind: Kind,
): Primitive[Kind] | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== kind) throw wrongType(param, `a ${kind}`);
  return value as Primitive[Kind];
}

function readReasoningWish({ reasoning }: Unchecked): ReasoningWish | undefined {
  if (reasoning === undefined || reasoning === null) return undefined;
  if (!isObject(reasoning)) throw wrongType('reasoning', 'an object');
  const effort = wordOf(reasoning.effort);
  const summary = wordOf(reasoning.summary) ?? wordOf(reasoning.generate_summary);
  if (effort === null && summary === null) return undefined;
  return { ...(effort !== null && { effort }), ...(summary !== null && { summary }) };
}

function readFormat(format: unknown): AnswerFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const { type, name, description, schema, strict } = objectOf(format);
  switch (type) {
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema':
      if (!isObject(schema)) throw wrongType('text.format.schema', 'an object');
      return {
        kind: 'schema',
        ...(typeof name === 'string' && { name }),
        ...(typeof description === 'string' && { description }),
        schema,
        ...(typeof strict === 'boolean' && { strict }),
      };
    default: {
      const message = '`text.format.type` must be one of “text”, “json_object” and “json_schema”.';
      throw new GatewayError('invalid_request', message, { param: 'text.format.type' });
    }
  }
}

function readLogprobsWish(body: Unchecked): { top: number } | undefined {
  const top = optional(body, 'top_logprobs', 'number') ?? 0;
  return top > 0 || includes(body).includes(LOGPROBS) ? { top } : undefined;
}

function readMetadata(metadata: unknown): Record<string, string> | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (!isObject(metadata)) throw wrongType('metadata', 'an object');
  const entries = Object.entries(metadata);
  for (const [name, value] of entries) if (typeof value !== 'string') throw wrongType(`metadata.${name}`, 'a string');
  return entries.length === 0 ? undefined : Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]));
}

/** Values of `include` for what answers contain anyway. */
const INCLUDED: ReadonlySet<unknown> = new Set([LOGPROBS, ENCRYPTED_REASONING, FOUND_PAGES]);

function includes({ include }: Unchecked): readonly unknown[] {
  if (include === undefined || include === null) return [];
  if (!Array.isArray(include)) throw wrongType('include', 'an array');
  return include;
}

/** Fields that are not read, by name; members of an object as `object.member`. */
function unknownFields(body: Unchecked, choiceIsUnknown: boolean): Record<string, unknown> {
  const { safety_identifier: identifier, user, truncation, tool_choice: choice } = body;
  const { effort: _, summary: __, generate_summary: ___, ...reasoning } = objectOf(body.reasoning);
  const { format: ____, verbosity: _____, ...text } = objectOf(body.text);
  const rest = includes(body).filter((each) => !INCLUDED.has(each));
  const fields = [
    ...Object.entries(body).filter(([name]) => isUnsupported(REQUEST, name)),
    ['truncation', truncation === 'disabled' ? null : truncation],
    ['tool_choice', choiceIsUnknown ? choice : null],
    ['include', rest.length > 0 ? rest : null],
    ['user', wordOf(identifier) === null ? null : user],
    ...Object.entries(reasoning).map(([name, value]) => [`reasoning.${name}`, value] as const),
    ...Object.entries(text).map(([name, value]) => [`text.${name}`, value] as const),
    ...Object.entries(objectOf(body.image)).map(([name, value]) => [`image.${name}`, value] as const),
    ...omittedOfTools(listOf(body.tools)).map((name) => [`tools.${name}`, true] as const),
  ] as const;
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null));
}
