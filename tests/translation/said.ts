import { field } from '../../src/testing/json.ts';
import type { RecordedDialect, Recording } from '../../src/testing/recordings.ts';

/**
 * What an answer says, whatever its dialect. Read from recordings without any of the gateway's readers, which are held
 * against it. Tools that the vendor ran itself are no tool calls.
 */
export type Said = {
  text: string;
  reasoning: string;
  refusal: string;
  toolCalls: readonly { name: string; input: unknown }[];
  usage: { input: number; cached: number; output: number } | null;
};

type Json = Readonly<Record<string, unknown>>;

/** What a recording says; `null` where it is an error. */
export function saidBy(recording: Recording, dialect: RecordedDialect): Said | null {
  if (recording.status !== 200) return null;
  switch (dialect) {
    case 'openai-chat':
      return recording.stream ? chatStream(recording.payloads) : chatWhole(recording.payloads[0]);
    case 'openai-responses':
      return recording.stream ? responsesStream(recording.payloads) : saidByResponse(recording.payloads[0]);
    case 'anthropic-messages':
      return recording.stream ? messagesStream(recording.payloads) : saidByMessage(recording.payloads[0]);
    default:
      return dialect satisfies never;
  }
}

/** What a response object says, a vendor's or one that OpenAI's client gives. */
export function saidByResponse(response: unknown): Said {
  const output = items(field(response, 'output'));
  const of = (type: string) => output.filter((item) => item.type === type);
  const parts = (type: string) => of('message').flatMap(({ content }) => items(content).filter((p) => p.type === type));
  const usage = field(response, 'usage');
  return {
    text: parts('output_text')
      .map(({ text }) => text)
      .join(''),
    refusal: parts('refusal')
      .map(({ refusal }) => refusal)
      .join(''),
    reasoning: of('reasoning')
      .flatMap(({ summary, content }) => [...items(summary), ...items(content)])
      .map(({ text }) => text)
      .join('\n\n'),
    toolCalls: output.flatMap((item) => {
      if (item.type === 'function_call') return [{ name: String(item.name), input: parsed(item.arguments) }];
      if (item.type === 'custom_tool_call') return [{ name: String(item.name), input: item.input }];
      if (item.type === 'apply_patch_call') return [{ name: 'apply_patch', input: item.operation }];
      return item.type === 'local_shell_call' ? [{ name: 'local_shell', input: shellInput(item.action as Json) }] : [];
    }),
    usage:
      typeof usage !== 'object' || usage === null
        ? null
        : counts(usage, 'input_tokens', 'output_tokens', 'input_tokens_details'),
  };
}

/** What the function of a local shell is called with: no kind, since there is one, and no environment that is empty. */
function shellInput({ type: _, env, ...action }: Json): Json {
  return Object.keys(env ?? {}).length === 0 ? action : { ...action, env };
}

/** What a message says, a vendor's or one that Anthropic's client gives. */
export function saidByMessage(message: unknown): Said {
  const content = items(field(message, 'content'));
  const of = (type: string) => content.filter((block) => block.type === type);
  const usage = field(message, 'usage') as Json | undefined;
  const refused = field(message, 'stop_reason') === 'refusal';
  const text = of('text')
    .map((block) => block.text)
    .join('');
  return {
    text: refused ? '' : text,
    refusal: refused ? text : '',
    reasoning: of('thinking')
      .map(({ thinking }) => thinking)
      .filter((thinking) => thinking !== '')
      .join('\n\n'),
    toolCalls: of('tool_use').map(({ name, input }) => ({ name: String(name), input })),
    usage: usage === undefined ? null : messagesUsage(usage),
  };
}

/** What a chat completion says, a vendor's or one that OpenAI's client gives. */
export function saidByCompletion(completion: unknown): Said {
  return chatWhole(completion);
}

function chatWhole(completion: unknown): Said {
  const message = items(field(completion, 'choices'))[0]?.message as Json | undefined;
  const { text, thinking } = contentOf(message?.content);
  const usage = field(completion, 'usage') ?? field(completion, 'x_groq', 'usage');
  return {
    text,
    refusal: String(message?.refusal ?? ''),
    reasoning: String(message?.reasoning_content ?? message?.reasoning ?? thinking),
    toolCalls: items(message?.tool_calls).map((call) => ({
      name: String(field(call, 'function', 'name') ?? field(call, 'custom', 'name')),
      input: call.type === 'custom' ? field(call, 'custom', 'input') : parsed(field(call, 'function', 'arguments')),
    })),
    usage: chatUsage(usage),
  };
}

function chatStream(chunks: readonly unknown[]): Said {
  let text = '';
  let reasoning = '';
  let refusal = '';
  let usage: unknown;
  const calls = new Map<unknown, { name: string; input: string }>();
  for (const chunk of chunks) {
    usage = field(chunk, 'usage') ?? field(chunk, 'x_groq', 'usage') ?? usage;
    const delta = items(field(chunk, 'choices'))[0]?.delta as Json | undefined;
    const content = contentOf(delta?.content);
    text += content.text;
    reasoning += String(delta?.reasoning_content ?? delta?.reasoning ?? content.thinking);
    refusal += String(delta?.refusal ?? '');
    for (const call of items(delta?.tool_calls)) {
      const key = call.index ?? call.id;
      const held = calls.get(key) ?? { name: '', input: '' };
      held.name ||= String(field(call, 'function', 'name') ?? '');
      held.input += String(field(call, 'function', 'arguments') ?? '');
      calls.set(key, held);
    }
  }
  const toolCalls = [...calls.values()].map(({ name, input }) => ({ name, input: parsed(input) }));
  return { text, reasoning, refusal, toolCalls, usage: chatUsage(usage) };
}

