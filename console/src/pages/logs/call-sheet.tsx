import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useRead } from '../../api/use.ts';
import { TextLink } from '../../parts/button.tsx';
import { Id } from '../../parts/copy.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { duration, exact, moment } from '../../parts/format.ts';
import { Badge, Notice, SkeletonRows } from '../../parts/states.tsx';
import { Money } from '../../parts/values.tsx';
import { PAGES } from '../../shell/page.ts';
import { Attempts } from './attempts.tsx';
import { Billing } from './billing.tsx';
import { Refused } from './refused.tsx';
import { RouteChoice } from './route-choice.tsx';
import { CallStatus } from './words.tsx';

export type CallDetail = Answer<'retrieveUsage'>;

/** All that is known of one call. `id`: of its record or its request. */
export function CallSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useRead('retrieveUsage', { path: { id } });
  const call = read.isPlaceholderData ? undefined : read.data;
  return (
    <Sheet title={call === undefined || call.model === '' ? 'Call' : `Call of ${call.model}`} onClose={onClose}>
      {read.error && <Failure error={read.error} />}
      {call === undefined ? !read.error && <SkeletonRows rows={10} /> : <Detail call={call} />}
    </Sheet>
  );
}

function Detail({ call }: { call: CallDetail }) {
  if (call.status === 'refused') return <Refused call={call} />;
  return (
    <>
      <Section title="The call">
        <div className="grid gap-3">
          {call.error !== null && (
            <Notice tone={call.status === 'failed' ? 'bad' : 'warn'}>
              <strong className="font-semibold">{call.error}</strong>
              {call.error_meaning && <p>{call.error_meaning}</p>}
            </Notice>
          )}
          <Facts facts={factsOf(call)} />
        </div>
      </Section>
      <Section title={call.attempts === 1 ? 'One attempt' : `${call.attempts} attempts`}>
        <Attempts call={call} />
      </Section>
      <RouteChoice call={call} />
      <Section title="Used and billed">
        <Billing call={call} />
      </Section>
      <Section title="Content">
        <p className="text-table text-weak">What was asked and answered is not kept: Headgate records no content.</p>
      </Section>
    </>
  );
}

function factsOf(call: CallDetail): readonly (readonly [string, ReactNode] | null)[] {
  const { model, requested_model: asked, route, provider, upstream_model: upstream, tool, product } = call;
  return [
    ['Status', <CallStatus key="status" of={call} />],
    ['Began', moment(call.created_at)],
    ['Took', tookText(call)],
    [
      'Model',
      <span key="model">
        <TextLink to="/models" search={{ open: model }}>
          {model}
        </TextLink>
        {asked !== model && <span className="text-weak"> asked for as {asked}</span>}
      </span>,
    ],
    route === null ? null : ['Route', <Linked key="route" page="/routes" id={route} />],
    [
      'Served by',
      call.attempts === 0 ? (
        'nobody: it was sent to no provider'
      ) : provider === null ? (
        'not shown to you'
      ) : (
        <span key="provider">
          <Linked page="/providers" id={provider} />
          {upstream !== null && `, as ${upstream}`}
        </span>
      ),
    ],
    [
      'API key',
      <span key="key" className="inline-flex max-w-full flex-wrap items-center gap-x-2">
        <TextLink to="/logs" search={{ api_key_id: call.api_key_id }}>
          {call.api_key_name ?? 'a key that is gone'}
        </TextLink>
        <Id id={call.api_key_id} />
      </span>,
    ],
    product === null ? null : ['Product', <Linked key="product" page="/settings/products" id={product} />],
    tool === null ? null : ['Tool', tool.version === null ? tool.name : `${tool.name} ${tool.version}`],
    ['Charged', <Money key="cost" usd={call.cost_usd} />],
    ['Request', <Id key="request" id={call.request_id} />],
    call.client_request_id === null ? null : ['Caller’s own id', <Id key="own" id={call.client_request_id} />],
    ['Record', <Id key="record" id={call.id} />],
    call.dropped.length === 0 ? null : ['Left out in translation', call.dropped.join(', ')],
  ];
}

/** What has a page of its own, for those who may see that. */
function Linked({ page, id }: { page: string; id: string }) {
  const { may } = useSession();
  const permission = PAGES.find(({ path }) => path === page)?.permission;
  if (permission !== undefined && !may(permission)) return id;
  return (
    <TextLink to={page} search={{ open: id }}>
      {id}
    </TextLink>
  );
}

function tookText({ latency_ms, time_to_first_token_ms: first, streamed }: CallDetail): ReactNode {
  return (
    <span title={`${exact(latency_ms)} ms`}>
      {duration(latency_ms)}
      {first !== null && <span className="text-weak">, first token after {duration(first)}</span>}{' '}
      {streamed && <Badge>streamed</Badge>}
    </span>
  );
}
