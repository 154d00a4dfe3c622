import { z } from 'zod';
import { GatewayError } from '../../core/errors.ts';
import { placeText, readPlace, type SettledPlace } from '../../core/settled.ts';
import { authenticate, readRequestHead } from '../../http/authenticate.ts';
import { peerOf } from '../../http/browser.ts';
import { headerOf } from '../../http/layers.ts';
import { type HttpApi, operation } from '../operation.ts';
import { text } from '../schema.ts';
import { USAGE_FILTERS, usageDetail, usageQuery } from '../usage.ts';
import { ownKeyOf } from '../usage-scope.ts';
import type { UsageFeed } from './usage-feed.ts';
import { MAX_EVENTS_A_SECOND, type WatcherOptions } from './watcher.ts';

/** How long a signed-in person's stream lasts, in ms: who comes back is looked at anew. A key is looked at each second. */
const PERSONS_STREAM_MS = 60_000;

const LAST_EVENT_ID = 'last-event-id';

export const WATCH_USAGE = operation('watchUsage', 'GET /v1/usage/live', {
  tag: 'Usage',
  summary: 'Follow calls as they end: server-sent events, each with one call as `GET /v1/usage/{id}` tells it.',
  description:
    'The same callers see the same calls as in the list. An event comes within a second of its call’s end, in the order in ' +
    `which calls ended. There are at most ${MAX_EVENTS_A_SECOND} a second; where there are more calls, those that are passed over ` +
    'are counted by an event `skipped` (`{"calls": 312}`; `null` where that is not known). ' +
    'It begins with an event `begin`, which says nothing but its id. Each event of a call has an id: who comes back with the last one in `Last-Event-ID`, as browsers do by themselves, or in ' +
    '`last_event_id`, goes on behind it. A stream ends when the gateway stops or has too much to do, when its key ends, and for ' +
    'those who are signed in after a minute: come back then.',
  access: { people: 'api.usage.read' },
  query: z.strictObject({
    ...USAGE_FILTERS,
    last_event_id: text
      .exactOptional()
      .describe('The id of the last event that was read, where no header can tell it.'),
  }),
  answer: { description: 'Calls, as they end.', schema: usageDetail, mediaType: 'text/event-stream' },
  errors: ['forbidden', 'rate_limit_exceeded', 'overloaded'],
});

/** Serves the calls of the caller's organization as they end. */
export function serveLiveUsage(parts: HttpApi, feed: UsageFeed, newest: () => Promise<SettledPlace>): void {
  const { front, site } = parts;

  WATCH_USAGE.stream(parts, async ({ query, caller, signedIn, request }, begin) => {
    const { key, organization } = caller;
    const { last_event_id: lastId = headerOf(request.raw, LAST_EVENT_ID), ...filters } = query;
    const keyId = ownKeyOf(key, query.api_key_id);
    const wanted = { ...usageQuery(filters, organization.id), ...(keyId !== undefined && { keyId }) };
    const place = placeOf(lastId) ?? (await newest());
    const now = front.clock.monotonic;
    const endsAt = signedIn === null ? null : now() + PERSONS_STREAM_MS;
    const head = readRequestHead(request.raw);
    feed.demandPlace(key.id);
    const answer = begin();
    const watcher: WatcherOptions = {
      requestId: request.context.requestId,
      ownerId: key.id,
      query: wanted,
      vendors: key.admin,
      place,
      answer,
      cut: () => void request.raw.destroy(),
      async mayWatch() {
        if (endsAt !== null) {
          if (now() >= endsAt)
            throw new GatewayError(
              'not_signed_in',
              'The stream has ended so that the session is checked again: connect anew.',
            );
        } else if (!(head instanceof GatewayError)) await authenticate(head, front.keys, peerOf(request.raw, site));
      },
    };
    feed.watch(watcher);
    answer.onGone(() => feed.left(watcher));
  });
}

function placeOf(lastId: string | undefined): SettledPlace | null {
  if (lastId === undefined || lastId === '') return null;
  const place = readPlace(lastId);
  if (place !== null && placeText(place) === lastId) return place;
  throw new GatewayError('invalid_request', '`last_event_id` is not the id of an event of this stream.', {
    param: 'last_event_id',
  });
}
