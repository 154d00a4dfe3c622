import type { AnswerPart, Message, NativePart, TextPart, ToolResultPart, UserPart } from '../../core/call.ts';

type Assistant = { role: 'assistant'; parts: AnswerPart[]; results: ToolResultPart[] };

type Turn =
  | { role: 'system' | 'developer'; parts: readonly TextPart[] }
  | { role: 'user'; parts: UserPart[] }
  | Assistant
  | { role: 'tool'; parts: ToolResultPart[] };

/** Groups items into turns: consecutive items of an assistant become one turn, and so do consecutive tool results. */
export class Turns {
  readonly #turns: Turn[] = [];
  readonly #callers = new Map<string, Assistant>();

  get messages(): readonly Message[] {
    return this.#turns.flatMap((turn): Message[] => {
      if (turn.role !== 'assistant') return [turn];
      const { role, parts, results } = turn;
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

  /** Adds a native part to the nearest turn that can hold it. */
  native(part: NativePart, fromCaller: boolean): void {
    const last = this.#turns.at(-1);
    if (last?.role === 'assistant' || (last?.role === 'user' && fromCaller)) last.parts.push(part);
    else if (fromCaller) this.user([part]);
    else this.assistant([part]);
  }
}
