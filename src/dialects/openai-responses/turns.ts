import type { AnswerPart, Message, NativePart, TextPart, ToolForm, ToolResultPart, UserPart } from '../../core/call.ts';

type Assistant = { role: 'assistant'; parts: AnswerPart[]; results: ToolResultPart[] };

type Turn =
  | { role: 'system' | 'developer'; parts: readonly TextPart[] }
  | { role: 'user'; parts: UserPart[] }
  | Assistant
  | { role: 'tool'; parts: ToolResultPart[] };

const STILL_RUNS: TextPart = { kind: 'text', text: 'The tool is still running.' };

/** Groups items into turns: consecutive items of an assistant become one turn, and so do consecutive tool results. */
export class Turns {
  readonly #turns: Turn[] = [];
  readonly #callers = new Map<string, Assistant>();
  /** Calls that run asynchronously and have no result yet, and their forms. */
  readonly #pending = new Map<string, ToolForm>();

  get messages(): readonly Message[] {
    return this.#turns.flatMap((turn): Message[] => {
      if (turn.role !== 'assistant') return [turn];
      const { role, parts } = turn;
      const results = [...turn.results, ...this.#pendingOf(turn)];
      return results.length === 0
        ? [{ role, parts }]
        : [
            { role, parts },
            { role: 'tool', parts: results },
          ];
    });
  }

  system(role: 'system' | 'developer', parts: readonly TextPart[]): void {
    this.#turns.push({ role, parts });
  }

  user(parts: readonly UserPart[]): void {
    this.#turns.push({ role: 'user', parts: [...parts] });
  }

  assistant(parts: readonly AnswerPart[]): void {
    if (parts.length === 0) return;
    const last = this.#turns.at(-1);
    const goesOn = last?.role === 'assistant' && last.results.length === 0;
    const turn: Assistant = goesOn ? last : { role: 'assistant', parts: [], results: [] };
    if (!goesOn) this.#turns.push(turn);
    for (const part of parts) {
      turn.parts.push(part);
      if (part.kind === 'tool-call') this.#callers.set(part.id, turn);
    }
  }

  /** Adds a result directly after its call's turn, even if other turns came between. */
  result(part: ToolResultPart): void {
    const caller = this.#callers.get(part.callId);
    const last = this.#turns.at(-1);
    if (caller !== undefined) caller.results.push(part);
    else if (last?.role === 'tool') last.parts.push(part);
    else this.#turns.push({ role: 'tool', parts: [part] });
  }

  /**
   * Notes a call that runs asynchronously: its result may come in any later request, or never. Other formats require a
   * result after each call.
   */
  runsOn(callId: string, form: ToolForm): void {
    this.#pending.set(callId, form);
  }

  #pendingOf(turn: Assistant): ToolResultPart[] {
    if (this.#pending.size === 0) return [];
    const answered = new Set(turn.results.map(({ callId }) => callId));
    return turn.parts.flatMap((part) => {
      const form = part.kind === 'tool-call' && !answered.has(part.id) ? this.#pending.get(part.id) : undefined;
      if (part.kind !== 'tool-call' || form === undefined) return [];
      return [{ kind: 'tool-result', callId: part.id, parts: [STILL_RUNS], isError: false, form }];
    });
  }

  /** Adds a native part to the nearest turn that can hold it. */
  native(part: NativePart, fromCaller: boolean): void {
    const last = this.#turns.at(-1);
    if (last?.role === 'assistant' || (last?.role === 'user' && fromCaller)) last.parts.push(part);
    else if (fromCaller) this.user([part]);
    else this.assistant([part]);
  }
}
