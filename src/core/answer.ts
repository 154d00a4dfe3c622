import type { AnswerPart, Citation, NativePart, TokenLogprob, ToolForm } from './call.ts';
import type { GatewayError } from './errors.ts';
import type { Seal } from './seal.ts';
import type { Counts, Usage } from './usage.ts';

/** Why a choice ended. `refusal`: the model declined; `pause`: the vendor expects its turn back to continue. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'pause';

export type Finish = {
  reason: FinishReason;
  /** The caller's stop sequence that ended it. */
  stopSequence?: string;
};

/** A whole answer, independent of vendors. */
export type Answer = {
  /** The vendor's id. */
  id: string | null;
  model: string | null;
  /** Unix seconds. */
  createdAt: number | null;
  choices: readonly { parts: readonly AnswerPart[]; finish: Finish }[];
  /** `null` if the vendor did not report it. Includes the service tier. */
  usage: Usage | null;
  /** The calls of the vendor's own tools that the answer shows; missing if `usage` has them, or if there are none. */
  shownCalls?: Counts;
  /** The names of members that only the vendor's dialect has, which the reader left out. */
  omitted?: readonly string[];
};

/** The start of a part of a stream. The rest arrives in deltas. */
export type PartHead =
  | { kind: 'text' }
  | { kind: 'refusal' }
  | { kind: 'reasoning'; form: 'summary' | 'full' }
  | { kind: 'tool-call'; id: string; name: string; form: ToolForm }
  | NativePart;

/** An addition to a part: to its text (for a tool call, its input), seal or citations. */
export type PartDelta =
  | { kind: 'text'; text: string; logprobs?: readonly TokenLogprob[] }
  | { kind: 'seal'; seal: Seal }
  | { kind: 'citation'; citation: Citation };

/**
 * A piece of a streamed answer. `part` counts from 0 over all choices, in the order in which parts begin. Parts may
 * overlap; each that begins also ends, before `finish`. Exactly one of `finish` and `failure` is last.
 */
export type AnswerEvent =
  | { kind: 'start'; id: string | null; model: string | null; createdAt: number | null }
  | { kind: 'part-start'; part: number; choice: number; head: PartHead }
  | { kind: 'part-delta'; part: number; delta: PartDelta }
  | { kind: 'part-end'; part: number }
  | ({ kind: 'finish'; choices: readonly Finish[] } & Pick<Answer, 'usage' | 'shownCalls' | 'omitted'>)
  | { kind: 'failure'; error: GatewayError };

/** Assembles the answer from a stream's events, which must include `finish`. */
export function foldEvents(events: Iterable<AnswerEvent>): Answer {
  const parts = new Map<number, { choice: number; part: Growing }>();
  let start: Extract<AnswerEvent, { kind: 'start' }> | null = null;
  let finish: Extract<AnswerEvent, { kind: 'finish' }> | null = null;
  for (const event of events) {
    switch (event.kind) {
      case 'start':
        start ??= event;
        break;
      case 'part-start':
        parts.set(event.part, { choice: event.choice, part: new Growing(event.head) });
        break;
      case 'part-delta': {
        const held = parts.get(event.part);
        if (held === undefined) throw new TypeError(`part ${event.part} did not begin`);
        held.part.add(event.delta);
        break;
      }
      case 'part-end':
        break;
      case 'finish':
        finish = event;
        break;
      case 'failure':
        throw event.error;
      default:
        event satisfies never;
    }
  }
  if (finish === null) throw new TypeError('the events did not come to their finish');
  const ordered = [...parts.entries()].sort(([one], [other]) => one - other).map(([, held]) => held);
  const byChoice = Map.groupBy(ordered, ({ choice }) => choice);
  return {
    id: start?.id ?? null,
    model: start?.model ?? null,
    createdAt: start?.createdAt ?? null,
    choices: finish.choices.map((ended, index) => ({
      parts: (byChoice.get(index) ?? []).map(({ part }) => part.whole()),
      finish: ended,
    })),
    usage: finish.usage,
    ...(finish.shownCalls !== undefined && { shownCalls: finish.shownCalls }),
    ...(finish.omitted !== undefined && { omitted: finish.omitted }),
  };
}

