import type { AnswerEvent, Finish } from '../../core/answer.ts';
import type { GatewayError } from '../../core/errors.ts';
import { Losses } from '../../core/losses.ts';
import type { Usage } from '../../core/usage.ts';
import type { AnswerContext, EventWriter } from '../dialect.ts';
import { ChoiceWriter } from './choice-write.ts';
import { newAnswerId, writeTier, writeUsage } from './pieces-write.ts';
import { errorFrame } from './watch.ts';

const DONE = 'data: [DONE]\n\n';

/** Writes a stream of chunks as OpenAI does. */
export function writeEvents(context: AnswerContext): EventWriter {
  return new ChatEventWriter(context);
}

/** /!\ Hot path: the parts that all chunks share are written once. */
class ChatEventWriter implements EventWriter {
  readonly #context: AnswerContext;
  readonly #losses = new Losses();
  readonly #choices = new Map<number, ChoiceWriter>();
  /** The choice of each open part. */
  readonly #parts = new Map<number, ChoiceWriter>();
  /** The JSON before and after the choices. */
  #head = '';
  readonly #tail: string;
  #frames: string[] = [];
  #ended = false;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#tail = context.envelope.wantsUsage ? ',"usage":null}\n\n' : '}\n\n';
  }

  get dropped(): readonly string[] {
    return this.#losses.names;
  }

  push(event: AnswerEvent): string[] {
    if (this.#ended) return [];
    switch (event.kind) {
      case 'start':
        this.#start(event.model, event.createdAt);
        this.#choice(0);
        break;
      case 'part-start': {
        const choice = this.#choice(event.choice);
        this.#parts.set(event.part, choice);
        choice.begin(event.part, event.head);
        break;
      }
      case 'part-delta':
        this.#parts.get(event.part)?.add(event.part, event.delta);
        break;
      case 'part-end':
        this.#parts.get(event.part)?.end(event.part);
        this.#parts.delete(event.part);
        break;
      case 'finish':
        this.#finish(event.choices, event.usage);
        break;
      case 'failure':
        return this.fail(event.error);
      default:
        event satisfies never;
    }
    return this.#take();
  }

  fail(error: GatewayError): string[] {
    if (this.#ended) return [];
    this.#ended = true;
    return [errorFrame(error)];
  }

  #start(model: string | null, createdAt: number | null): void {
    if (this.#head !== '') return;
    const common = {
      id: newAnswerId(this.#context),
      object: 'chat.completion.chunk',
      created: createdAt ?? this.#context.createdAt,
      model: model ?? this.#context.model,
    };
    this.#head = `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
  }

  #choice(index: number): ChoiceWriter {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    this.#start(null, null);
    const choice = new ChoiceWriter(this.#context, this.#losses, (delta, logprobs = 'null') =>
      this.#write(index, delta, logprobs, null),
    );
    this.#choices.set(index, choice);
    this.#write(index, '{"role":"assistant","content":"","refusal":null}', 'null', null);
    return choice;
  }

  #finish(finishes: readonly Finish[], usage: Usage | null): void {
    for (const [index, finish] of finishes.entries()) {
      const word = this.#choice(index).finish(finish);
      this.#write(index, '{}', 'null', word);
    }
    if (this.#context.envelope.wantsUsage && usage !== null) {
      const last = JSON.stringify({ ...writeTier(usage), usage: writeUsage(usage) });
      this.#frames.push(`${this.#head}],${last.slice(1)}\n\n`);
    }
    this.#frames.push(DONE);
    this.#ended = true;
  }

  #write(index: number, delta: string, logprobs: string, finish: string | null): void {
    const word = finish === null ? 'null' : `"${finish}"`;
    this.#frames.push(
      `${this.#head}{"index":${index},"delta":${delta},"logprobs":${logprobs},"finish_reason":${word}}]${this.#tail}`,
    );
  }

  #take(): string[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }
}
