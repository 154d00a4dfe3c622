import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { field } from '../../../src/testing/json.ts';
import type { RecordedDialect } from '../../../src/testing/recordings.ts';
import { type Said, saidByCompletion, saidByMessage, saidByResponse } from '../said.ts';
import { type Asked, type Image, SYSTEM, TOOLS } from './talk.ts';

/** What the caller got: what it understood of it, and what the gateway says was left out of the call. */
export type Heard = { said: Said; dropped: string };

/** A program that keeps a conversation: it sends all of it each time, and what it was answered as it was answered. */
export type Caller = (model: string, asked: Asked, stream: boolean) => Promise<Heard>;

type Wire = Record<string, unknown>;

/** A caller of each dialect, by its official client. */
export function callerOf(dialect: RecordedDialect, url: string, apiKey: string): Caller {
  let dropped = '';
  const noted: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    dropped = response.headers.get('service-dropped') ?? '';
    return response;
  };
  const options = { apiKey, maxRetries: 0, fetch: noted };
  const send =
    dialect === 'anthropic-messages'
      ? messagesCaller(new Anthropic({ ...options, baseURL: url }))
      : dialect === 'openai-chat'
        ? chatCaller(new OpenAI({ ...options, baseURL: `${url}/v1` }))
        : responsesCaller(new OpenAI({ ...options, baseURL: `${url}/v1` }));
  return async (...turn) => ({ said: await send(...turn), dropped });
}

function chatCaller(openai: OpenAI) {
  const messages: Wire[] = [{ role: 'system', content: SYSTEM }];
  let calls: readonly unknown[] = [];
  return async (model: string, asked: Asked, stream: boolean): Promise<Said> => {
    if (asked.kind === 'user') messages.push({ role: 'user', content: chatContent(asked) });
    else
      messages.push(
        // Results hold nothing but text here.
        ...asked.results.map(({ text }, index) => ({
          role: 'tool',
          tool_call_id: field(calls[index], 'id'),
          content: text,
        })),
      );
    const tools = TOOLS.map((tool) => ({ type: 'function', function: tool }));
    const body = { model, messages, tools, reasoning_effort: 'medium', max_completion_tokens: 4096 };
    const message = await chatMessage(openai, body, stream);
    messages.push(message);
    calls = (message.tool_calls as unknown[] | undefined) ?? [];
    return saidByCompletion({ choices: [{ message }] });
  };
}

async function chatMessage(openai: OpenAI, body: Wire, stream: boolean): Promise<Wire> {
  const asked = body as unknown as OpenAI.ChatCompletionCreateParams;
  if (!stream) {
    const completion = await openai.chat.completions.create({ ...asked, stream: false });
    return completion.choices[0]?.message as unknown as Wire;
  }
  const message: Wire = {};
  for await (const chunk of await openai.chat.completions.create({ ...asked, stream: true })) {
    addDelta(message, (chunk.choices[0]?.delta ?? {}) as Wire);
  }
  // Where a call stands is said of pieces alone.
  const calls = message.tool_calls as Wire[] | undefined;
  return { ...message, ...(calls && { tool_calls: calls.map(({ index: _, ...call }) => call) }) };
}

/** As clients of OpenRouter put a message together: entries of one index are one, texts grow, what else is said replaces. */
function addDelta(into: Wire, delta: Wire): void {
  for (const [name, value] of Object.entries(delta)) {
    const before = into[name];
    if (Array.isArray(value)) into[name] = value.reduce(addEntry, (before as Wire[] | undefined) ?? []);
    else if (typeof value === 'string' && typeof before === 'string' && GROWS.includes(name))
      into[name] = before + value;
    else if (typeof value === 'object' && value !== null) {
      const inner = { ...(before as Wire | undefined) };
      addDelta(inner, value as Wire);
      into[name] = inner;
    } else if (value !== null || before === undefined) into[name] = value;
  }
}

const GROWS = ['content', 'reasoning', 'reasoning_content', 'refusal', 'text', 'summary', 'arguments'];

