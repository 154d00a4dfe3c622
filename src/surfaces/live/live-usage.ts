import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { operation, type ServerApi } from '../../api/operation.ts';
import { text } from '../../api/schema.ts';
import { callsOf } from '../../api/usage-scope.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Caller, Peer } from '../../core/ports.ts';
import { placeText, readPlace, type SettledPlace } from '../../core/settled.ts';
import type { Front } from '../../http/answer-headers.ts';
import { peerOf, personAgain } from '../../http/browser.ts';
import { headerOf } from '../../http/layers.ts';
import { USAGE_FILTERS, usageDetail, usageQuery } from '../usage.ts';
import type { UsageFeed } from './usage-feed.ts';
import { MAX_EVENTS_A_SECOND, type WatcherOptions } from './watcher.ts';

/**
 * How long a signed-in person's stream lasts, in ms. Reconnecting uses the session, which renews its secret when due.
 */
const PERSONS_STREAM_MS = 60_000;

const LAST_EVENT_ID = 'last-event-id';

const ACCESS = { people: 'api.usage.read' } as const;

export const WATCH_USAGE = operation('watchUsage', 'GET /v1/usage/live', {
  client: 'usage.live',
  tag: 'Usage',
  summary: 'Follow calls as they end: server-sent events, each with one call in the format of `GET /v1/usage/{id}`.',
  description:
    'Callers see the same calls as in the list. An event arrives within a second of its call’s end, in the order in ' +
    `which calls ended, at most ${MAX_EVENTS_A_SECOND} a second. Calls beyond that are skipped ` +
    'and counted in an event `skipped` (`{"calls": 312}`; `null` if unknown). ' +
    'The first event is `begin`, with only an id. Each call’s event has an id. A client that reconnects with the last one in `Last-Event-ID`, as browsers do automatically, or in ' +
    '`last_event_id`, continues after it. A stream ends when the gateway stops or is overloaded, within a second after the caller loses the ' +
    'permission, and for signed-in people after a minute: then reconnect.',
  access: ACCESS,
  query: z.strictObject({
    ...USAGE_FILTERS,
    last_event_id: text
      .exactOptional()
      .describe('Id of the last received event, for clients that cannot send the header.'),
  }),
  answer: { description: 'Calls, as they end.', schema: usageDetail, mediaType: 'text/event-stream' },
  errors: ['forbidden', 'rate_limit_exceeded', 'overloaded'],
  ownTurns: true,
});

/** Serves the calls of the caller's organization as they end. */
export function serveLiveUsage(parts: ServerApi, feed: UsageFeed, newest: () => Promise<SettledPlace>): void {
  const { front, site, findCaller } = parts;

  WATCH_USAGE.stream(parts, async ({ query, caller, signedIn, request }, begin) => {
    const { key, organization } = caller;
    const { last_event_id: lastId = headerOf(request.raw, LAST_EVENT_ID), ...filters } = query;
    const vendors = key.admin;
    const wanted = { ...usageQuery(filters, organization.id), ...callsOf(key, query.api_key_id) };
    const place = placeOf(lastId) ?? (await newest());
    const now = front.clock.monotonic;
    const endsAt = signedIn === null ? null : now() + PERSONS_STREAM_MS;
    const demand = async () => {
      const { caller: present } = await findCaller(request, ACCESS);
      const isSame = present?.key.admin === vendors && present.key.usage === key.usage;
      if (!isSame) throw new GatewayError('forbidden', 'Your permissions have changed. Reconnect.');
    };
    const again =
      signedIn === null
        ? keyAgain(front, { request, peer: peerOf(request.raw, site) }, demand)
        : personAgain({ site, keys: front.keys }, signedIn, demand);
    feed.demandPlace(key.id);
    const answer = begin();
    const watcher: WatcherOptions = {
      requestId: request.context.requestId,
      ownerId: key.id,
      query: wanted,
      vendors,
      place,
      answer,
      cut: () => void request.raw.destroy(),
      mayWatch() {
        if (endsAt === null || now() < endsAt) return again();
        throw new GatewayError('not_signed_in', 'The stream ended to renew the session. Reconnect.');
      },
    };
    feed.watch(watcher);
    answer.onGone(() => feed.left(watcher));
  });
}

/** Checks the key again. Permissions are read again if they may have changed. */
function keyAgain(
  { keys }: Front,
  { request, peer }: { request: FastifyRequest; peer: Peer },
  demand: () => Promise<unknown>,
): () => undefined | Promise<void> {
  const { context } = request;
  let seen = context.caller!;
  const follow = async (caller: Caller) => {
    context.caller = caller;
    await demand();
    seen = caller;
  };
  return () => {
    const looked = keys.again(seen, peer);
    if (looked instanceof Promise) return looked.then(follow);
    return looked === seen ? undefined : follow(looked);
  };
}

function placeOf(lastId: string | undefined): SettledPlace | null {
  if (lastId === undefined || lastId === '') return null;
  const place = readPlace(lastId);
  if (place !== null && placeText(place) === lastId) return place;
  throw new GatewayError('invalid_request', '`last_event_id` is not the id of an event of this stream.', {
    param: 'last_event_id',
  });
}
