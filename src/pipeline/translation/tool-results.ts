import type { Call, Message, ToolCallPart, ToolResultPart } from '../../core/call.ts';
import { NO_LOSSES } from '../../core/losses.ts';

/** The text in place of a result that the conversation does not have. */
const NOT_RUN = 'The tool was not run.';
const LOST: readonly string[] = ['tool_result'];

/** Consecutive turns of the model: the index of the last one, and the calls that no result follows. */
type Run = { end: number; missing: readonly ToolCallPart[] };

/**
 * The call with a result after every tool call, because vendors of every format refuse a conversation without one
 * (https://github.com/BerriAI/litellm/issues/10083, https://github.com/anthropics/claude-code/issues/8210). A later
 * result is moved to its call. A missing one is replaced by a text that the tool was not run, and reported in
 * `dropped`.
 */
export function withToolResults(call: Call): { call: Call; dropped: readonly string[] } {
  const placed = new Set<ToolResultPart>();
  const runs = new Map(runsOf(call.messages, placed).map((run) => [run.end, run.missing]));
  if (runs.size === 0) return { call, dropped: NO_LOSSES };
  const strays = new Strays(call.messages, placed);
  const taken = new Set<ToolResultPart>();
  let dropped = NO_LOSSES;
  const results = new Map<number, ToolResultPart[]>();
  for (const [end, missing] of runs) {
    const parts = missing.map((part) => {
      const found = strays.take(part.id, end);
      if (found === undefined) dropped = LOST;
      else taken.add(found);
      return found ?? notRun(part);
    });
    results.set(end, parts);
  }
  const messages = call.messages.flatMap((message, at): Message[] => {
    if (message.role === 'tool') {
      const parts = message.parts.filter((part) => !taken.has(part));
      return parts.length === 0 ? [] : [parts.length === message.parts.length ? message : { ...message, parts }];
    }
    const added = results.get(at);
    return added === undefined ? [message] : [message, { role: 'tool', parts: added }];
  });
  return { call: { ...call, messages }, dropped };
}

/** The runs that lack results. Adds the results that follow their calls to `placed`. */
function runsOf(messages: readonly Message[], placed: Set<ToolResultPart>): Run[] {
  const runs: Run[] = [];
  let calls: ToolCallPart[] = [];
  for (const [end, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) if (part.kind === 'tool-call') calls.push(part);
    if (messages[end + 1]?.role === 'assistant' || calls.length === 0) continue;
    const called = new Set(calls.map(({ id }) => id));
    for (let at = end + 1; isBetween(messages[at]); at += 1) {
      const next = messages[at]!;
      for (const part of next.role === 'tool' ? next.parts : []) if (called.delete(part.callId)) placed.add(part);
    }
    const missing = calls.filter(({ id }) => called.delete(id));
    if (missing.length > 0) runs.push({ end, missing });
    calls = [];
  }
  return runs;
}

/** Whether a turn may stand among calls and their results. */
function isBetween(message: Message | undefined): boolean {
  return message !== undefined && message.role !== 'assistant' && message.role !== 'user';
}

/** Results that do not follow their calls. Each is taken once. */
class Strays {
  readonly #byId = new Map<string, { found: { at: number; part: ToolResultPart }[]; next: number }>();

  constructor(messages: readonly Message[], placed: ReadonlySet<ToolResultPart>) {
    for (const [at, message] of messages.entries()) {
      for (const part of message.role === 'tool' ? message.parts : []) {
        if (placed.has(part)) continue;
        const known = this.#byId.get(part.callId);
        if (known === undefined) this.#byId.set(part.callId, { found: [{ at, part }], next: 0 });
        else known.found.push({ at, part });
      }
    }
  }

  /** The next result of this call after a turn. Turns must be asked for in order. */
  take(id: string, behind: number): ToolResultPart | undefined {
    const known = this.#byId.get(id);
    if (known === undefined) return undefined;
    while ((known.found[known.next]?.at ?? Number.POSITIVE_INFINITY) <= behind) known.next += 1;
    const found = known.found[known.next];
    known.next += 1;
    return found?.part;
  }
}

function notRun({ id, form }: ToolCallPart): ToolResultPart {
  return { kind: 'tool-result', callId: id, parts: [{ kind: 'text', text: NOT_RUN }], isError: false, form };
}
