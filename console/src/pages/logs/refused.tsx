import type { ReactNode } from 'react';
import { TextLink } from '../../parts/button.tsx';
import { Id } from '../../parts/copy.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { counted, moment } from '../../parts/format.ts';
import { Notice } from '../../parts/states.tsx';
import type { CallDetail } from './call-sheet.tsx';
import { CallStatus } from './words.tsx';

/** A call that was sent to no provider: what its caller was told, and what would help. */
export function Refused({ call }: { call: CallDetail }) {
  const help = helpFor(call);
  const { not_stored_before: missing = 0 } = call;
  return (
    <>
      <Section title="Refused">
        <div className="grid gap-3">
          <Notice tone="bad">
            <strong className="font-semibold">{call.error}</strong>
            <p>{call.error_message}</p>
          </Notice>
          {help !== null && <p className="text-table text-weak">{help}</p>}
          <Facts facts={factsOf(call)} />
          {missing > 0 && (
            <p className="text-table text-weak">
              Before it, {counted(missing, 'refused call')} of the same key came too fast to be stored.
            </p>
          )}
        </div>
      </Section>
      <Section title="Used and billed">
        <p className="text-table text-weak">Nothing: it was sent to no provider.</p>
      </Section>
    </>
  );
}

function factsOf(call: CallDetail): readonly (readonly [string, ReactNode] | null)[] {
  const { model, api_key_id: keyId, api_key_name: keyName, refused_caller: caller, tool, product } = call;
  return [
    ['Status', <CallStatus key="status" of={call} />],
    ['Time', moment(call.created_at)],
    model === '' ? null : ['Model asked for', model],
    call.error_param == null ? null : ['Parameter', call.error_param],
    keyId === ''
      ? null
      : [
          'API key',
          <span key="key" className="inline-flex max-w-full flex-wrap items-center gap-x-2">
            <TextLink to="/logs" search={{ api_key_id: keyId, status: 'refused' }}>
              {keyName ?? 'a deleted key'}
            </TextLink>
            <Id id={keyId} />
          </span>,
        ],
    caller === undefined ? null : ['Key sent', caller.api_key ?? 'none'],
    caller === undefined ? null : ['Address', caller.ip_address ?? 'unknown'],
    product === null ? null : ['Product', product],
    tool === null ? null : ['Tool', tool.version === null ? tool.name : `${tool.name} ${tool.version}`],
    ['Request', <Id key="request" id={call.request_id} />],
    call.client_request_id === null ? null : ['Caller’s own id', <Id key="own" id={call.client_request_id} />],
    ['Record', <Id key="record" id={call.id} />],
  ];
}

/** What would let the call through, with a link to where that is done; `null` if only its caller can change it. */
function helpFor({ error, api_key_id: keyId }: CallDetail): ReactNode {
  const key = (text: string) => (
    <TextLink to="/settings/keys" search={keyId === '' ? {} : { open: keyId }}>
      {text}
    </TextLink>
  );
  switch (error) {
    case 'model_not_found':
      return (
        <>
          <TextLink to="/models">Models</TextLink> lists the names that can be called.{' '}
          <TextLink to="/providers">Add a provider</TextLink> if its vendor is missing.
        </>
      );
    case 'model_not_allowed':
      return <>To allow it, {key('change the models of the key')}, or those of its project.</>;
    case 'rate_limit_exceeded':
      return <>To allow more calls, {key('raise the limits of the key')}, or those of its project.</>;
    case 'insufficient_quota':
      return (
        <>
          To allow more, raise the limit under <TextLink to="/settings/budgets">Budgets</TextLink>, or{' '}
          {key('of the key')}.
        </>
      );
    case 'invalid_api_key':
    case 'revoked_api_key':
    case 'disabled_api_key':
    case 'expired_api_key':
    case 'missing_api_key':
      return <>The caller needs a valid key: {key('see the API keys')}.</>;
    default:
      return null;
  }
}
