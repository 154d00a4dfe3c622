import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Usage, usageOf } from '../core/usage.ts';
import { DONE } from './answers.ts';
import { field } from './json.ts';
import { frame, type Plan, streamReply, wholeReply } from './reply.ts';

/** An answer that a vendor gave. */
export type Recording = {
  /** Its path below the dialect's folder. */
  name: string;
  stream: boolean;
  status: number;
  /** The JSON payloads: one for a whole answer, one per chunk for a stream. */
  payloads: readonly unknown[];
  /** The writes of the body, which together are its exact bytes. */
  frames: readonly Buffer[];
};

export type Recordings = { recordings: readonly Recording[]; absent: boolean };

/** The dialects whose streams can be framed here. */
export type RecordedDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

/** Made-up answers in vendors' formats. */
export const SAMPLES = fileURLToPath(new URL('./samples', import.meta.url));

const STREAM_SUFFIX = '.chunks.txt';
const WHOLE_SUFFIX = '.json';

/**
 * Reads all recordings in `FOLDER/DIALECT`, sorted by name. `X.json` is a whole body. `X.chunks.txt` has one JSON
 * payload per line, each of which is framed (lines that start with a colon are comments between frames). A missing
 * folder is not an error: it is reported as `absent`.
 */
export async function loadRecordings(folder: string, dialect: RecordedDialect): Promise<Recordings> {
  const root = join(folder, dialect);
  const files = await filesBelow(root);
  if (files === null) return { recordings: [], absent: true };
  const wanted = files.filter((file) => file.endsWith(STREAM_SUFFIX) || file.endsWith(WHOLE_SUFFIX)).sort();
  return { recordings: await Promise.all(wanted.map((file) => load(root, file, dialect))), absent: false };
}

/** The last events of an answer, in dialects that name their events. */
const ENDS: readonly unknown[] = ['message_stop', 'response.completed', 'response.incomplete', 'response.failed'];

/** Splits a recording into answers: some recordings hold several calls in a row. */
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

/** Replays a recording, whatever the request. `cutAt` and `cutEvery` set where its bytes are cut. */
export function replay(recording: Recording): Plan {
  return () => {
    if (recording.stream) return streamReply(recording.frames);
    return wholeReply(recording.status, Buffer.concat(recording.frames));
  };
}

/**
 * The last usage in a recording, in any dialect; `null` if there is none. It does not use the readers of the dialects,
 * which are compared with it.
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

/** The counts of a usage, without the service tier and the vendor's charge, which other tests compare. */
export function countsOf({ serviceTier: _tier, reportedCost: _cost, byModel, ...counts }: Usage): Usage {
  if (byModel === undefined) return counts;
  return { ...counts, byModel: byModel.map(({ model, usage }) => ({ model, usage: countsOf(usage) })) };
}

/** The places of usage: chat, Groq, the end of a response, the beginning of a message. */
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

/** Calls of OpenAI's tools that cost extra. They are items of the response and missing in its usage. */
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

/** Calls of a vendor's own tools by name, without those at 0. */
function toolCalls(counts: Readonly<Record<string, number>>): Partial<Usage> {
  const called = Object.entries(counts).filter(([, times]) => times > 0);
  return called.length === 0 ? {} : { toolCalls: Object.fromEntries(called) };
}

/** The number of blocks of a message in which the vendor ran code. */
function codeRuns({ payloads }: Recording): number {
  const blocks = payloads.flatMap((payload) => field(payload, 'content') ?? [field(payload, 'content_block')]);
  const called = (Array.isArray(blocks) ? blocks : []).filter((block) => field(block, 'type') === 'server_tool_use');
  return called.filter((block) => String(field(block, 'name')).endsWith('code_execution')).length;
}

/**
 * The prompt includes tokens read from and written to a cache, beside `input_tokens`. Compactions are missing in the
 * total and are added. Iterations of an advisor, which is another model, are reported separately.
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
  // xAI counts reasoning beside the completion, all others within it; the total shows which.
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

/** Chat's frames have only data, the others' also the name of their event. */
function framed(line: string, dialect: RecordedDialect): Buffer {
  if (dialect === 'openai-chat') return frame(line);
  return Buffer.from(`event: ${String(field(JSON.parse(line), 'type'))}\ndata: ${line}\n\n`);
}

/** A successful response has `error: null`. */
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