function responsesStream(events: readonly unknown[]): Said {
  const ends = ['response.completed', 'response.incomplete'];
  const last = events.findLast((event) => ends.includes(String(field(event, 'type'))));
  return { ...saidByResponse(field(last, 'response')), ...correctedText(events) };
}

/** What was streamed cannot be taken back where the end says otherwise; where it goes on, the rest can be given. */
function correctedText(events: readonly unknown[]): { text?: string } {
  const of = (type: string) => events.filter((event) => field(event, 'type') === type);
  let text = '';
  let corrected = false;
  for (const done of of('response.output_text.done')) {
    const whole = String(field(done, 'text'));
    const deltas = of('response.output_text.delta').filter(
      (event) =>
        field(event, 'item_id') === field(done, 'item_id') &&
        field(event, 'content_index') === field(done, 'content_index'),
    );
    const streamed = deltas.map((event) => field(event, 'delta')).join('');
    corrected ||= !whole.startsWith(streamed);
    text += whole.startsWith(streamed) ? whole : streamed;
  }
  return corrected ? { text } : {};
}

function messagesStream(events: readonly unknown[]): Said {
  const blocks = new Map<unknown, Record<string, unknown>>();
  let usage: Record<string, unknown> = {};
  let stopReason: unknown = null;
  for (const event of events) {
    const index = field(event, 'index');
    const block = blocks.get(index);
    switch (field(event, 'type')) {
      case 'message_start':
        usage = { ...usage, ...(field(event, 'message', 'usage') as Json) };
        // A tool that code of the vendor's calls may be there from the beginning.
        for (const [place, block] of items(field(event, 'message', 'content')).entries())
          blocks.set(place, { ...block, json: '' });
        break;
      case 'content_block_start':
        blocks.set(index, { ...(field(event, 'content_block') as Json), json: '' });
        break;
      case 'content_block_delta': {
        const delta = field(event, 'delta') as Json;
        if (block === undefined) break;
        if (delta.type === 'text_delta') block.text = String(block.text) + String(delta.text);
        if (delta.type === 'thinking_delta') block.thinking = String(block.thinking) + String(delta.thinking);
        if (delta.type === 'input_json_delta') block.json = String(block.json) + String(delta.partial_json);
        break;
      }
      case 'message_delta':
        usage = { ...usage, ...((field(event, 'usage') as Json | undefined) ?? {}) };
        stopReason = field(event, 'delta', 'stop_reason');
        break;
      default:
    }
  }
  const content = [...blocks.values()].map((block) =>
    block.type === 'tool_use' && block.json !== '' ? { ...block, input: parsed(block.json) } : block,
  );
  return saidByMessage({ content, usage, stop_reason: stopReason });
}

function contentOf(content: unknown): { text: string; thinking: string } {
  if (!Array.isArray(content)) return { text: String(content ?? ''), thinking: '' };
  const text = items(content)
    .filter(({ type }) => type === 'text')
    .map((part) => part.text);
  const thinking = items(content)
    .filter(({ type }) => type === 'thinking')
    .flatMap((part) => items(part.thinking).map((inner) => inner.text));
  return { text: text.join(''), thinking: thinking.join('') };
}

function chatUsage(usage: unknown): Said['usage'] {
  if (typeof usage !== 'object' || usage === null) return null;
  const said = counts(usage, 'prompt_tokens', 'completion_tokens', 'prompt_tokens_details');
  const reasoning = Number(field(usage, 'completion_tokens_details', 'reasoning_tokens') ?? 0);
  // xAI counts reasoning beside the completion, everyone else inside it; the total tells.
  const apart = reasoning > 0 && field(usage, 'total_tokens') === said.input + said.output + reasoning;
  const cached = said.cached || Number(field(usage, 'prompt_cache_hit_tokens') ?? field(usage, 'cached_tokens') ?? 0);
  return { ...said, cached, output: apart ? said.output + reasoning : said.output };
}

function counts(usage: object, input: string, output: string, details: string): NonNullable<Said['usage']> {
  return {
    input: Number(field(usage, input) ?? 0),
    cached: Number(field(usage, details, 'cached_tokens') ?? 0),
    output: Number(field(usage, output) ?? 0),
  };
}

/** The whole prompt: Anthropic leaves what was read from and written to the cache out of `input_tokens`. */
function messagesUsage(usage: Json): NonNullable<Said['usage']> {
  const cached = Number(usage.cache_read_input_tokens ?? 0);
  const written = Number(usage.cache_creation_input_tokens ?? 0);
  return {
    input: Number(usage.input_tokens ?? 0) + cached + written,
    cached,
    output: Number(usage.output_tokens ?? 0),
  };
}

/** JSON that a tool was called with; no arguments are none. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return text === '' ? {} : JSON.parse(text);
}

function items(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}
