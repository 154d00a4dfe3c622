import type { Given } from '../../../api/call.ts';
import type { Key } from '../../../api/keys.ts';
import { useRead } from '../../../api/use.ts';
import { EndsOnField, secondsUntilEndOf } from '../../../parts/ends-on.tsx';
import { faultOf } from '../../../parts/failure.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { ListField } from '../../../parts/list-field.tsx';
import { INTERVALS } from './project-keys.ts';

/** What a key may use, as it is typed. */
export type Limits = {
  models: readonly string[];
  ranges: readonly string[];
  requests: string;
  tokens: string;
  amount: string;
  interval: string;
  /** A day, `2026-12-31`; empty: it has no end. */
  endsOn: string;
  /** Whose usage it reads; empty: as the gateway decides. */
  usage: string;
};

export const NO_LIMITS: Limits = {
  models: [],
  ranges: [],
  requests: '',
  tokens: '',
  amount: '',
  interval: 'month',
  endsOn: '',
  usage: '',
};

/** The members of a body that these fields are for. */
export const LIMIT_FIELDS = [
  'allowed_models',
  'ip_ranges',
  'max_requests_per_1_minute',
  'max_tokens_per_1_minute',
  'spend_limit',
  'expires_in_seconds',
  'usage',
];

/** Whose usage a key reads. */
export const USAGE_SCOPES: readonly { value: Key['usage']; label: string }[] = [
  { value: 'own', label: 'Its own calls' },
  { value: 'project', label: 'All calls of its project' },
  { value: 'organization', label: 'All calls of the organization' },
];
const LEFT_TO_THE_GATEWAY = { value: '', label: 'As the gateway decides' };

export function limitsOf(key: Key): Limits {
  return {
    models: key.allowed_models ?? [],
    ranges: key.ip_ranges ?? [],
    requests: key.max_requests_per_1_minute?.toString() ?? '',
    tokens: key.max_tokens_per_1_minute?.toString() ?? '',
    amount: key.spend_limit?.amount_decimal ?? '',
    interval: key.spend_limit?.interval ?? 'month',
    endsOn: key.expires_at === null ? '' : new Date(key.expires_at * 1000).toISOString().slice(0, 10),
    usage: key.usage,
  };
}

/** What is left empty is no limit; what is as it was `before` is left out. */
export function limitsBody(limits: Limits, before: Limits = NO_LIMITS): Given<'updateProjectApiKey'>['body'] {
  const { models, ranges, requests, tokens, amount, interval, endsOn, usage } = limits;
  return {
    ...(models !== before.models && { allowed_models: models.length === 0 ? null : [...models] }),
    ...(ranges !== before.ranges && { ip_ranges: ranges.length === 0 ? null : [...ranges] }),
    ...(requests !== before.requests && { max_requests_per_1_minute: requests === '' ? null : Number(requests) }),
    ...(tokens !== before.tokens && { max_tokens_per_1_minute: tokens === '' ? null : Number(tokens) }),
    ...((amount !== before.amount || interval !== before.interval) && {
      spend_limit: amount === '' ? null : { amount_usd: amount, interval: interval as 'month' },
    }),
    ...(endsOn !== before.endsOn && { expires_in_seconds: secondsUntilEndOf(endsOn) }),
    ...(usage !== before.usage && { usage: usage as Key['usage'] }),
  };
}

type Props = { limits: Limits; onChange: (changes: Partial<Limits>) => void; error: Error | null };

/** Fields for what a key may use. */
export function LimitFields({ limits, onChange, error }: Props) {
  const models = useRead('listCatalog');
  return (
    <>
      <EndsOnField
        value={limits.endsOn}
        error={faultOf(error, 'expires_in_seconds')}
        onChange={(endsOn) => onChange({ endsOn })}
      />
      <ListField
        label="Models"
        hint="Left empty: all that its project may use."
        placeholder="A model or route"
        values={limits.models}
        suggestions={models.data?.data.map(({ id }) => id) ?? []}
        error={faultOf(error, 'allowed_models')}
        onChange={(each) => onChange({ models: each })}
      />
      <ListField
        label="Addresses that it is used from"
        hint="Left empty: from anywhere."
        placeholder="10.0.0.0/8"
        values={limits.ranges}
        error={faultOf(error, 'ip_ranges')}
        onChange={(each) => onChange({ ranges: each })}
      />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label="Requests a minute"
          type="number"
          min={1}
          placeholder="Default"
          value={limits.requests}
          error={faultOf(error, 'max_requests_per_1_minute')}
          onChange={({ target }) => onChange({ requests: target.value })}
        />
        <TextField
          label="Tokens a minute"
          type="number"
          min={1}
          placeholder="Default"
          value={limits.tokens}
          error={faultOf(error, 'max_tokens_per_1_minute')}
          onChange={({ target }) => onChange({ tokens: target.value })}
        />
        <TextField
          label="Budget in dollars"
          inputMode="decimal"
          placeholder="No limit"
          value={limits.amount}
          error={faultOf(error, 'spend_limit')}
          onChange={({ target }) => onChange({ amount: target.value.trim() })}
        />
        <SelectField
          label="The budget is for"
          choices={INTERVALS}
          value={limits.interval}
          onChange={({ target }) => onChange({ interval: target.value })}
        />
      </div>
      <SelectField
        label="Usage that it reads"
        hint="At most what you may read yourself."
        choices={limits.usage === '' ? [LEFT_TO_THE_GATEWAY, ...USAGE_SCOPES] : USAGE_SCOPES}
        value={limits.usage}
        error={faultOf(error, 'usage')}
        onChange={({ target }) => onChange({ usage: target.value })}
      />
    </>
  );
}
