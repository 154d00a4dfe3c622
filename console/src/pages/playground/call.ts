import { type Answer, call, errorOf, ofOrganization, unreachable } from '../../api/call.ts';
import { lookAtSession } from '../../api/use.ts';

/** What models are called with; the conversation is beside it. What is empty is left out of the call. */
export type Setting = {
  system: string;
  temperature: string;
  topP: string;
  effort: string;
  maxTokens: string;
  /** JSON: a list of tools, and the schema of a structured answer. */
  tools: string;
  schema: string;
};

export const NO_SETTING: Setting = {
  ...{ system: '', temperature: '', topP: '', effort: '', maxTokens: '', tools: '', schema: '' },
};

/** What a person said, with pictures as `data:` addresses; or what a model answered. */
export type Turn = { role: 'user' | 'assistant'; text: string; images?: readonly string[] };

/** How a call went, as far as it is known yet. */
export type Run = {
  /** The answer, or the words of a refusal. */
  text: string;
  /** What the model thought before, as far as its provider shows it. */
  reasoning: string;
  /** Calls of tools, as JSON. */
  tools: string;
  state: 'running' | 'done' | 'stopped' | 'failed';
  /** Why the answer ended: `stop`, `length`, `content_filter`. */
  finish: string | null;
  error: Error | null;
  firstTokenMs: number | null;
  totalMs: number | null;
  requestId: string | null;
  /** The record of the call: who served it, tokens, cost, attempts. */
  usage: Answer<'retrieveUsage'> | null;
};

/** How long after a call ended in its middle it is asked about. */
const SETTLED_AFTER_MS = 1_000;

export const BEGUN: Run = {
  ...{ text: '', reasoning: '', tools: '', state: 'running', finish: null, error: null },
  ...{ firstTokenMs: null, totalMs: null, requestId: null, usage: null },
};

/** The body of a call. Throws where a number is none, or the tools or the schema are no JSON. */
export function bodyOf(model: string, setting: Setting, turns: readonly Turn[]): Record<string, unknown> {
  const { system, temperature, topP, effort, maxTokens, tools, schema } = setting;
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
      ...turns.map(({ role, text, images = [] }) => ({ role, content: contentOf(text, images) })),
    ],
    ...(temperature !== '' && { temperature: numberOf(temperature, 'The temperature') }),
    ...(topP !== '' && { top_p: numberOf(topP, 'Top P') }),
    ...(effort !== '' && { reasoning_effort: effort }),
    ...(maxTokens !== '' && { max_tokens: numberOf(maxTokens, 'The most tokens') }),
    ...(tools.trim() !== '' && { tools: jsonOf(tools, 'The tools') }),
    ...(schema.trim() !== '' && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: jsonOf(schema, 'The schema') } },
    }),
  };
}

function contentOf(text: string, images: readonly string[]): unknown {
  if (images.length === 0) return text;
  return [{ type: 'text', text }, ...images.map((url) => ({ type: 'image_url', image_url: { url } }))];
}

function numberOf(text: string, what: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`${what} must be a number.`);
  return number;
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} must be JSON: ${(error as Error).message}.`);
  }
}

/** Calls a model in a project, streamed. `tell` is told of each step, and of what it took where that may be seen; it never rejects. */
export async function run(
  body: Record<string, unknown>,
  project: string,
  { tell, signal, seesUsage }: { tell: (run: Run) => void; signal: AbortSignal; seesUsage: boolean },
): Promise<void> {
  const startedAt = performance.now();
  let present: Run = BEGUN;
  let isTaken = false;
  const change = (changes: Partial<Run>) => {
    present = { ...present, ...changes };
    tell(present);
  };
  change({});
  try {
    const answer = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...ofOrganization(),
        ...(project !== '' && { 'openai-project': project }),
      },
      body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
      signal,
    });
    change({ requestId: answer.headers.get('x-request-id') });
    if (!answer.ok) throw errorOf(answer, await answer.json().catch(() => null));
    isTaken = true;
    for await (const piece of piecesOf(answer)) {
      if (piece.error !== undefined) throw errorOf(answer, piece);
      const grown = grownBy(present, piece);
      const isFirst = present.firstTokenMs === null && grown.text + grown.reasoning + grown.tools !== '';
      change({ ...grown, ...(isFirst && { firstTokenMs: performance.now() - startedAt }) });
    }
    change({ state: 'done' });
  } catch (error) {
    lookAtSession(error);
    change(signal.aborted ? { state: 'stopped' } : { state: 'failed', error: toldOf(error as Error, present) });
  }
  change({ totalMs: performance.now() - startedAt });
  if (!seesUsage || present.requestId === null || (present.state === 'failed' && !isTaken)) return;
  try {
    // A call that was stopped, or broke, is settled a moment after its stream.
    if (present.state !== 'done') await new Promise((over) => setTimeout(over, SETTLED_AFTER_MS));
    change({ usage: await call('retrieveUsage', { path: { id: present.requestId } }) });
  } catch (error) {
    // The answer stands: what it took is not known, and why not is told beneath it, unless it failed itself.
    change({ error: present.error ?? (error as Error) });
  }
}

type ToolDelta = { function?: { name?: string; arguments?: string } };
type Delta = { [name in 'content' | 'refusal' | 'reasoning' | 'reasoning_content']?: string | null } & {
  tool_calls?: ToolDelta[];
};
type Piece = { choices?: { delta?: Delta; finish_reason?: string | null }[]; error?: unknown };

function grownBy(present: Run, { choices }: Piece): Pick<Run, 'text' | 'reasoning' | 'tools' | 'finish'> {
  const { delta = {}, finish_reason: finish } = choices?.[0] ?? {};
  return {
    text: present.text + (delta.content ?? '') + (delta.refusal ?? ''),
    reasoning: present.reasoning + (delta.reasoning_content ?? delta.reasoning ?? ''),
    tools: present.tools + (delta.tool_calls ?? []).map(toolText).join(''),
    finish: finish ?? present.finish,
  };
}

/** The browser's own words for a connection that was lost tell nobody what happened. */
function toldOf(error: Error, { requestId }: Run): Error {
  if (!(error instanceof TypeError)) return error;
  return requestId === null ? unreachable() : new Error(CUT);
}

const CUT = 'The connection to the gateway was lost before the answer had ended.';

function toolText({ function: called }: ToolDelta): string {
  return `${called?.name ? `\n${called.name} ` : ''}${called?.arguments ?? ''}`;
}

/** The events of a stream. Throws where it ends before `[DONE]`. */
async function* piecesOf(answer: Response): AsyncGenerator<Piece> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  let isWhole = false;
  for (let isOver = false; !isOver; ) {
    const { value, done } = await reader.read();
    isOver = done;
    const lines = (unread + (done ? '\n' : value)).split(LINE_END);
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const data = line.startsWith('data:') ? line.slice(5).trim() : '';
      if (data === '[DONE]') isWhole = true;
      else if (data !== '') yield JSON.parse(data) as Piece;
    }
  }
  if (!isWhole) throw new Error(CUT);
}

/** Providers end lines in any way; what comes behind a CR at the end is not known yet. */
const LINE_END = /\r\n|\n|\r(?!$)/;
