/**
 * All permissions on settings of an organization, and the only table of who has them. Each operation names the permission that
 * it needs; the type checker ensures that it is one of these.
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

/** All permissions. */
export const PERMISSIONS: readonly Permission[] = RESOURCES.flatMap(
  (resource) => [`api.${resource}.read`, `api.${resource}.write`] as const,
);

/** A named set of permissions. A project role applies in projects only. */
export type OrganizationRole = {
  name: string;
  description: string | null;
  permissions: readonly Permission[];
  resourceType: 'api.organization' | 'api.project';
};

/** Permissions of owners only: they control who administers. */
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

/** The predefined roles of every organization, by id. They cannot be changed. */
export const PREDEFINED_ROLES: ReadonlyMap<string, OrganizationRole> = new Map([
  ['role_owner', predefined('Owner', 'May do everything.', PERMISSIONS)],
  ['role_admin', predefined('Admin', 'May do everything except create admin keys.', ADMIN)],
  ['role_developer', predefined('Developer', 'Creates keys and service accounts, and sees usage.', DEVELOPER)],
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
      'Sees everything except the audit log and admin keys.',
      reads(RESOURCES.filter((resource) => resource !== 'audit_logs' && resource !== 'admin_keys')),
    ),
  ],
  ['role_project_owner', predefined('Project owner', 'May do everything in a project.', ADMIN, 'api.project')],
  [
    'role_project_member',
    predefined('Project member', 'Has the permissions of a developer in a project.', DEVELOPER, 'api.project'),
  ],
]);

/** The predefined role of owners. It is not assigned like other roles but follows from the membership. */
export const OWNER_ROLE = 'role_owner';

/** The predefined roles of members of a project, by their role in it. */
export const ROLES_IN_PROJECTS = { owner: 'role_project_owner', member: 'role_project_member' } as const;
