import type { Command } from './command.ts';

/** All commands by name, in the order of help. Each is loaded only when it is used, which keeps commands fast. */
const LOADED: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  'keys create': async () => (await import('./keys/create.ts')).keysCreate,
  'keys list': async () => (await import('./keys/list.ts')).keysList,
  'keys edit': async () => (await import('./keys/edit.ts')).keysEdit,
  'keys rotate': async () => (await import('./keys/rotate.ts')).keysRotate,
  'keys revoke': async () => (await import('./keys/revoke.ts')).keysRevoke,
  'owner-link': async () => (await import('./organization/owner-link.ts')).ownerLink,
  connect: async () => (await import('./connect/connect.ts')).connect,
  'projects list': async () => (await import('./organization/projects.ts')).projectsList,
  'projects create': async () => (await import('./organization/projects.ts')).projectsCreate,
  'projects rename': async () => (await import('./organization/projects.ts')).projectsRename,
  'projects archive': async () => (await import('./organization/projects.ts')).projectsArchive,
  'members list': async () => (await import('./organization/members.ts')).membersList,
  'members edit': async () => (await import('./organization/members.ts')).membersEdit,
  'members remove': async () => (await import('./organization/members.ts')).membersRemove,
  'sessions list': async () => (await import('./organization/sessions.ts')).sessionsList,
  'sessions end': async () => (await import('./organization/sessions.ts')).sessionsEnd,
  'invites list': async () => (await import('./organization/invites.ts')).invitesList,
  'invites create': async () => (await import('./organization/invites.ts')).invitesCreate,
  'invites revoke': async () => (await import('./organization/invites.ts')).invitesRevoke,
  'budgets list': async () => (await import('./organization/budgets.ts')).budgetsList,
  'budgets set': async () => (await import('./organization/budgets.ts')).budgetsSet,
  'budgets remove': async () => (await import('./organization/budgets.ts')).budgetsRemove,
  'budgets override': async () => (await import('./organization/budgets.ts')).budgetsOverride,
  'products list': async () => (await import('./organization/products.ts')).productsList,
  'products create': async () => (await import('./organization/products.ts')).productsCreate,
  'products edit': async () => (await import('./organization/products.ts')).productsEdit,
  'products rotate': async () => (await import('./organization/products.ts')).productsRotate,
  'products delete': async () => (await import('./organization/products.ts')).productsDelete,
  'prices list': async () => (await import('./organization/prices.ts')).pricesList,
  'prices set': async () => (await import('./organization/prices.ts')).pricesSet,
  'prices remove': async () => (await import('./organization/prices.ts')).pricesRemove,
  'aliases list': async () => (await import('./organization/aliases.ts')).aliasesList,
  'aliases set': async () => (await import('./organization/aliases.ts')).aliasesSet,
  'aliases remove': async () => (await import('./organization/aliases.ts')).aliasesRemove,
  'admin-keys create': async () => (await import('./organization/admin-keys.ts')).adminKeysCreate,
  'admin-keys list': async () => (await import('./organization/admin-keys.ts')).adminKeysList,
  'admin-keys revoke': async () => (await import('./organization/admin-keys.ts')).adminKeysRevoke,
  'audit list': async () => (await import('./organization/audit.ts')).auditList,
  'audit verify': async () => (await import('./organization/audit.ts')).auditVerify,
  'providers list': async () => (await import('./organization/providers.ts')).providersList,
  'providers add': async () => (await import('./organization/providers.ts')).providersAdd,
  'providers test': async () => (await import('./organization/providers.ts')).providersTest,
  'providers remove': async () => (await import('./organization/providers.ts')).providersRemove,
  'providers rewrap': async () => (await import('./organization/providers.ts')).providersRewrap,
  'provider-keys add': async () => (await import('./organization/provider-keys.ts')).providerKeysAdd,
  'provider-keys edit': async () => (await import('./organization/provider-keys.ts')).providerKeysEdit,
  'provider-keys remove': async () => (await import('./organization/provider-keys.ts')).providerKeysRemove,
  'catalog list': async () => (await import('./catalog/list.ts')).catalogList,
  'catalog import': async () => (await import('./catalog/import.ts')).catalogImport,
  'routes list': async () => (await import('./routes/list.ts')).routesList,
  'routes show': async () => (await import('./routes/show.ts')).routesShow,
  'routes put': async () => (await import('./routes/change.ts')).routesPut,
  'routes remove': async () => (await import('./routes/change.ts')).routesRemove,
  'routes explain': async () => (await import('./routes/explain.ts')).routesExplain,
  'routes replay': async () => (await import('./routes/replay.ts')).routesReplay,
  'routes train': async () => (await import('./routes/train.ts')).routesTrain,
  'routes versions': async () => (await import('./routes/versions.ts')).routesVersions,
  'routes diff': async () => (await import('./routes/versions.ts')).routesDiff,
  'routes canary': async () => (await import('./routes/versions.ts')).routesCanary,
  'routes promote': async () => (await import('./routes/versions.ts')).routesPromote,
  'routes rollback': async () => (await import('./routes/versions.ts')).routesRollback,
  'usage list': async () => (await import('./usage/list.ts')).usageList,
  'usage show': async () => (await import('./usage/show.ts')).usageShow,
  'usage summary': async () => (await import('./usage/summary.ts')).usageSummary,
  status: async () => (await import('./status.ts')).status,
  'config check': async () => (await import('./config-check.ts')).configCheck,
  doctor: async () => (await import('./doctor/doctor.ts')).doctor,
};

/** All commands, in the order of help. */
export function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(LOADED).map((load) => load()));
}

/** The commands that these arguments may mean: the one they begin with, none for the version alone, else all. */
export async function commandsFor(argv: readonly string[]): Promise<readonly Command[]> {
  if (asksVersion(argv)) return [];
  const [first = SERVE, second = ''] = argv;
  const name = [`${first} ${second}`, first].find((each) => Object.hasOwn(LOADED, each));
  return name === undefined ? allCommands() : [await LOADED[name]!()];
}

/** Without arguments it serves. */
const SERVE = 'serve';

const VERSION: ReadonlySet<string> = new Set(['--version', '-v']);

function asksVersion(argv: readonly string[]): boolean {
  return argv.some((each) => VERSION.has(each)) && argv.every((each) => VERSION.has(each) || each === '--json');
}
