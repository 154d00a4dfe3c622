import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/use.ts';
import { ago, exact, money } from '../../parts/format.ts';
import type { Filters } from '../../shell/address.ts';

/** Something that somebody should look at, and where it is mended. */
export type Concern = {
  id: string;
  tone: 'bad' | 'warn';
  words: string;
  about: string;
  to: string;
  search?: Filters;
};

type Item = Answer<'listAttention'>['data'][number];

/** The list is asked for again so often while the page is looked at, in ms. */
const EVERY = 60_000;

/** What needs attention, the worst first; `items` is `null` until it is known. */
export function useConcerns() {
  const { organization } = useSession();
  const { items, ...list } = useList('listAttention', {}, { every: EVERY, enabled: organization !== null });
  return { ...list, items: items?.map((item) => ({ ...concernOf(item), ...placeOf(item) })) ?? null };
}

/** What it is, in the gateway's words; amounts and times are written here, as the reader wants them. */
function concernOf(item: Item): Omit<Concern, 'to' | 'search'> {
  const { id, severity, sentence: words } = item;
  return { id, tone: severity === 'critical' ? 'bad' : 'warn', words, about: aboutOf(item) };
}

function aboutOf({ kind, credentials, routes, last_error: error, used, limit, refused_at, at }: Item): string {
  const failed = error === null ? '' : ` It failed ${ago(error.at)}: ${error.message}`;
  switch (kind) {
    case 'credential_refused':
      return `${credentials.length === 0 ? '' : `Refused: ${credentials.join(', ')}.`}${failed}`.trim();
    case 'circuit':
      return failed.trim();
    case 'budget':
    case 'spend_limit': {
      const refused = refused_at === null ? '' : `; a call was refused ${ago(refused_at)}`;
      return `${money(used ?? 0)} of ${money(limit ?? 0)}${refused}`;
    }
    case 'rate_limit':
      return `${exact(used ?? 0)} of ${exact(limit ?? 0)} in the busiest of the last minutes; calls beyond are refused.`;
    case 'outgoing_rate':
      return refused_at === null ? '' : `A call passed it over ${ago(refused_at)}.`;
    case 'model_shutdown':
      return routes.length === 0 ? 'It was called in the last 30 days.' : `These lead there: ${routes.join(', ')}.`;
    case 'unpriced_targets':
      return '';
    case 'api_key_expiry':
    case 'admin_api_key_expiry':
      return `It ends ${ago(at ?? 0)}: calls with it are refused from then on.`;
    case 'api_key_usage':
      return 'Set the usage that each reads.';
    default:
      return kind satisfies never;
  }
}

/** Where it is mended. */
function placeOf({ kind, subject, project }: Item): Pick<Concern, 'to' | 'search'> {
  switch (kind) {
    case 'credential_refused':
    case 'circuit':
    case 'outgoing_rate':
      return { to: '/providers', search: { open: subject.id } };
    case 'budget':
      return { to: '/settings/budgets', search: { open: subject.id } };
    case 'spend_limit':
      return { to: '/settings/budgets', search: { view: 'limits', open: project?.id } };
    case 'rate_limit':
      return { to: '/settings/projects', search: { open: project?.id } };
    case 'model_shutdown':
      return { to: '/models', search: { open: subject.id } };
    case 'unpriced_targets':
      return { to: '/routes', search: { open: subject.id } };
    case 'api_key_expiry':
      return { to: '/settings/keys', search: { open: subject.id } };
    case 'admin_api_key_expiry':
      return { to: '/settings/admin-keys', search: { open: subject.id } };
    case 'api_key_usage':
      return { to: '/settings/keys' };
    default:
      return kind satisfies never;
  }
}
