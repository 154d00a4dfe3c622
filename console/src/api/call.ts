import { type Operations, PLACES } from './generated.ts';

/** An operation of the gateway's HTTP API, by its `operationId`. */
export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

type Optional<Name extends string, Value> =
  Record<never, never> extends Value ? { [name in Name]?: Value } : { [name in Name]: Value };

/** What an operation is called with. What it has no need of may be left out. */
export type Given<Id extends OperationId> = Optional<'path', Operations[Id]['path']> &
  Optional<'query', Operations[Id]['query']> &
  (Operations[Id]['body'] extends undefined ? { body?: undefined } : { body: Operations[Id]['body'] });

/** The gateway refused, in its own words; or it could not be reached, which has the status 0. */
export class ApiError extends Error {
  readonly status: number;
  /** The kind of the error: `not_found`, `recent_sign_in_required`. */
  readonly code: string;
  /** The member of the body, or the parameter, that is at fault. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(message: string, { status = 0, code = 'unknown', param = null, requestId = null }: ApiErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
  }
}

type ApiErrorParts = { status?: number; code?: string; param?: string | null; requestId?: string | null };

/** What goes through usage. The gateway refuses a person who has too many of these open at once (`limits.max_reports`: 4). */
const REPORTS: ReadonlySet<OperationId> = new Set<OperationId>([
  'summarizeUsage',
  'retrieveFirstTokenTimes',
  'listUsage',
  'retrieveUsage',
  'listCosts',
  'listAttention',
  'listCompletionsUsage',
  'listEmbeddingsUsage',
  'listLimitUse',
]);
const MOST_REPORTS = 3;
const waiting: (() => void)[] = [];
let openReports = 0;

/** Does the work once fewer than so many reports are open. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (openReports < MOST_REPORTS) openReports += 1;
  else await new Promise<void>((start) => waiting.push(start));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) openReports -= 1;
    else next();
  }
}

let organizationId: string | null = null;

/** From now on, all that this page asks for is of this organization: another tab may choose another. */
export function stayIn(id: string | null): void {
  organizationId = id;
}

/** Says which organization a request is for, in its headers, or in the query where it can have none. */
export function ofOrganization(): { [ORGANIZATION]?: string } {
  return organizationId === null ? {} : { [ORGANIZATION]: organizationId };
}

const ORGANIZATION = 'openai-organization';

/** Calls an operation. Rejects with an `ApiError`. */
export function call<Id extends OperationId>(id: Id, given: Given<Id>, signal?: AbortSignal): Promise<Answer<Id>> {
  return REPORTS.has(id) ? inTurn(() => send(id, given, signal)) : send(id, given, signal);
}

async function send<Id extends OperationId>(id: Id, given: Given<Id>, signal?: AbortSignal): Promise<Answer<Id>> {
  const { path, query, body } = given as Record<'path' | 'query' | 'body', Record<string, unknown> | undefined>;
  const [method = '', place = ''] = PLACES[id].split(' ');
  const address = `/v1${filled(place, path ?? {})}${queryText(query ?? {})}`;
  let answer: Response;
  try {
    answer = await fetch(address, {
      method,
      headers: { ...ofOrganization(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
  const read: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw errorOf(answer, read);
  if (read === undefined && !signal?.aborted) throw unreadable(answer);
  return read as Answer<Id>;
}

export function unreachable(): ApiError {
  return new ApiError('The gateway cannot be reached. Is it still running?', { code: 'unreachable' });
}

/** It was cut on its way, or something between here and the gateway has answered in its place. */
function unreadable({ headers }: Response): ApiError {
  const requestId = headers.get('x-request-id');
  return new ApiError('The answer of the gateway did not come whole.', { code: 'unreadable', requestId });
}

/** What the gateway refused with. */
export function errorOf({ status, headers }: Response, body: unknown): ApiError {
  const told = (body as { error?: { [name in 'message' | 'code' | 'type' | 'param']?: string | null } } | null)?.error;
  return new ApiError(told?.message ?? `The gateway answered with the status ${status}.`, {
    status,
    code: told?.code ?? told?.type ?? 'unknown',
    param: told?.param ?? null,
    requestId: headers.get('x-request-id'),
  });
}

function filled(place: string, path: Record<string, unknown>): string {
  return place.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
}

function queryText(query: Record<string, unknown>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) pairs.append(`${name}[]`, String(each));
    else if (typeof value === 'object' && value !== null) {
      for (const [member, of] of Object.entries(value))
        if (of !== undefined) pairs.append(`${name}[${member}]`, String(of));
    } else if (value !== undefined && value !== '') pairs.append(name, String(value));
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}
