import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Usage, usageOf } from '../core/usage.ts';
import { DONE } from './answers.ts';
import { field } from './json.ts';
import { frame, type Plan, streamReply, wholeReply } from './reply.ts';

/** An answer as a vendor gave it. */
export type Recording = {
  /** Its path below the dialect's folder. */
  name: string;
  stream: boolean;
  status: number;
  /** The JSON payloads: one of a whole answer, one for each chunk of a stream. */
  payloads: readonly unknown[];
  /** The writes of the body; together they are its exact bytes. */
  frames: readonly Buffer[];
};

export type Recordings = { recordings: readonly Recording[]; absent: boolean };

/** The dialects whose streams are framed here. */
export type RecordedDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

/** Answers of our own making, in the shapes that vendors use. */
export const SAMPLES = fileURLToPath(new URL('./samples', import.meta.url));

const STREAM_SUFFIX = '.chunks.txt';
const WHOLE_SUFFIX = '.json';

/**
 * Reads every recording below `FOLDER/DIALECT`, sorted by name. `X.json` is a whole body; `X.chunks.txt` has one JSON
 * payload a line, which a stream frames (a line that starts with a colon is a comment between frames). A folder that is
 * not there is no error: it is told as `absent`.
 */
export async function loadRecordings(folder: string, dialect: RecordedDialect): Promise<Recordings> {
  const root = join(folder, dialect);
  const files = await filesBelow(root);
  if (files === null) return { recordings: [], absent: true };
  const wanted = files.filter((file) => file.endsWith(STREAM_SUFFIX) || file.endsWith(WHOLE_SUFFIX)).sort();
  return { recordings: await Promise.all(wanted.map((file) => load(root, file, dialect))), absent: false };
}

/** The events that end an answer in each dialect that names its events. */
const ENDS: readonly unknown[] = ['message_stop', 'response.completed', 'response.incomplete', 'response.failed'];

/** The answers of a recording one by one: some hold those of several calls in a row. */
export function answersIn(recording: Recording): readonly Recording[] {
  const ends = recording.payloads.flatMap((payload, index) =>
    ENDS.includes(field(payload, 'type')) ? [index + 1] : [],
  );
  if (!recording.stream || ends.length < 2) return [recording];
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    const { payloads, frames } = recording;
    const name = `${recording.name} (${index + 1} of ${ends.length})`;
    return { ...recording, name, payloads: payloads.slice(start, end), frames: frames.slice(start, end) };
  });
}

/** Gives the recording as the answer, whatever was asked. `cutAt` and `cutEvery` say where its bytes are cut. */
export function replay(recording: Recording): Plan {
  return () => {
    if (recording.stream) return streamReply(recording.frames);
    return wholeReply(recording.status, Buffer.concat(recording.frames));
  };
}

/**
 * The usage a recording states last, wherever its dialect does; `null` where it states none. Read without the dialects'
 * own readers, which are to be held against it.
 */
export function usageIn(recording: Recording): Usage | null {
  const stated = recording.payloads.flatMap((payload) => {
    const usage = PLACES.map((place) => field(payload, ...place)).find((found) => (found ?? null) !== null);
    return typeof usage === 'object' ? [usage as object] : [];
  });
  if (stated.length === 0) return null;
  const last = stated.at(-1)!;
  const count = (...path: string[]) => {
    const value = field(last, ...path);
    return typeof value === 'number' ? value : undefined;
  };
  if (count('prompt_tokens') !== undefined) return chatUsage(count);
  if (field(last, 'input_tokens_details') !== undefined) return responseUsage(count, chargedCalls(recording));
  return messageUsage(Object.assign({}, ...stated), codeRuns(recording));
}

/** What `usageIn` tells of a usage: without the tier and the vendor's own charge, which are compared where they are billed. */
export function countsOf({ serviceTier: _tier, toldCost: _cost, byModel, ...counts }: Usage): Usage {
  if (byModel === undefined) return counts;
  return { ...counts, byModel: byModel.map(({ model, usage }) => ({ model, usage: countsOf(usage) })) };
}

/** Groq's own; a response's, when it is at its end; a message's, when it begins. */
const PLACES = [['usage'], ['x_groq', 'usage'], ['response', 'usage'], ['message', 'usage']] as const;

type Count = (...path: string[]) => number | undefined;

function responseUsage(count: Count, charged: Readonly<Record<string, number>>): Usage {
  const together = count('num_server_side_tools_used');
  return usageOf({
    inputTokens: count('input_tokens') ?? 0,
    cacheReadTokens: count('input_tokens_details', 'cached_tokens') ?? 0,
    cacheWriteTokens: count('input_tokens_details', 'cache_write_tokens') ?? 0,
    outputTokens: count('output_tokens') ?? 0,
    reasoningTokens: count('output_tokens_details', 'reasoning_tokens') ?? 0,
    ...toolCalls(together === undefined ? charged : { server_side_tool: together }),
  });
}

/** Calls of OpenAI's own tools that cost something by themselves: items of the response, of which usage says nothing. */
function chargedCalls({ payloads }: Recording): Record<string, number> {
  const last = payloads.at(-1);
  const items = field(last, 'response', 'output') ?? field(last, 'output');
  const charged: Record<string, number> = {};
  for (const item of Array.isArray(items) ? items : []) {
    const isSearch = field(item, 'type') === 'web_search_call' && field(item, 'action', 'type') === 'search';
    const tool = isSearch ? 'web_search' : field(item, 'type') === 'file_search_call' ? 'file_search' : null;
    if (tool !== null) charged[tool] = (charged[tool] ?? 0) + 1;
  }
  return charged;
}