function addEntry(entries: Wire[], entry: Wire): Wire[] {
  const held = entries.find(
    (each) => each.index === entry.index && (each.type === entry.type || entry.type === undefined),
  );
  if (held === undefined) return [...entries, entry];
  addDelta(held, entry);
  return entries;
}

function chatContent({ text, image }: Extract<Asked, { kind: 'user' }>): unknown {
  if (image === undefined) return text;
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url: addressOf(image) } },
  ];
}

function responsesCaller(openai: OpenAI) {
  const input: Wire[] = [];
  let calls: readonly Wire[] = [];
  return async (model: string, asked: Asked, stream: boolean): Promise<Said> => {
    if (asked.kind === 'user') input.push({ type: 'message', role: 'user', content: inputParts(asked) });
    else
      input.push(
        ...asked.results.map((result, index) => ({
          type: 'function_call_output',
          call_id: calls[index]?.call_id,
          output: result.image === undefined ? result.text : inputParts(result),
        })),
      );
    const body = {
      model,
      input,
      instructions: SYSTEM,
      tools: TOOLS.map((tool) => ({ type: 'function', strict: true, ...tool })),
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 4096,
      store: false,
    };
    const response = await responseTo(openai, body, stream);
    const output = field(response, 'output') as Wire[];
    input.push(...output);
    calls = output.filter(({ type }) => type === 'function_call');
    return saidByResponse(response);
  };
}

/** Of a stream the items as each was done: that is what clients keep. */
async function responseTo(openai: OpenAI, body: Wire, stream: boolean): Promise<unknown> {
  const asked = body as unknown as OpenAI.Responses.ResponseCreateParams;
  if (!stream) return openai.responses.create({ ...asked, stream: false });
  const items: unknown[] = [];
  let response: unknown = null;
  for await (const event of await openai.responses.create({ ...asked, stream: true })) {
    if (event.type === 'response.output_item.done') items.push(event.item);
    if (event.type === 'response.completed') response = event.response;
  }
  assert.deepEqual(field(response, 'output'), items);
  return response;
}

function inputParts({ text, image }: { text: string; image?: Image }): Wire[] {
  const said = { type: 'input_text', text };
  return image === undefined ? [said] : [said, { type: 'input_image', image_url: addressOf(image), detail: 'auto' }];
}

function messagesCaller(anthropic: Anthropic) {
  const messages: Wire[] = [];
  let calls: readonly Wire[] = [];
  return async (model: string, asked: Asked, stream: boolean): Promise<Said> => {
    if (asked.kind === 'user') messages.push({ role: 'user', content: blocksOf(asked) });
    else
      messages.push({
        role: 'user',
        content: asked.results.map(({ isError, ...result }, index) => ({
          type: 'tool_result',
          tool_use_id: calls[index]?.id,
          content: result.image === undefined ? result.text : blocksOf(result),
          ...(isError && { is_error: true }),
        })),
      });
    const body = {
      model,
      messages,
      system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
      tools: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      thinking: { type: 'enabled', budget_tokens: 2048 },
      max_tokens: 4096,
    } as unknown as Anthropic.MessageCreateParamsNonStreaming;
    const message = stream
      ? await anthropic.messages.stream(body).finalMessage()
      : await anthropic.messages.create(body);
    const content = message.content as unknown as Wire[];
    messages.push({ role: 'assistant', content });
    calls = content.filter(({ type }) => type === 'tool_use');
    return saidByMessage(message);
  };
}

function blocksOf({ text, image }: { text: string; image?: Image }): Wire[] {
  const said = { type: 'text', text };
  if (image === undefined) return [said];
  const { kind, ...rest } = image;
  const source =
    kind === 'url' ? { type: 'url', ...rest } : { type: 'base64', media_type: image.mediaType, data: image.data };
  return [said, { type: 'image', source }];
}

function addressOf(image: Image): string {
  return image.kind === 'url' ? image.url : `data:${image.mediaType};base64,${image.data}`;
}
