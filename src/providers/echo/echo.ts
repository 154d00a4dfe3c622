import { GatewayError } from '../../core/errors.ts';
import type { Upstream, UpstreamHold, UpstreamListener, UpstreamRequest } from '../../core/ports.ts';
import type { Model, Provider } from '../../core/provider.ts';
import { CHAT_AND_EMBEDDINGS } from '../spoken-dialects.ts';
import { answerChat, CHAT_MODEL, CONTEXT_WINDOW, MAX_OUTPUT_TOKENS } from './chat.ts';
import { answerEmbeddings, EMBEDDING_MODELS, MAX_INPUT_TOKENS } from './embeddings.ts';
import { EchoRefusal, type EchoReply, type EchoSources, objectOf, whole } from './reply.ts';

/** The date of the echo's price, which is and stays 0. */
const PRICED_SINCE = '2026-07-02';

/** The built-in provider. It answers within this process, without a key, a network or a price. */
export function echoProvider(): Provider {
  return {
    id: 'echo',
    label: 'Echo (built in)',
    baseUrl: '',
    speaks: CHAT_AND_EMBEDDINGS,
    credential: null,
    credentialName: 'default',
    authorization: { header: 'authorization', prefix: 'Bearer ' },
    headers: {},
    quirks: {},
    region: null,
    concurrency: null,
    transport: 'echo',
  };
}

/** `echo`, which repeats the last message, and substitutes for OpenAI's three embedding models. */
export function echoModels(): Model[] {
  const chat: Model = {
    ...common(CHAT_MODEL),
    dialects: ['openai-chat'],
    contextWindow: CONTEXT_WINDOW,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    dimensions: null,
    capabilities: { tools: true, reasoning: false, structuredOutput: true, attachment: false, temperature: true },
  };
  const embeddings = [...EMBEDDING_MODELS].map(
    ([id, dimensions]): Model => ({
      ...common(id),
      dialects: ['openai-embeddings'],
      contextWindow: MAX_INPUT_TOKENS,
      maxOutputTokens: null,
      dimensions,
      capabilities: { tools: false, reasoning: false, structuredOutput: false, attachment: false, temperature: false },
    }),
  );
  return [chat, ...embeddings];
}

/**
 * The vendor of `echoProvider`: it serves OpenAI chat, embeddings and the list of models. It never answers before
 * `send` returns.
 */
export function echoUpstream(sources: EchoSources): Upstream {
  return { send: (request, listener) => new EchoAnswer(request, listener, sources) };
}

function common(id: string) {
  return {
    id,
    upstreamId: id,
    name: `${id} (built in)`,
    brand: 'Headgate',
    modalities: { input: ['text'], output: ['text'] },
    price: { rates: { input: 0n, output: 0n }, tiers: [], source: 'built in', date: PRICED_SINCE },
    releasedAt: null,
  };
}

/** An answer in progress: one piece per turn of the event loop, so that long answers do not delay other calls. */
class EchoAnswer implements UpstreamHold {
  readonly #listener: UpstreamListener;
  readonly #steps: Iterator<() => void>;
  #paused = false;
  #over = false;
  #turn: NodeJS.Immediate | null = null;

  constructor(request: UpstreamRequest, listener: UpstreamListener, sources: EchoSources) {
    this.#listener = listener;
    this.#steps = steps(request, listener, sources);
    this.#schedule();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  abort(): void {
    this.#over = true;
    if (this.#turn !== null) clearImmediate(this.#turn);
  }

  #schedule(): void {
    if (this.#over || this.#paused || this.#turn !== null) return;
    this.#turn = setImmediate(() => {
      this.#turn = null;
      if (!this.#paused) this.#step();
      this.#schedule();
    });
  }

  #step(): void {
    let next: IteratorResult<() => void>;
    try {
      next = this.#steps.next();
    } catch (cause) {
      this.#over = true;
      this.#listener.onFailure(new GatewayError('upstream_error', 'The echo failed.', { cause }));
      return;
    }
    if (next.done === true) this.#over = true;
    else next.value();
  }
}

/** Calls the listener, one event per step. */
function* steps(request: UpstreamRequest, listener: UpstreamListener, sources: EchoSources): Generator<() => void> {
  const reply = replyTo(request, sources);
  const headers = { 'content-type': reply.contentType, 'x-request-id': `req_${sources.id()}` };
  yield () => listener.onStart(reply.status, headers);
  for (const piece of reply.pieces) yield () => listener.onData(Buffer.from(piece));
  yield () => listener.onEnd();
}

function replyTo({ method, path, body }: UpstreamRequest, sources: EchoSources): EchoReply {
  try {
    if (method === 'GET' && path === '/models') return whole({ object: 'list', data: echoModels().map(listed) });
    if (method === 'POST' && path === '/chat/completions') return answerChat(readBody(body), sources);
    if (method === 'POST' && path === '/embeddings') return answerEmbeddings(readBody(body));
    throw new EchoRefusal(404, `Unknown request URL: ${method} ${path}.`, null, 'unknown_url');
  } catch (error) {
    if (error instanceof EchoRefusal) return error.reply();
    throw error;
  }
}

function listed({ id }: Model): object {
  return { id, object: 'model', created: 0, owned_by: 'headgate' };
}

function readBody(body: Buffer | null): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    throw new EchoRefusal(400, 'We could not parse the JSON body of your request.', null, null);
  }
  const fields = objectOf(value);
  if (fields === null) throw new EchoRefusal(400, 'The JSON body of a request must be an object.', null, null);
  return fields;
}
