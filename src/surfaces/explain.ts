import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import type { CallLook, Route } from '../core/route.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { headerOf } from '../http/doors.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';
import { unknownPath } from '../http/unknown-path.ts';
import type { Explained } from '../pipeline/explain.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { chat } from './chat.ts';
import { embeddings } from './embeddings.ts';
import { explainedJson } from './explained.ts';
import { jsonBody } from './json-body.ts';
import { messages } from './messages.ts';
import { oneOf, type Query } from './query.ts';
import { responses } from './responses.ts';

/** What of a call decided, by name, for each target that was predicted; `null` where its route predicts nothing. */
export type ExplainFeatures = (
  route: Route,
  look: CallLook,
  promptTokens: number,
) => readonly { target: string; features: readonly { name: string; weight: number }[] }[] | null;

export type ExplainParts = {
  app: FastifyInstance;
  front: Front;
  pipeline: Pick<Pipeline, 'explain'>;
  /** The picture at this moment. */
  directory(): Directory;
  /** Left out where nobody predicts. */
  explainFeatures?: ExplainFeatures;
};

const PREFIX = '/v1/routes/';
const SUFFIX = '/explain';
/** As it stands in lists of what is served. */
const SHOWN = `${PREFIX}*${SUFFIX}`;

const DIALECTS = {
  chat: chat.dialect,
  responses: responses.dialect,
  messages: messages.dialect,
  embeddings: embeddings.dialect,
};

/** What a body may be of, as `?surface=` names it. */
export const SURFACES = ['chat', 'responses', 'messages', 'embeddings'] as const satisfies (keyof typeof DIALECTS)[];

/** `POST /v1/routes/{id}/explain`: how the route would decide on a call with this body, without calling anyone. */
export function serveExplain({ app, front, pipeline, directory, explainFeatures }: ExplainParts): void {
  // An id may have slashes, so that nothing can follow it in the pattern itself.
  app.post(`${PREFIX}*`, { config: { shown: SHOWN } }, async (request, reply) => {
    const id = idOf(request);
    const { key } = request.exchange.caller!;
    const body = objectIn(request.body);
    const asked = dialectOf(request, body.value, directory().find(id));
    const explained = await pipeline.explain({
      asked,
      caller: request.exchange.caller!,
      sent: { header: (name) => headerOf(request.raw, name) },
      // The bytes themselves where they name the route: how many there are is looked at.
      body: body.value.model === id ? body.bytes : Buffer.from(JSON.stringify({ ...body.value, model: id })),
    });
    sendJson(front, request, reply, 200, {
      ...explainedJson(explained, key.admin),
      ...featuresJson(explained, explainFeatures),
    });
    return reply;
  });
}

function idOf({ method, url, params }: FastifyRequest): string {
  const path = (params as { '*': string })['*'];
  const id = path.endsWith(SUFFIX) ? path.slice(0, -SUFFIX.length) : '';
  if (id === '') throw unknownPath([{ method: 'POST', path: SHOWN }], method, url);
  return id;
}

type Members = Readonly<Record<string, unknown>>;

function objectIn(body: unknown): { bytes: Buffer; value: Members } {
  const value = jsonBody(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { bytes: body as Buffer, value: value as Members };
  }
  throw new GatewayError('invalid_json', 'The body must be a JSON object: that of the call that is asked about.');
}

function dialectOf(request: FastifyRequest, body: Members, entry: CatalogEntry | undefined): Dialect {
  const named = oneOf(request.query as Query, 'surface', SURFACES);
  return DIALECTS[named ?? surfaceOf(body, entry)];
}

/** Members that only Anthropic's clients send beside `messages`. */
const OF_MESSAGES = ['system', 'stop_sequences', 'thinking', 'top_k'];

/** What a body can only be, else chat's. */
export function surfaceOf(body: Members, entry: CatalogEntry | undefined): (typeof SURFACES)[number] {
  if ('messages' in body) return OF_MESSAGES.some((name) => name in body) ? 'messages' : 'chat';
  if (!('input' in body)) return 'chat';
  const dialects = entry?.model.dialects ?? [];
  return dialects.length > 0 && dialects.every((dialect) => dialect === 'openai-embeddings')
    ? 'embeddings'
    : 'responses';
}

function featuresJson(explained: Explained, explain: ExplainFeatures | undefined): { features?: unknown } {
  if (explain === undefined || explained.kind === 'direct') return {};
  const { entry, look, decision } = explained;
  const features = explain(entry.route, look, decision.traits.promptTokens);
  return features === null ? {} : { features };
}
