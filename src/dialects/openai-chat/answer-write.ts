import type { Answer, Finish } from '../../core/answer.ts';
import type { AnswerPart, NativePart, ReasoningPart, TokenLogprob, ToolCallPart } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import type { AnswerContext, WrittenAnswer } from '../dialect.ts';
import { SearchSteps, type WholeSearch } from '../search-steps.ts';
import { defined, objectOf } from '../unchecked-json.ts';
import { BETWEEN_THOUGHTS } from './choice-read.ts';
import { markVendorData, vendorDataIn } from './details.ts';
import { executedSearch } from './executed-searches.ts';
import { writeFinish } from './finish.ts';
import {
  nativeMember,
  newAnswerId,
  speaksOfFunctions,
  writeCitation,
  writeMarked,
  writeTier,
  writeUsage,
  writeWholeCall,
} from './pieces-write.ts';

/** Writes a whole chat completion as OpenAI does. */
export function writeAnswer(answer: Answer, context: AnswerContext): WrittenAnswer {
  const losses = new Losses();
  const body = {
    id: newAnswerId(context),
    object: 'chat.completion',
    created: answer.createdAt ?? context.createdAt,
    model: answer.model ?? context.model,
    choices: answer.choices.map((choice, index) => writeChoice(choice, index, context, losses)),
    ...(answer.usage !== null && { usage: writeUsage(answer.usage) }),
    ...writeTier(answer.usage),
  };
  return { body: JSON.stringify(body), dropped: losses.names };
}

function writeChoice(
  { parts, finish }: { parts: readonly AnswerPart[]; finish: Finish },
  index: number,
  context: AnswerContext,
  losses: Losses,
): unknown {
  const message = new Message(context, losses);
  for (const part of parts) message.add(part);
  return {
    index,
    message: message.written(),
    logprobs: message.logprobs(),
    finish_reason: writeFinish(finish, message, losses),
  };
}

/** A choice's message, in which every kind of part has its own member. */
class Message {
  refused = false;
  /** Whether calls are written as `function_call`. */
  legacy = false;
  readonly #context: AnswerContext;
  readonly #losses: Losses;
  #content = '';
  #refusal = '';
  readonly #annotations: unknown[] = [];
  readonly #thoughts: ReasoningPart[] = [];
  readonly #calls: ToolCallPart[] = [];
  /**
   * Vendors' own data beside calls, by the ids of the calls, and beside the message (`null`). It may come after its
   * call.
   */
  readonly #extras = new Map<string | null, unknown>();
  readonly #searches = new SearchSteps();
  readonly #natives: { audio?: unknown; images?: unknown[]; executed_tools?: unknown[] } = {};
  readonly #contentLogprobs: TokenLogprob[] = [];
  readonly #refusalLogprobs: TokenLogprob[] = [];

  constructor(context: AnswerContext, losses: Losses) {
    this.#context = context;
    this.#losses = losses;
  }

  add(part: AnswerPart): void {
    switch (part.kind) {
      case 'text':
        for (const citation of part.citations ?? []) {
          this.#annotations.push(...writeCitation(citation, this.#content.length, this.#losses));
        }
        this.#content += part.text;
        for (const token of part.logprobs ?? []) this.#contentLogprobs.push(token);
        return;
      case 'refusal':
        this.refused = true;
        this.#refusal += part.text;
        for (const token of part.logprobs ?? []) this.#refusalLogprobs.push(token);
        return;
      case 'reasoning': {
        const beside = vendorDataIn(part.seal);
        if (beside === null) this.#thoughts.push(part);
        else
          this.#extras.set(beside.callId, markVendorData(beside.extra, part.seal?.provider ?? this.#context.provider));
        return;
      }
      case 'tool-call':
        this.#calls.push(part);
        return;
      case 'native':
        return this.#addNative(part);
      default:
        part satisfies never;
    }
  }

  written(): Record<string, unknown> {
    for (const search of this.#searches.rest()) this.#addSearch(search);
    const called = this.#calls.length > 0;
    const none = called || this.refused ? null : '';
    return {
      role: 'assistant',
      content: this.#content === '' ? none : this.#content,
      refusal: this.refused ? this.#refusal : null,
      ...(this.#annotations.length > 0 && { annotations: this.#annotations }),
      ...this.#writtenThoughts(),
      ...(called && this.#writtenCalls()),
      ...this.#natives,
      ...objectOf(this.#extras.get(null)),
    };
  }

  logprobs(): unknown {
    if (this.#contentLogprobs.length === 0 && this.#refusalLogprobs.length === 0) return null;
    const orNull = (tokens: readonly TokenLogprob[]) => (tokens.length === 0 ? null : tokens);
    return { content: orNull(this.#contentLogprobs), refusal: orNull(this.#refusalLogprobs) };
  }

  /** Plain text for all clients; details only if plain text would lose the separation of several parts or their seals. */
  #writtenThoughts(): Record<string, unknown> {
    const texts = this.#thoughts.flatMap(({ text }) => (text === '' ? [] : [text]));
    const detailed = this.#thoughts.length > 1 || this.#thoughts.some(({ seal }) => seal !== null);
    return defined({
      reasoning_content: texts.length === 0 ? undefined : texts.join(BETWEEN_THOUGHTS),
      reasoning_details: detailed
        ? this.#thoughts.flatMap((part, index) => writeMarked(part, index, this.#context))
        : undefined,
    });
  }

  #writtenCalls(): Record<string, unknown> {
    this.legacy = speaksOfFunctions(this.#context);
    const calls = this.#calls.map((call) => writeWholeCall(call, this.#extras.get(call.id)));
    if (!this.legacy) return { tool_calls: calls };
    if (calls.length > 1) this.#losses.add('parallel_tool_calls');
    return { function_call: calls[0]?.function };
  }

  #addSearch(search: WholeSearch): void {
    this.#natives.executed_tools ??= [];
    this.#natives.executed_tools.push(executedSearch(search, this.#natives.executed_tools.length));
  }

  #addNative({ dialect, type, value, search }: NativePart): void {
    const member = dialect === 'openai-chat' ? nativeMember(type) : null;
    if (member === null && search !== undefined) {
      const whole = this.#searches.add(search);
      if (whole !== null) this.#addSearch(whole);
    } else if (member === null) this.#losses.add('vendor_tool_calls');
    else if (member === 'audio') this.#natives.audio = value;
    else {
      this.#natives[member] ??= [];
      this.#natives[member].push(value);
    }
  }
}