/** The events of a stream with this answer, each part in one delta. */
export function unfoldAnswer(answer: Answer): AnswerEvent[] {
  const events: AnswerEvent[] = [{ kind: 'start', id: answer.id, model: answer.model, createdAt: answer.createdAt }];
  let part = 0;
  for (const [choice, { parts }] of answer.choices.entries()) {
    for (const each of parts) {
      events.push({ kind: 'part-start', part, choice, head: headOf(each) });
      for (const delta of deltasOf(each)) events.push({ kind: 'part-delta', part, delta });
      events.push({ kind: 'part-end', part });
      part += 1;
    }
  }
  const choices = answer.choices.map(({ finish }) => finish);
  const { usage, shownCalls, omitted } = answer;
  events.push({
    kind: 'finish',
    choices,
    usage,
    ...(shownCalls !== undefined && { shownCalls }),
    ...(omitted !== undefined && { omitted }),
  });
  return events;
}

/** A part that is being received. It grows in place, so that the cost of a delta does not depend on the part's size. */
class Growing {
  readonly #head: PartHead;
  #text = '';
  #seal: Seal | null = null;
  #citations: Citation[] | null = null;
  #logprobs: TokenLogprob[] | null = null;

  constructor(head: PartHead) {
    this.#head = head;
  }

  add(delta: PartDelta): void {
    switch (delta.kind) {
      case 'text':
        this.#text += delta.text;
        if (delta.logprobs === undefined) return;
        this.#logprobs ??= [];
        for (const token of delta.logprobs) this.#logprobs.push(token);
        return;
      case 'seal':
        this.#seal = delta.seal;
        return;
      case 'citation':
        this.#citations ??= [];
        this.#citations.push(delta.citation);
        return;
      default:
        delta satisfies never;
    }
  }

  whole(): AnswerPart {
    const head = this.#head;
    const logprobs = this.#logprobs !== null && { logprobs: this.#logprobs };
    switch (head.kind) {
      case 'text':
        return {
          kind: 'text',
          text: this.#text,
          ...logprobs,
          ...(this.#citations !== null && { citations: this.#citations }),
        };
      case 'refusal':
        return { kind: 'refusal', text: this.#text, ...logprobs };
      case 'reasoning':
        return { kind: 'reasoning', text: this.#text, form: head.form, seal: this.#seal };
      case 'tool-call':
        return { ...head, input: this.#text };
      case 'native':
        return head;
      default:
        return head satisfies never;
    }
  }
}

function headOf(part: AnswerPart): PartHead {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { kind: part.kind };
    case 'reasoning':
      return { kind: 'reasoning', form: part.form };
    case 'tool-call':
      return { kind: 'tool-call', id: part.id, name: part.name, form: part.form };
    case 'native':
      return part;
    default:
      return part satisfies never;
  }
}

function deltasOf(part: AnswerPart): PartDelta[] {
  switch (part.kind) {
    case 'text':
      return [
        ...textDelta(part),
        ...(part.citations ?? []).map((citation) => ({ kind: 'citation', citation }) as const),
      ];
    case 'refusal':
      return textDelta(part);
    case 'reasoning':
      return [...textDelta(part), ...(part.seal === null ? [] : [{ kind: 'seal', seal: part.seal } as const])];
    case 'tool-call':
      return textDelta({ text: part.input });
    case 'native':
      return [];
    default:
      return part satisfies never;
  }
}

function textDelta({ text, logprobs }: { text: string; logprobs?: readonly TokenLogprob[] }): PartDelta[] {
  if (text === '' && logprobs === undefined) return [];
  return [{ kind: 'text', text, ...(logprobs && { logprobs }) }];
}
