import { inFile, type Mutant } from './mutant.ts';

const STORE = [
  'store/journal/ledger.test.ts',
  'store/journaled-storage.test.ts',
  'store/sqlite/take-over.test.ts',
  'store/lists.contract.test.ts',
];

/** The lines where the ledger is kept, and brought into the tables. */
export const STORE_MUTANTS: readonly Mutant[] = [
  ...inFile('store/sqlite/take-over.ts', STORE, [
    [
      'a routed call’s price version is lost',
      'if (routed === null || routed.price === null) return priceVersion;',
      'if (routed === null || routed.price === null) return null;',
    ],
    ['a group is taken over twice', 'group.end > position ? group.records : []', 'group.records'],
    ['how far was taken over is not noted', 'setPosition.run(file, groups.at(-1)!.end);', ''],
    ['what was not acknowledged is taken over', ', end ?? Number.MAX_SAFE_INTEGER)', ')'],
  ]),
  ...inFile('store/journal/steps.ts', STORE, [
    ['a call is settled by another’s end', 'step.intent.intent.id === id', 'step.intent.intent.id !== id'],
    [
      'the end of a call of another batch is lost',
      'if (at < 0) steps.push({ intent: null, settlement: record });\n    else',
      'if (at >= 0)',
    ],
  ]),
  ...inFile('store/journal/ledger.ts', STORE, [
    ['a call may be opened twice', 'if (open.has(intent.id)) {', 'if (false) {'],
    ['what waits to be taken over has no bound', 'queuedRecords + backlogRecords >= maxQueuedWrites', 'false'],
    ['a refused settlement cannot be handed in again', '      open.add(id);\n', ''],
    [
      'a call is let in before a refused settlement is written',
      '      const first = writeLate();',
      '      const first = undefined as Promise<void> | undefined;',
    ],
    ['a refused settlement is not written later', '      late.set(id, settled[at]!);\n', ''],
  ]),
  ...inFile(
    'store/sqlite/threaded-storage.ts',
    ['store/threaded-storage.test.ts'],
    [
      [
        'a worker gives its account back while the journal lacks what was spent',
        'if (ledger.hasLate) throw',
        'if (false) throw',
      ],
      [
        'money is given to other workers while the journal lacks what was spent',
        '    try {\n      demandSettled();',
        '    try {',
      ],
    ],
  ),
  ...inFile(
    'store/journal/record-json.ts',
    [...STORE, 'store/calls.contract.test.ts'],
    [
      ['names are kept with what a database refuses', "json.includes('\\\\u') ?", 'false ?'],
      ['a record has the text of the one before', 'commonTexts[name] = text;\n  return text;', 'return known;'],
    ],
  ),
  ...inFile(
    'store/settings.ts',
    ['store/settings.contract.test.ts'],
    [
      [
        'a setting of another kind that has the same id is taken for the one that a change builds on',
        "      .set({ version })\n      .where('organization_id', '=', organizationId)\n      .where('kind', '=', kind)",
        "      .set({ version })\n      .where('organization_id', '=', organizationId)",
      ],
    ],
  ),
  ...inFile(
    'store/found-again.ts',
    ['organization/invites/senders.test.ts'],
    [['what was decided by settings or keys that have changed since is done', "'one')).where(holds)", "'one'))"]],
  ),
  ...inFile(
    'store/usage-groups.ts',
    ['store/sqlite/usage-days.test.ts'],
    [
      ['calls of another key are added up with the last', 'one.keyId === other.keyId &&', ''],
      ['calls of another model are added up with the last', 'one.model === other.model &&', ''],
      [
        'calls of another provider are added up with the last',
        'one.route === other.route &&\n    one.provider === other.provider',
        'one.route === other.route',
      ],
    ],
  ),
  ...inFile(
    'store/sqlite/usage-days.ts',
    ['store/sqlite/usage-days.test.ts'],
    [
      ['calls of another day are added up with the last', 'last.day === day && ', ''],
      ['calls that failed are added up with the last', 'last.status === status && ', ''],
    ],
  ),
  ...inFile('store/grouped-calls.ts', STORE, [
    ['a group’s newest call is left out', "end: head.newest }, '<=')", 'end: head.newest })'],
    ['groups are not merged by their newest', 'group.ids[group.at]! > best', 'group.ids[group.at]! < best'],
    ['a list ends where a part of a group does', 'best.ids.length < IDS_PER_READ ? null', 'true ? null'],
  ]),
  ...inFile(
    'store/settings-in-force.ts',
    ['store/settings.contract.test.ts'],
    [['whoever makes a key for others spends past their budgets', '[owner, createdBy].flatMap(', '[owner].flatMap(']],
  ),
  ...inFile(
    'store/keys.ts',
    ['store/keys.contract.test.ts'],
    [
      [
        'a secret that ended at once comes back with a clock that is set back',
        'earlierUntil <= at ? 0n : BigInt(earlierUntil)',
        'BigInt(earlierUntil)',
      ],
      [
        'a secret that was replaced is accepted for ever',
        'callerOf(db, earlier, Number(earlier.ends_at))',
        'callerOf(db, earlier, null)',
      ],
      ['a secret that was replaced outlives its key', 'Math.min(until, key.expiresAt ?? until)', 'until'],
      ['who has made a key is forgotten', 'maker_type: key.createdBy?.type ?? null', 'maker_type: null'],
      [
        'rotations at once leave more secrets than may go on',
        "key.where(earlierSecretsOf(db, id, at), '<', BigInt(most))",
        'key',
      ],
      [
        'a key is changed over what somebody else has changed',
        "version === undefined ? changed : changed.where('version', '=', BigInt(version))",
        'changed',
      ],
    ],
  ),
  ...inFile(
    'store/absent-owners.ts',
    ['organization/groups/service.test.ts', 'store/keys.contract.test.ts'],
    [
      [
        'a key lives on by the group that goes',
        'in_group.parent_id is distinct from $',
        "in_group.parent_id is distinct from '' || $",
      ],
    ],
  ),
  ...inFile(
    'store/people.ts',
    ['organization/sign-in/sessions.test.ts'],
    [
      ['all sessions end in place of one', "if (sessionId !== undefined) rows = rows.where('id', '=', sessionId);", ''],
      [
        'all sessions end in place of a member’s',
        "if (userId !== undefined) members = members.where('id', '=', userId);",
        '',
      ],
    ],
  ),
  ...inFile(
    'store/listed.ts',
    ['organization/members/service.test.ts', 'organization/invites/service.test.ts', 'store/listed.test.ts'],
    [
      ['an invite that was accepted goes with who sent it', '    .where(IS_UNACCEPTED)\n    .orderBy', '    .orderBy'],
      ['the invites of all go with one who leaves', "    .where(INVITED_BY, '=', senderId)\n", ''],
    ],
  ),
  ...inFile(
    'store/sqlite/search.ts',
    ['store/sqlite/search.test.ts'],
    [
      ['keys of other projects are found', 'const isAsked = only === null ?', 'const isAsked = only !== undefined ?'],
      ['keys of archived projects are found', "(json_extract(value, '$.archivedAt') is null) = 1 and ", ''],
    ],
  ),
  ...inFile(
    'store/people.ts',
    ['store/people.contract.test.ts'],
    [
      ['a person has one passkey more than they may', "eb(own, '<', eb.lit(most))", "eb(own, '<=', eb.lit(most))"],
      ['the secret before is accepted for ever', ".where('earlier_until', '>', BigInt(at))", ''],
      [
        'who leaves one organization is signed out of all',
        "if (organizationId !== undefined) ended = ended.where('organization_id', '=', organizationId);",
        '',
      ],
      ['a session is renewed twice', ".where('hash', '=', before))]", ')]'],
      [
        'a link is opened behind its end',
        ".where('hash', '=', hash).where('expires_at', '>', BigInt(at)))]",
        ".where('hash', '=', hash))]",
      ],
      [
        'a passkey is removed by anybody',
        "deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId)",
        "deleteFrom('passkeys').where('id', '=', id)",
      ],
    ],
  ),
  ...inFile(
    'store/told-thresholds.ts',
    ['store/told-thresholds.test.ts'],
    [
      ['of many ids some are left out', 'from += IDS_AT_ONCE', 'from += IDS_AT_ONCE + 1'],
      ['what was told of a life is forgotten', "      .where('period', '<>', 'life')\n", ''],
      [
        'the first day of a period is left out',
        ".groupBy('key_id');\n  if (sinceDay !== null) query = query.where('utc_day', '>=', sinceDay);",
        ".groupBy('key_id');\n  if (sinceDay !== null) query = query.where('utc_day', '>', sinceDay);",
      ],
      [
        'groups have spent what they did before',
        '.groupBy(column);\n  if (sinceDay !== null) query',
        '.groupBy(column);\n  if (false) query',
      ],
    ],
  ),
  ...inFile(
    'store/retention.ts',
    ['store/retention.test.ts'],
    [
      ['what is kept for ever is deleted', 'keep === null ? 0 : await', 'await'],
      ['refused calls without a key stay as long as others', 'Math.min(keepRefused, KEYLESS_MS)', 'keepRefused'],
      ['a clock that is set back a little is believed', 'if (ahead < -JUMP_MS)', 'if (ahead < 0)'],
    ],
  ),
  ...inFile('store/call-scan.ts', STORE, [
    ['open calls are in lists', ".where('status', '<>', 'open')\n          .where(filter)", '.where(filter)'],
  ]),
  ...inFile('store/sqlite/call-writer.ts', STORE, [
    ['a settled call is settled again', "if (found.status !== 'open') return;", ''],
  ]),
  ...inFile(
    'store/spent-by-day.ts',
    ['store/*.contract.test.ts', 'store/sqlite/spent-sums.test.ts'],
    [['what is spent is not added up', 'days.set(day, (days.get(day) ?? 0n) + amount);', 'days.set(day, amount);']],
  ),
  ...inFile(
    'store/sqlite/spent-sums.ts',
    ['store/*.contract.test.ts', 'store/sqlite/spent-sums.test.ts'],
    [
      [
        'what is spent takes the place of what was',
        'utc_day, amount_nano) values (?, ?, ?)\n       on conflict do update set amount_nano = amount_nano + excluded.amount_nano',
        'utc_day, amount_nano) values (?, ?, ?)\n       on conflict do update set amount_nano = excluded.amount_nano',
      ],
      ['what a worker spends is not summed for it', 'if (this.#worker !== null)', 'if (false)'],
    ],
  ),
  ...inFile(
    'store/journal/groups.ts',
    ['store/journal/*.test.ts'],
    [['a group that was cut is read', 'if (bytes.toString(', 'if (false && bytes.toString(']],
  ),
  ...inFile(
    'store/sqlite/purge.ts',
    ['store/purge.test.ts'],
    [
      ['a call that is open is deleted', "status !== 'open' && ", ''],
      ['what callers invented stays', '    if (purged > 0) await removeEmptyGroups();\n', ''],
      [
        'sums keep deleted calls',
        'for (const number of [group, ...this.#parentsOf(group)])',
        'for (const number of [group])',
      ],
      ['what callers invented stays in the sums by day', "    ['usage_groups', 'usage_days'],\n", ''],
    ],
  ),
  ...inFile(
    'store/sqlite/purge.ts',
    ['store/sqlite/purge.test.ts'],
    [['a sum of a later column falls below nothing', 'max(0, ', '(']],
  ),
  ...inFile(
    'store/sqlite/usage-days.ts',
    ['store/sqlite/purge.test.ts'],
    [['a group goes on naming parents that are gone', 'parent !== present[place]', 'false']],
  ),
  ...inFile(
    'store/counted-changes.ts',
    ['store/counted-changes.test.ts'],
    [['a raw statement that writes behind a `with` is run uncounted', 'insert|update|delete|', '']],
  ),
];
