/**
 * What may be done in the settings of an organization, and the one table of who may. An operation names the permission that it
 * needs; one that names none that is here is no operation (the type checker says so).
 */
const RESOURCES = [
  'projects',
  'members',
  'groups',
  'roles',
  'keys',
  'admin_keys',
  'service_accounts',
  'budgets',
  'limits',
  'usage',
  'audit_logs',
  'settings',
  'webhooks',
  'providers',
  'routes',
  'products',
  'prices',
  'aliases',
] as const;
type Resource = (typeof RESOURCES)[number];

export type Permission = `api.${Resource}.${'read' | 'write'}`;

/** Every permission there is. */
export const PERMISSIONS: readonly Permission[] = RESOURCES.flatMap(
  (resource) => [`api.${resource}.read`, `api.${resource}.write`] as const,
);

/** A role: permissions under a name. Of a project where it holds in projects only. */
export type OrganizationRole = {
  name: string;
  description: string | null;
  permissions: readonly Permission[];
  resourceType: 'api.organization' | 'api.project';
};

/** What nobody but an owner may change: who administers. */
const OWNERS_ONLY: readonly Permission[] = ['api.admin_keys.read', 'api.admin_keys.write'];

const reads = (resources: readonly Resource[]) => resources.map((each) => `api.${each}.read` as const);
const writes = (resources: readonly Resource[]) => resources.map((each) => `api.${each}.write` as const);

function predefined(
  name: string,
  description: string,
  permissions: readonly Permission[],
  resourceType: OrganizationRole['resourceType'] = 'api.organization',
): OrganizationRole {
  return { name, description, permissions, resourceType };
}

const DEVELOPER: readonly Permission[] = [
  ...reads(['projects', 'members', 'groups', 'keys', 'service_accounts', 'budgets', 'limits', 'usage', 'webhooks']),
  ...reads(['providers', 'products', 'prices', 'aliases']),
  ...writes(['keys', 'service_accounts']),
];
const ADMIN = PERMISSIONS.filter((permission) => !OWNERS_ONLY.includes(permission));

/** The roles that every organization has, by id. They cannot be changed. */
export const PREDEFINED_ROLES: ReadonlyMap<string, OrganizationRole> = new Map([
  ['role_owner', predefined('Owner', 'May do everything.', PERMISSIONS)],
  ['role_admin', predefined('Admin', 'May do everything but make keys of administration.', ADMIN)],
  ['role_developer', predefined('Developer', 'Makes keys and service accounts, and sees usage.', DEVELOPER)],
  [
    'role_billing',
    predefined('Billing', 'Sees usage and costs, and sets budgets.', [
      ...reads(['projects', 'members', 'groups', 'keys', 'service_accounts', 'budgets', 'limits', 'usage', 'settings']),
      ...reads(['products', 'prices']),
      ...writes(['budgets']),
    ]),
  ],
  [
    'role_viewer',
    predefined(
      'Viewer',
      'Sees everything but the audit log and keys of administration.',
      reads(RESOURCES.filter((resource) => resource !== 'audit_logs' && resource !== 'admin_keys')),
    ),
  ],
  ['role_project_owner', predefined('Project owner', 'May do everything in a project.', ADMIN, 'api.project')],
  [
    'role_project_member',
    predefined('Project member', 'Does in a project what a developer may.', DEVELOPER, 'api.project'),
  ],
]);

/** The predefined role of an owner. It is not given as other roles are: it is what a member is. */
export const OWNER_ROLE = 'role_owner';

/** What those in a project have there, by their role in it. */
export const ROLES_IN_PROJECTS = { owner: 'role_project_owner', member: 'role_project_member' } as const;
