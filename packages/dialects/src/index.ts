import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../../src/core/errors.ts';
import { type DialectId, type Target, UNKNOWN_MODEL } from '../../../src/core/provider.ts';
import { DIALECTS } from '../../../src/dialects/built.ts';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { cutShort } from '../../../src/dialects/vendor-errors.ts';
import type { StreamConverter } from '../../../src/pipeline/translation/converter.ts';
import { Translator } from '../../../src/pipeline/translation/translator.ts';
import { presetOf } from '../../../src/providers/resolve.ts';
import { type Frame, readFrame, readRest, SseSplitter } from '../../../src/upstream/sse.ts';

/** A format of conversations. */
export type Format = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

export const FORMATS: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

export type Sides = {
  /** The format of the caller. */
  from: Format;
  /** The format of the vendor. */
  to: Format;
  /** The vendor's name of the model. */
  model: string;
  /** A vendor by its id in Headgate's table, such as `deepseek`. What it does not take is then written as it does. */
  vendor?: string;
};

/** A body, and the names of what the other format cannot express. */
export type Translated = { body: string; lost: readonly string[] };

/** A call or answer that cannot be translated, or a vendor's error. `status` is what a caller is answered. */
export class TranslationError extends Error {
  override readonly name = 'TranslationError';
  readonly status: number;
  readonly code: string | null;
  /** The field at fault; `null` for none. */
  readonly param: string | null;
  /** The error as a body of the caller's format. */
  readonly body: string;

  constructor(message: string, { status, code, param, body, cause }: ErrorFacts) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.param = param;
    this.body = body;
  }
}

type ErrorFacts = { status: number; code: string | null; param: string | null; body: string; cause: unknown };

/** One call on its way to a vendor: what to send, and how to read what comes back. */
export type Call = Translated & {
  /** The vendor's whole answer in the caller's format. Throws a `TranslationError` for one that does not follow its format. */
  answer(body: string | Uint8Array): Translated;
  /** The vendor's error, by its HTTP status and body. */
  error(status: number, body: string): TranslationError;
  /** The vendor's stream in the caller's format. */
  stream(): AnswerStream;
};

/** Reads the bytes of a stream as they come. What `push` and `end` return is for the caller. */
export type AnswerStream = {
  push(bytes: string | Uint8Array): string;
  /** Must be called when the vendor has closed. A stream that was cut ends with an error of the caller's format. */
  end(): string;
  /** What could not be expressed so far. */
  readonly lost: readonly string[];
};

const LIMITS = { maxJsonDepth: 128, maxEmbeddingInputs: 2048 };
/** The most bytes of one event of a stream. */
const MAX_EVENT = 16 * 1024 * 1024;

/** Translates a call. Throws a `TranslationError` that names the field at fault. */
export function translateCall(body: string | Uint8Array, sides: Sides): Call {
  const [asked, spoken] = [dialectOf(sides.from), dialectOf(sides.to)];
  const target = targetOf(sides);
  return guarded(asked, () => {
    const envelope = asked.inbound.readEnvelope(Buffer.from(body), LIMITS);
    const translator = new Translator({
      asked,
      answered: asked,
      spoken,
      envelope,
      forwarded: [],
      target,
      drop: null,
      parameters: null,
      followed: [],
      bytePath: true,
      clock: { now: Date.now, monotonic: () => performance.now() },
      ids: { requestId: newToken, token: newToken, recordId: newToken, keyId: newToken, organizationId: newToken },
    });
    const isRefused = target.provider.quirks.refusesStreamOptions === true;
    const written = translator.write(isRefused ? 'never' : 'ask');
    return {
      body: written.toString(),
      lost: translator.dropped,
      answer: (answer) => guarded(asked, () => wholeAnswer(translator, Buffer.from(answer))),
      error: (status, text) => errorFor(asked, spoken.outbound.readError(status, {}, text)),
      stream: () => new ConvertedStream(translator.stream()),
    };
  });
}

function wholeAnswer(translator: Translator, body: Buffer): Translated {
  const converter = translator.whole();
  const answer = converter.read(body);
  if (answer.error !== null) throw answer.error;
  converter.build(body);
  const written = converter.written(body, answer).toString();
  return { body: written, lost: converter.dropped };
}

class ConvertedStream implements AnswerStream {
  readonly #converter: StreamConverter;
  readonly #splitter = new SseSplitter(MAX_EVENT);
  #hasEnded = false;

  constructor(converter: StreamConverter) {
    this.#converter = converter;
  }

  get lost(): readonly string[] {
    return this.#converter.dropped;
  }

  push(bytes: string | Uint8Array): string {
    return this.#splitter
      .push(Buffer.from(bytes))
      .map((frame) => this.#convert(frame))
      .join('');
  }

  end(): string {
    if (this.#hasEnded) return '';
    const rest = readRest(this.#splitter.end());
    const last = rest.kind === 'whole' ? this.#convert(rest.frame) : '';
    if (this.#hasEnded) return last;
    this.#hasEnded = true;
    this.#converter.close();
    const isWhole = rest.kind !== 'cut' && this.#converter.complete();
    return last + (isWhole ? this.#converter.terminal() : this.#converter.writeFailure(cutShort()));
  }

  #convert(frame: Frame): string {
    const { event, data } = readFrame(frame);
    if (this.#hasEnded || data === null || data.trim() === '') return '';
    const { role, bytes } = this.#converter.convert(frame, { event, data });
    if (role === 'withhold') return '';
    this.#hasEnded = role === 'ends' || role === 'fails';
    return role === 'fails' ? this.#converter.writeFailure(this.#converter.error()) : bytes.toString();
  }
}

function guarded<Result>(asked: Dialect, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof GatewayError ? errorFor(asked, error) : error;
  }
}

function errorFor(asked: Dialect, error: GatewayError): TranslationError {
  const { message, status, code, param } = error;
  const body = asked.inbound.writeError(error, newToken());
  return new TranslationError(message, { status, code, param, body, cause: error });
}

function dialectOf(format: Format): Dialect {
  const found = DIALECTS.find(({ id, translation }) => id === format && translation !== undefined);
  if (found === undefined) throw new RangeError(`\`${format}\` is none of ${FORMATS.join(', ')}`);
  return found;
}

function targetOf({ to, model, vendor }: Sides): Target {
  const preset = vendor === undefined ? undefined : presetOf(vendor);
  if (vendor !== undefined && preset === undefined) throw new RangeError(`no vendor \`${vendor}\``);
  const dialect: DialectId = to;
  return {
    dialect,
    path: '/',
    provider: {
      id: vendor ?? 'vendor',
      label: preset?.label ?? 'The vendor',
      baseUrl: preset?.baseUrl ?? 'https://vendor.invalid',
      speaks: [{ dialect, path: '/' }],
      credential: null,
      credentialName: 'default',
      authorization: { header: 'authorization', prefix: 'Bearer ' },
      headers: {},
      quirks: preset?.quirks ?? {},
      region: null,
      concurrency: null,
      transport: 'http',
    },
    model: { ...UNKNOWN_MODEL, id: model, upstreamId: model, name: model, dialects: [dialect] },
  };
}

function newToken(): string {
  return randomBytes(12).toString('hex');
}
