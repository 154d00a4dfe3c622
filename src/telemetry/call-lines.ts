import { dollars } from '../core/money.ts';
import { roundedText } from '../core/money-text.ts';
import type { CallObserver } from '../core/ports.ts';
import type { EndedCall, Intent, Settlement } from '../core/records.ts';
import type { RefusedCall } from '../core/refused-calls.ts';
import { type LineOutput, LineWriter, stderrOutput } from './line-writer.ts';
import { clockText, plainText } from './plain-text.ts';

/** The longest name in a line; longer ones are cut. */
const MAX_NAME = 60;
/** The most formatted names in the cache, because callers choose the names of models. */
const MAX_KEPT_NAMES = 1_000;
/** The most lines for refused calls in a second, so that a flood does not fill the disk. */
const MAX_REFUSED_A_SECOND = 20;
const SECOND_MS = 1_000;
const INFO = 30;

/** The reader of the lines: a person at a terminal, or a log. */
export type LineReader = 'people' | 'log';

/** How lines are written for one kind of reader. */
type LineForm = {
  ended(call: EndedCall): string;
  refused(call: RefusedCall): string;
  /** A line for this number of calls without lines of their own. */
  moreEnded(count: number): string;
  moreRefused(count: number): string;
};

/**
 * Writes a line for each finished call: time, key, model, provider, tokens, cost, duration. It never contains prompts
 * or answers.
 */
export class EndedCallLines {
  readonly #form: LineForm;
  readonly #writer: LineWriter;

  constructor(reader: LineReader, output: LineOutput) {
    this.#form = formFor(reader);
    this.#writer = new LineWriter(output, this.#form.moreEnded);
  }

  /** Lines are written at once, because calls already arrive here in batches. */
  add(calls: readonly EndedCall[]): void {
    for (const call of calls) this.#writer.add(this.#form.ended(call));
    this.#writer.flush();
  }

  /** Flushes the waiting lines. */
  close(): void {
    this.#writer.close();
  }
}

/** Writes finished calls to stderr. */
export function endedCallLines(reader: LineReader): EndedCallLines {
  return closedAtExit(new EndedCallLines(reader, stderrOutput()));
}

/** At the end of a process or thread, also after a fault, waiting lines are flushed. */
export function closedAtExit<Lines extends { close(): void }>(lines: Lines): Lines {
  process.once('exit', () => lines.close());
  return lines;
}

/** Writes a line for each refused call, with the reason. It never contains prompts. */
export class RefusedCallLines implements CallObserver {
  /** The next observer of each call. */
  readonly #next: CallObserver;
  readonly #form: LineForm;
  readonly #writer: LineWriter;
  /** Refused calls of this second, with and without a line. */
  #refused = 0;
  #untold = 0;
  #second: NodeJS.Timeout | undefined;

  constructor(next: CallObserver, reader: LineReader, output: LineOutput) {
    this.#next = next;
    this.#form = formFor(reader);
    this.#writer = new LineWriter(output, this.#form.moreRefused);
  }

  opened(): void {
    this.#next.opened();
  }

  closed(intent: Intent, settlement: Settlement, isListed: boolean): void {
    this.#next.closed(intent, settlement, isListed);
  }

  refused(call: RefusedCall): void {
    this.#next.refused(call);
    this.#second ??= setTimeout(() => this.#endSecond(), SECOND_MS).unref();
    if (this.#refused === MAX_REFUSED_A_SECOND) {
      this.#untold += 1;
      return;
    }
    this.#refused += 1;
    this.#writer.add(this.#form.refused(call));
  }

  /** Flushes the waiting lines. */
  close(): void {
    this.#endSecond();
    this.#writer.close();
  }

