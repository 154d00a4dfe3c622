import type { AnswerFormat, Call, ReasoningWish } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Envelope } from '../dialect.ts';
import { Fields } from '../fields.ts';
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
  const checked = new Fields(parsedBody(envelope), '');
  const body = checked.value;
  refuseEarlierAnswer(body);
  const turns = new Turns();
  const tools = new CallTools(body);
  const instructions = checked.text('instructions');
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
      parallelToolCalls: checked.boolean('parallel_tool_calls'),
      maxOutputTokens: envelope.maxOutputTokens ?? undefined,
      temperature: checked.number('temperature'),
      topP: checked.number('top_p'),
      frequencyPenalty: checked.number('frequency_penalty'),
      presencePenalty: checked.number('presence_penalty'),
      logprobs: readLogprobsWish(checked),
      reasoning: readReasoningWish(body),
      format: readFormat(objectOf(body.text).format),
      verbosity: wordOf(objectOf(body.text).verbosity) ?? undefined,
      serviceTier: checked.text('service_tier'),
      user: wordOf(body.safety_identifier) ?? wordOf(body.user) ?? undefined,
      metadata: readMetadata(body.metadata),
      promptCacheKey: checked.text('prompt_cache_key'),
      promptCacheRetention: checked.text('prompt_cache_retention'),
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

function readLogprobsWish(checked: Fields): { top: number } | undefined {
  const top = checked.number('top_logprobs') ?? 0;
  return top > 0 || includes(checked.value).includes(LOGPROBS) ? { top } : undefined;
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
