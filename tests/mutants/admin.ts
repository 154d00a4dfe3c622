import { inFile, type Mutant } from './mutant.ts';

const ROLES = [
  'organization/roles/service.test.ts',
  'organization/invites/service.test.ts',
  'organization/members/service.test.ts',
];

/** The lines where it is decided what people may, what ends with them, and what limits and prices are set. */
export const ADMIN_MUTANTS: readonly Mutant[] = [
  ...inFile(
    'organization/members/service.ts',
    ['organization/members/service.test.ts'],
    [
      ['the last owner can leave', '    changes.push(unchanged(await anotherOwner(admin, id)));\n', ''],
      ['an owner is another beside themselves', '(member) => member.id !== id', '() => true'],
      ['keys outlive who had them', "    { revokeKeys: { of: 'owner', id, at: clock.now() } },\n", ''],
      ['who is removed from one organization is signed out of all', ', organizationId: by.organizationId } }', ' } }'],
    ],
  ),
  ...inFile(
    'organization/invites/service.ts',
    ['organization/invites/service.test.ts', 'organization/invites/senders.test.ts'],
    [
      [
        'an invite is accepted of who has just lost their rights',
        'accept({ ...parts, settings }, token',
        'accept(parts, token',
      ],
      ['an invite is accepted by anybody', 'if (email !== person.email) throw', 'if (false) throw'],
      [
        'whoever knows an invite’s id may accept it',
        'const isRight = timingSafeEqual(',
        'const isRight = true || timingSafeEqual(',
      ],
      ['an invite is into a project that was archived', 'project.value.archivedAt === null', 'true'],
    ],
  ),
  ...inFile(
    'organization/grants.ts',
    ['organization/grants.test.ts', 'organization/invites/senders.test.ts', 'organization/invites/service.test.ts'],
    [
      ['whoever is no owner changes what they like', 'if (isOwner(by)) return;', 'return;'],
      ['anybody makes owners', "if (grant === 'owner') demandOwner(by);", "if (grant === 'owner') return;"],
      ['anybody archives a project with any key', 'demandMayManageKey(by, grant.key)', 'undefined'],
      ['whoever manages groups ends the keys of others', 'yield* keysByGroup(at, change.revokeKeysByGroup);', ''],
      ['a key that stays needs a permission', ' && !isElsewhereIn(owner.id)', ''],
      ['a role is taken over that has more than its editor', "before !== null && before.kind !== 'invite'", 'false'],
      ['a role gets what its editor does not have', '    yield* grantsIn(at, change.put);\n', ''],
      ['anybody withdraws an invite', 'before !== null && (', 'false && ('],
      ['roles go with a place, whatever they hold', "'removeAll' in change && ", 'false && '],
      ['a member goes with a place of more', "kind !== 'project_member' && ", ''],
      ['a member goes with a group of more', " && kind !== 'group_member'", ''],
      ['a place in a project gives and takes nothing', "if (kind === 'project_member')", 'if (false)'],
      ['a group gives and takes nothing', "if (kind === 'group_member')", 'if (false)'],
      ['a role is given and taken by anybody', "if (kind === 'role_assignment')", 'if (false)'],
      ['a group has nothing in its projects', '[holder.projectId, ...projects.map(', '[holder.projectId, ...[].map('],
      ['owners are invited by anybody', "  if (role === 'owner') yield 'owner';\n", ''],
      ['whoever may not be in a project invites into it', 'yield grantInProject(roleThere, id);', 'continue;'],
      ['an invite is open one moment longer', 'expiresAt <= at.clock.now()', 'expiresAt < at.clock.now()'],
      ['an invite is accepted twice', 'if (acceptedAt !== null || ', 'if ('],
      ['an invite outlives the right to send it', "    demandPermission(by, 'api.members.write');\n", ''],
      [
        'an invite outlives the right to what it gives',
        '    await demandMayChange({ ...at, by }, [{ put: invite }]);\n',
        '',
      ],
      ['an invite outlives a person’s key that sent it', 'keyId === undefined && isPerson', 'isPerson'],
      ['an invite outlives the key that sent it', 'revokedAt !== null || ', ''],
      ['an invite outlives the key that is off', 'disabledAt !== null || ', ''],
      ['an invite outlives the time of its key', 'expiresAt <= now', 'false'],
    ],
  ),
  ...inFile('organization/permissions.ts', ROLES, [
    [
      'what somebody may in one project they may in another',
      'project !== undefined && project.id === projectId ?',
      'project !== undefined ?',
    ],
    ['anybody gives what they do not have', 'if (missing === undefined) return;', 'return;'],
    ['whoever may anything is an owner', 'PERMISSIONS.every(', 'PERMISSIONS.some('],
    ['a role in a project is not there where all projects are looked at', '...(given.get(id) ?? [])', ''],
    [
      'a role that was given in one project holds in another',
      'const projectId = projects.get(parentId!)!;',
      'const projectId = ids[0]!;',
    ],
  ]),
  ...inFile(
    'organization/permissions.ts',
    ['organization/permissions.test.ts'],
    [
      ['a key reads another project', 'project?.id === projectId && project?.permissions', 'project?.permissions'],
      ['who reads a project reads all', "? 'project' : 'own';", "? 'organization' : 'own';"],
      [
        'a key is given more usage than its maker reads',
        'if (narrowerScope(reach, wanted) === wanted) return;',
        'return;',
      ],
      [
        'whoever reads a project gives its usage unasked',
        "=== 'organization' ? 'organization' : 'own';",
        "=== 'own' ? 'own' : 'organization';",
      ],
      ['a key that administers reads all usage', "if (usage === 'organization') return by;", 'return by;'],
      [
        'a key that reads a project reads every one',
        "usage === 'project' && project.id === projectId",
        "usage === 'project'",
      ],
      ['a key that calls models administers', "if (key.access !== 'administration' && !key.admin) {", 'if (false) {'],
      ['a person’s key may all', 'if (userId !== null)\n', 'if (false && userId !== null)\n'],
    ],
  ),
  ...inFile(
    'api/usage-scope.ts',
    ['api/usage-scope.test.ts'],
    [
      ['every key reads all usage', "if (usage === 'organization') return asked;", 'return asked;'],
      ['a key reads the project of another', '{ ...asked, projectId }', 'asked'],
      ['a key reads the calls of any that it asks for', 'wanted === undefined || wanted === id', 'true'],
      ['a key without a project reads all', ' && projectId !== null)', ')'],
    ],
  ),
  ...inFile(
    'core/records.ts',
    ['organization/permissions.test.ts'],
    [['the wider scope holds', 'USAGE_SCOPES.indexOf(one) > ', 'USAGE_SCOPES.indexOf(one) < ']],
  ),
  ...inFile('organization/roles/service.ts', ROLES, [
    ['a role that goes stays given', "{ removeEvery: { kind: 'role_assignment', id: role.id } }", ''],
  ]),
  ...inFile('organization/roles/assignments.ts', ROLES, [
    ['an owner is made by a role', 'if (roleId === OWNER_ROLE) {', 'if (false) {'],
  ]),
  ...inFile('organization/projects/people.ts', ROLES, [
    [
      'keys in a project outlive a place there',
      '    { revokeKeysOfAbsent: { userId, projectId, at: admin.clock.now() } },\n',
      '',
    ],
  ]),
  ...inFile(
    'organization/api-keys/service.ts',
    ['organization/api-keys/service.test.ts'],
    [
      [
        'anybody makes keys for others',
        "  demandMayManageKey(admin.by, { owner, product, admin: isAdmin, access: 'models' }, param);\n",
        '',
      ],
      [
        'anybody changes the keys of others',
        '  demandMayManageKey(admin.by, key);\n  const changes',
        '  const changes',
      ],
      ['anybody has the secret of another’s key', '  demandMayManageKey(admin.by, key);\n  const now', '  const now'],
      ['anybody ends the keys of others', '  demandMayManageKey(admin.by, key);\n  await change', '  await change'],
      [
        'a key is nobody’s where nobody is named',
        'named === undefined ? personAtWork(admin.by) : named',
        'named ?? null',
      ],
      ['a key of another project is found', ' || key.projectId !== projectId', ''],
      ['a key is made for who leaves meanwhile', '[adding(admin, next), ...there]', '[adding(admin, next)]'],
      ['an admin key is nobody’s', 'owner: personAtWork(admin.by)', 'owner: null'],
    ],
  ),
  ...inFile(
    'organization/api-keys/owners.ts',
    ['organization/api-keys/service.test.ts'],
    [
      [
        'another person’s key is one’s own',
        "key.owner?.type === 'user' && key.owner.id === userIdOf(by.actor)",
        "key.owner?.type === 'user'",
      ],
      ['a key that administers is anybody’s', 'if (isOwner(by)) return;', 'return;'],
      ['a product’s key is anybody’s', "if (permissions.has('api.products.write')) return;", 'return;'],
      [
        'who is in a project manages the keys of programs',
        "isOwn || permissions.has('api.members.write') || ",
        'true || ',
      ],
    ],
  ),
  ...inFile(
    'organization/service-accounts/service.ts',
    ['organization/api-keys/service.test.ts'],
    [
      [
        'a member makes a service account with a key',
        "  if (first !== null) demandMayManageKey(admin.by, first.key, 'create_service_account_only');\n",
        '',
      ],
      [
        'a member ends the keys of a service account',
        '  demandMayManageKey(admin.by, keysOf(account));\n  const at',
        '  const at',
      ],
      [
        'a member makes a key for a service account',
        '  demandMayManageKey(admin.by, keysOf(account));\n  const next',
        '  const next',
      ],
    ],
  ),
  ...inFile(
    'organization/budgets/service.ts',
    ['organization/budgets/service.test.ts'],
    [
      ['a budget may be nothing', 'if (amount <= 0n)', 'if (amount < 0n)'],
      [
        'overrides pass the most that a budget may be',
        'if (whole > MAX_LIMIT_AMOUNT)',
        'if (amount > MAX_LIMIT_AMOUNT)',
      ],
      [
        'a budget for certain models begins with what others cost',
        'value.models === null && value.instead === null',
        'value.instead === null',
      ],
      ['a budget that is deleted holds', "    { removeEvery: { kind: 'budget_holder', id } },\n", ''],
      ['an override takes the place of another', '[...wantedOf(value).overrides, more]', '[more]'],
      ['a key that is revoked holds a budget', ' && key.revokedAt === null', ''],
    ],
  ),
  ...inFile(
    'organization/alerts/service.ts',
    ['organization/alerts/service.test.ts'],
    [['a limit of one project is that of all', 'id: LIMIT_ID, parentId: owner, value', 'id: LIMIT_ID, value']],
  ),
  ...inFile(
    'organization/prices/service.ts',
    ['organization/prices/service.test.ts'],
    [
      ['a price begins in the past', 'if (from < now - PAST_MS) throw', 'if (false) throw'],
      ['a price that has begun is changed', 'before.from <= admin.clock.now() || ', ''],
      ['a price that was replaced is ended', ' && inForce?.id !== id', ' && false'],
      ['a price of the file is set beside', 'if (ofFile !== undefined) throw', 'if (false) throw'],
    ],
  ),
  ...inFile(
    'organization/prices/in-force.ts',
    ['organization/prices/in-force.test.ts'],
    [
      ['a price begins a moment late', 'from > now ||', 'from >= now ||'],
      ['a price bills that ended as it began', 'endedAt <= from', 'endedAt < from'],
      ['of two prices of one moment the first bills', 'each.id > before.id', 'each.id < before.id'],
      ['a price ends a moment late', 'value.endedAt <= now', 'value.endedAt < now'],
    ],
  ),
  ...inFile(
    'organization/products/service.ts',
    ['organization/products/service.test.ts'],
    [
      ['keys of a product of the file go with what it hides', '...(isHidden ? [] : [revoked])', 'revoked'],
      ['keys outlive their product', '...(isHidden ? [] : [revoked])', ''],
      ['a key of another product is renewed', 'key?.product !== product || ', 'key === null || '],
      ['the limit of a product may be nothing', 'if (amount <= 0n)', 'if (amount < 0n)'],
    ],
  ),
  ...inFile(
    'organization/webhooks/sender.ts',
    ['organization/webhooks/sender.test.ts'],
    [
      ['a receiver that never answers takes all lanes', ' && toEndpoint < LANES_TO_ENDPOINT', ''],
      ['an organization takes all lanes', 'ofOrganization < LANES_OF_ORGANIZATION && ', ''],
      ['a lane that has ended keeps its place', '.finally(() => this.#lanes.delete(lane))', ''],
      ['a lane goes on for as long as something is due', ' || clock.monotonic() >= endsAt', ''],
      [
        'what is under way as it stops is followed by more',
        'this.#isStopped || clock.monotonic()',
        'clock.monotonic()',
      ],
      ['those that are due at all times come first', 'last(one) - last(other)', '0'],
      ['what was delivered is sent again', 'const pause = isDelivered ? undefined : RETRY', 'const pause = RETRY'],
    ],
  ),
  ...inFile(
    'store/webhooks.ts',
    ['store/webhooks.contract.test.ts'],
    [
      ['what one has taken another takes too', '.set({ next_at: until })', '.set({ next_at: now })'],
      ['what is not due yet is sent', 'where due_at <= ', 'where 0 <= '],
      ['what is still to be tried is forgotten', ".where('next_at', 'is', null)", ''],
    ],
  ),
  ...inFile(
    'core/special-networks.ts',
    ['core/special-networks.test.ts'],
    [
      ['Teredo is public', "['2001::/23', ", "['2001:1::/32', "],
      ['6to4 is public', "['2002::/16', 'addresses of IPv4 (6to4)'],", ''],
      ['what nobody has given out is public', '!isInNetwork(address, GLOBAL_UNICAST)', 'false'],
    ],
  ),
  ...inFile(
    'core/address-redaction.ts',
    ['core/address-redaction.test.ts'],
    [['a password in an address is shown', 'at === -1 ? authority : ', 'true ? authority : ']],
  ),
  ...inFile(
    'cli/organization/budgets.ts',
    ['cli/organization/budgets.test.ts'],
    [
      ['one of two overrides at once is lost', ', if_version: version }', ' }'],
      ['overrides that have ended are added again', 'end * 1000 > now', 'true'],
    ],
  ),
  ...inFile(
    'http/operator-socket.ts',
    ['http/operator-socket.test.ts'],
    [['an organization without a name is the first', "typeof organization === 'string' ?", 'organization ?']],
  ),
  ...inFile(
    'runtime/operator-workers.ts',
    ['runtime/operator-workers.test.ts'],
    [['a change is asked of every worker', ' || mayChange(asked)', '']],
  ),
];