  #endSecond(): void {
    clearTimeout(this.#second);
    this.#second = undefined;
    if (this.#untold > 0) this.#writer.add(this.#form.moreRefused(this.#untold));
    this.#refused = 0;
    this.#untold = 0;
  }
}

function formFor(reader: LineReader): LineForm {
  return reader === 'people' ? TEXT : jsonForm();
}

const TEXT: LineForm = {
  /** `12:02:59  ci              gpt-4o-mini                   openai           12 in     34 out     $0.0001   0.84 s`. */
  ended({ keyName, model, provider, upstreamModel, settlement }) {
    const { status, errorKind, usage, usageSource, cost, settledAt, createdAt } = settlement;
    const mark = usageSource === 'estimated' ? '~' : '';
    const cells = [
      clockText(settledAt),
      nameText(keyName ?? '-').padEnd(14),
      nameText(model).padEnd(28),
      nameText(whoAnswered(model, provider, upstreamModel)).padEnd(14),
      `${mark}${usage.inputTokens} in`.padStart(10),
      `${mark}${usage.outputTokens} out`.padStart(10),
      roundedText(cost).padStart(10),
      `${((settledAt - createdAt) / 1000).toFixed(2)} s`.padStart(8),
      ...(status === 'succeeded' ? [] : [errorKind === null ? status : `${status}: ${errorKind}`]),
    ];
    return `${cells.join('  ')}\n`;
  },
  /** `12:02:59  ci              gpt-99                        refused: 404 model_not_found`. */
  refused({ at, key, model, httpStatus, errorKind }) {
    const [keyName, modelName] = [key?.name ?? '-', model ?? '-'].map(nameText) as [string, string];
    return `${clockText(at)}  ${keyName.padEnd(14)}  ${modelName.padEnd(28)}  refused: ${httpStatus} ${errorKind}\n`;
  },
  moreEnded: (count) => `          … and ${count} more calls.\n`,
  moreRefused: (count) => `          … and ${count} more calls were refused.\n`,
};

/** The provider, and its name for the model if that differs. */
function whoAnswered(model: string, provider: string, upstreamModel: string): string {
  const isSame = model === upstreamModel || model === `${provider}/${upstreamModel}`;
  return isSame ? provider : `${provider}/${upstreamModel}`;
}

function nameText(name: string): string {
  const plain = plainText(name);
  return plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME - 1)}…` : plain;
}

/** JSON objects, as in the log. */
function jsonForm(): LineForm {
  const kept = new Map<string, string>();
  const name = (text: string) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT_NAMES) kept.clear();
    const quoted = JSON.stringify(nameText(text));
    kept.set(text, quoted);
    return quoted;
  };
  const line = (fields: object) => `${JSON.stringify({ level: INFO, ...fields })}\n`;
  return {
    /**
     * /!\ Hot path: built by hand, in a fifth of the time of `JSON.stringify`. Only `name` values need escaping; all
     * others are from closed lists or our own.
     */
    ended({ requestId, keyName, model, provider, upstreamModel, settlement }) {
      const { keyId, status, errorKind, usage, usageSource, cost, settledAt, createdAt } = settlement;
      const key = keyName === null ? 'null' : name(keyName);
      const called = `"key":${key},"key_id":${name(keyId)},"model":${name(model)}`;
      const served = `"provider":${name(provider)},"upstream_model":${name(upstreamModel)}`;
      const came = `"status":"${status}","error":${errorKind === null ? 'null' : `"${errorKind}"`}`;
      const used = `"input_tokens":${usage.inputTokens},"output_tokens":${usage.outputTokens},"estimated":${usageSource === 'estimated'}`;
      const billed = `"cost_usd":${cost === null ? 'null' : dollars(cost)},"duration_ms":${settledAt - createdAt}`;
      return `{"level":${INFO},"time":${settledAt},"request_id":"${requestId}",${called},${served},${came},${used},${billed},"msg":"A call is over."}\n`;
    },
    refused: ({ at, requestId, key, model, httpStatus, errorKind }) =>
      line({
        time: at,
        request_id: requestId,
        key: key === null ? null : nameText(key.name),
        key_id: key?.id ?? null,
        model: model === null ? null : nameText(model),
        status: 'refused',
        http_status: httpStatus,
        error: errorKind,
        msg: 'A call was refused.',
      }),
    moreEnded: (count) => line({ time: Date.now(), calls: count, msg: 'More calls ended than there are lines for.' }),
    moreRefused: (count) =>
      line({ time: Date.now(), calls: count, msg: 'More calls were refused than there are lines for.' }),
  };
}