/** Calls of a vendor's own tools, by its names; those that it did not call are not told. */
function toolCalls(counts: Readonly<Record<string, number>>): Partial<Usage> {
  const called = Object.entries(counts).filter(([, times]) => times > 0);
  return called.length === 0 ? {} : { toolCalls: Object.fromEntries(called) };
}

/** Blocks of a message in which the vendor ran code. */
function codeRuns({ payloads }: Recording): number {
  const blocks = payloads.flatMap((payload) => field(payload, 'content') ?? [field(payload, 'content_block')]);
  const called = (Array.isArray(blocks) ? blocks : []).filter((block) => field(block, 'type') === 'server_tool_use');
  return called.filter((block) => String(field(block, 'name')).endsWith('code_execution')).length;
}

/**
 * Beside `input_tokens` the prompt has what was read from a cache and written to it. Of the iterations a usage leaves out
 * the compactions, which are added, and those of an advisor, another model, which are told by it.
 */
function messageUsage(usage: object, codeRuns: number): Usage {
  const listed = field(usage, 'iterations');
  const iterations: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const ofType = (type: string) => iterations.filter((iteration) => field(iteration, 'type') === type);
  const billed: readonly unknown[] = [usage, ...ofType('compaction')];
  const count = (...path: string[]) => billed.reduce<number>((sum, each) => sum + Number(field(each, ...path) ?? 0), 0);
  const cacheReadTokens = count('cache_read_input_tokens');
  const cacheWriteTokens = count('cache_creation_input_tokens');
  const searched = count('server_tool_use', 'web_search_requests');
  const fetched = count('server_tool_use', 'web_fetch_requests');
  const ran = searched + fetched > 0 ? { web_search: searched, web_fetch: fetched } : { code_execution: codeRuns };
  const main = usageOf({
    inputTokens: count('input_tokens') + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...keptForAnHour(count('cache_creation', 'ephemeral_1h_input_tokens')),
    outputTokens: count('output_tokens'),
    reasoningTokens: count('output_tokens_details', 'thinking_tokens'),
    ...toolCalls(ran),
  });
  const asked = ofType('advisor_message').map((each) => ({
    model: String(field(each, 'model')),
    usage: usageOf({
      inputTokens: Number(field(each, 'input_tokens')),
      outputTokens: Number(field(each, 'output_tokens')),
    }),
  }));
  if (asked.length === 0) return main;
  const sum = (name: 'inputTokens' | 'outputTokens') => asked.reduce((all, each) => all + each.usage[name], main[name]);
  const byModel = [{ model: null, usage: main }, ...asked];
  return { ...main, inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), byModel };
}

function keptForAnHour(tokens: number): Partial<Usage> {
  return tokens === 0 ? {} : { cacheWritesByLife: { '1h': tokens } };
}

function chatUsage(count: Count): Usage {
  const prompt = count('prompt_tokens') ?? 0;
  const completion = count('completion_tokens') ?? 0;
  const reasoning = count('completion_tokens_details', 'reasoning_tokens') ?? 0;
  const cached = count('prompt_tokens_details', 'cached_tokens');
  // xAI counts reasoning beside the completion, everyone else inside it; the total tells.
  const apart = count('total_tokens') === prompt + completion + reasoning;
  return usageOf({
    inputTokens: prompt,
    cacheReadTokens: cached ?? count('prompt_cache_hit_tokens') ?? count('cached_tokens') ?? 0,
    cacheWriteTokens: count('prompt_tokens_details', 'cache_write_tokens') ?? 0,
    outputTokens: apart ? completion + reasoning : completion,
    reasoningTokens: reasoning,
    audioInputTokens: count('prompt_tokens_details', 'audio_tokens') ?? 0,
    audioOutputTokens: count('completion_tokens_details', 'audio_tokens') ?? 0,
  });
}

async function load(root: string, file: string, dialect: RecordedDialect): Promise<Recording> {
  const bytes = await readFile(file);
  const name = relative(root, file);
  if (!file.endsWith(STREAM_SUFFIX)) {
    const payload: unknown = JSON.parse(bytes.toString());
    const status = isError(payload) ? 400 : 200;
    return { name, stream: false, status, payloads: [payload], frames: [bytes] };
  }
  const lines = bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  const payloads = lines.filter((line) => !isComment(line)).map((line): unknown => JSON.parse(line));
  const frames = lines.map((line) => (isComment(line) ? Buffer.from(`${line}\n\n`) : framed(line, dialect)));
  const end = dialect === 'openai-chat' ? [DONE] : [];
  return { name, stream: true, status: 200, payloads, frames: [...frames, ...end] };
}

/** Chat's frames have data alone, the others' also name their event. */
function framed(line: string, dialect: RecordedDialect): Buffer {
  if (dialect === 'openai-chat') return frame(line);
  return Buffer.from(`event: ${String(field(JSON.parse(line), 'type'))}\ndata: ${line}\n\n`);
}

/** A response that succeeded says `error: null`. */
function isError(payload: unknown): boolean {
  return (field(payload, 'error') ?? null) !== null;
}

function isComment(line: string): boolean {
  return line.startsWith(':');
}

async function filesBelow(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (field(error, 'code') === 'ENOENT') return null;
    throw error;
  }
}
