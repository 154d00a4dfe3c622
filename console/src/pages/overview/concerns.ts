import type { Answer } from '../../api/call.ts';
import { useAllKeys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { useRead, useWhole } from '../../api/use.ts';
import { ago, exact, money, percent } from '../../parts/format.ts';
import { periodOf, timesOf } from '../../parts/period.tsx';
import type { Filters } from '../../shell/address.ts';

/** Something that somebody should look at, and where. */
export type Concern = { id: string; tone: 'bad' | 'warn'; words: string; about: string; to: string; search?: Filters };

const DAY = 86_400;
/** From this part of its amount on a budget or limit is near its end. */
const NEAR_END = 0.8;
const KEY_ENDS_DAYS = 14;
const MODEL_ENDS_DAYS = 60;

/** All that needs attention and that the person may see, the worst first; `null` until all of it is known. */
export function useConcerns(): Concern[] | null {
  const models = useModelConcerns();
  // A session has a few reports at once, and the page's own come first.
  const limits = useLimitConcerns(models !== null);
  const all = [useTargetConcerns(), useBudgetConcerns(), limits, models, useKeyConcerns()];
  const found = all.flatMap((each) => each ?? []);
  if (all.includes(null)) return null;
  return found.sort((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'));
}

function useTargetConcerns(): Concern[] | null {
  const { may } = useSession();
  const { data, isLoading } = useRead('getStatus', {}, { enabled: may('api.settings.read'), every: 30_000 });
  if (data === undefined) return isLoading ? null : [];
  const now = Date.now() / 1000;
  const refusing = data.providers.filter(
    ({ list, refused_credentials: keys }) => list === 'key_refused' || keys.length > 0,
  );
  const unlisted = refusing.map(({ provider }) => provider);
  const isOut = ({ credential_out_until: until }: Target) => until !== null && until > now;
  const refused = new Map(
    data.targets.filter(isOut).map((target) => [`${target.provider} ${target.credential}`, target]),
  );
  return [
    ...refusing.map(({ provider, refused_credentials: keys }) =>
      refusedConcern(provider, keys.length === 0 ? 'It wants a key, and has none.' : `It refused ${keys.join(', ')}.`),
    ),
    ...[...refused.values()]
      .filter(({ provider }) => !unlisted.includes(provider))
      .map(({ provider, credential, last_error }) =>
        refusedConcern(provider, `The credential ${credential}${last_error ? `: ${last_error.message}` : ''}`),
      ),
    ...data.targets.filter(({ circuit }) => circuit !== 'closed').map(circuitConcern),
  ];
}

type Target = Answer<'getStatus'>['targets'][number];

function refusedConcern(provider: string, about: string): Concern {
  return {
    id: `refused ${provider} ${about}`,
    tone: 'bad',
    words: `${provider} refuses its key.`,
    about,
    ...ofProvider(provider),
  };
}

function circuitConcern({ provider, model, credential, circuit, last_error }: Target): Concern {
  return {
    id: `circuit ${provider} ${model} ${credential}`,
    tone: circuit === 'open' ? 'bad' : 'warn',
    words:
      circuit === 'open' ? `${model} of ${provider} gets no calls.` : `${model} of ${provider} is being tried again.`,
    about: last_error ? `It failed ${ago(last_error.at)}: ${last_error.message}` : 'It failed too often.',
    ...ofProvider(provider),
  };
}

const ofProvider = (provider: string) => ({ to: '/providers', search: { open: provider } });

function useBudgetConcerns(): Concern[] | null {
  const { may } = useSession();
  const budgets = useWhole('listBudgets', {}, { enabled: may('api.budgets.read') });
  if (budgets.isLoading) return null;
  return (budgets.items ?? []).flatMap(({ id, name, spent_usd, limit_usd }) => {
    const [spent, limit] = [Number(spent_usd), Number(limit_usd)];
    const part = limit > 0 ? spent / limit : 0;
    if (part < NEAR_END) return [];
    const about = `${money(spent)} of ${money(limit)}`;
    return [usedConcern({ id: `budget ${id}`, name: `The budget ${name}`, part, about, to: '/settings/budgets' })];
  });
}

/** Limits of the organization and its projects: dollars in a month, requests and tokens in a minute. */
function useLimitConcerns(isTime: boolean): Concern[] | null {
  const { may } = useSession();
  const near = useWhole(
    'listLimitUse',
    { query: { least_percent: NEAR_END * 100 } },
    { enabled: isTime && may('api.limits.read') },
  );
  if (!isTime || near.isLoading) return null;
  return (near.items ?? []).map((use) => (use.model === null ? spendConcern(use) : rateConcern(use)));
}

type LimitUse = Answer<'listLimitUse'>['data'][number];

function spendConcern({ id, project, limit, used }: LimitUse): Concern {
  return usedConcern({
    id: `limit ${id}`,
    name: `The monthly limit of ${project === null ? 'the organization' : project.name}`,
    part: limit > 0 ? used / limit : 1,
    about: `${money(used)} of ${money(limit)}`,
    to: '/settings/budgets',
    search: { view: 'limits', open: project?.id },
  });
}

function rateConcern({ id, project, model, measure, limit, used }: LimitUse): Concern {
  return usedConcern({
    id: `limit ${id}`,
    name: `${model}: the ${measure} a minute of ${project?.name}`,
    part: used / limit,
    about: `${exact(used)} of ${exact(limit)} in the busiest of the last minutes; calls beyond are refused.`,
    to: '/settings/projects',
    search: { open: project?.id },
    isMany: true,
  });
}

type Used = Pick<Concern, 'id' | 'about' | 'to' | 'search'> & { name: string; part: number; isMany?: true };

function usedConcern({ name, part, isMany, ...rest }: Used): Concern {
  const are = isMany ? 'are' : 'is';
  const words = part >= 1 ? `${name} ${are} used up.` : `${name} ${are} ${percent(part)} used.`;
  return { ...rest, tone: part >= 1 ? 'bad' : 'warn', words };
}

function useModelConcerns(): Concern[] | null {
  const used = useRead('summarizeUsage', { query: { ...timesOf(periodOf({})), by: 'model', limit: 1000 } });
  const names = new Set(used.data?.data.filter(({ calls }) => calls > 0).map(({ model }) => model));
  const catalog = useRead('listCatalog', {}, { enabled: names.size > 0 });
  if (used.isLoading || catalog.isLoading) return null;
  const now = Date.now() / 1000;
  return (catalog.data?.data ?? []).flatMap(({ id, shut_down_at }): Concern[] => {
    if (shut_down_at === null || !names.has(id)) return [];
    const at = Date.parse(shut_down_at) / 1000;
    if (at > now + MODEL_ENDS_DAYS * DAY) return [];
    const isOver = at <= now;
    return [
      {
        id: `model ${id}`,
        tone: isOver ? 'bad' : 'warn',
        words: `${id} ${isOver ? 'was' : 'is'} shut down by its vendor ${ago(at)}.`,
        about: `On ${shut_down_at.slice(0, 10)}; it was called in the last 30 days.`,
        to: '/models',
        search: { open: id },
      },
    ];
  });
}

function useKeyConcerns(): Concern[] | null {
  const { may } = useSession();
  const keys = useAllKeys({ enabled: may('api.keys.read') });
  if (keys.isLoading) return null;
  const now = Date.now() / 1000;
  return (keys.items ?? []).flatMap(({ id, name, status, expires_at }): Concern[] => {
    if (status !== 'active' || expires_at === null || expires_at <= now || expires_at > now + KEY_ENDS_DAYS * DAY)
      return [];
    const about = 'Calls with it are refused from then on.';
    const words = `The key ${name} ends ${ago(expires_at)}.`;
    return [{ id: `key ${id}`, tone: 'warn', words, about, to: '/settings/keys', search: { open: id } }];
  });
}
