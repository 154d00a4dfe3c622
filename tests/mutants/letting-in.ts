import { inFile, type Mutant } from './mutant.ts';

/** The lines where it is decided who is let in over HTTP: by sign-in, by session and by key, and how often. */
export const LETTING_IN_MUTANTS: readonly Mutant[] = [
  ...inFile(
    'organization/sign-in/sessions.ts',
    ['organization/sign-in/sessions.test.ts'],
    [
      ['a session that nobody uses goes on', 'now - session.seenAt > sessionIdle || ', ''],
      [
        'a session goes on for as long as it is used',
        ' || now >= Math.min(session.endsAt, session.signedInAt + sessionLife)',
        '',
      ],
      [
        'a shorter life holds for new sessions alone',
        'Math.min(session.endsAt, session.signedInAt + sessionLife)',
        'session.endsAt',
      ],
      ['a use of a session is not noted', 'if (now - session.seenAt > SEEN_EVERY_MS)', 'if (false)'],
      ['whose rights have changed keeps their secret', 'if (session.mustRenew && !isEarlier)', 'if (false)'],
      [
        'a request may look at any organization',
        'if (!memberships.some(({ organization }) => organization.id === organizationId))\n    throw',
        'if (false)\n    throw',
      ],
      [
        'a session may look at any organization',
        'if (!memberships.some(({ organization }) => organization.id === organizationId)) noSuch',
        'if (false) noSuch',
      ],
      ['a session that has ended is shown', '.filter((session) => !hasEnded(session, now, parts))', ''],
      ['a session of nobody is ended', 'else if (ending.length === 0) noSuch', 'else if (false) noSuch'],
      [
        'a member who is signed in nowhere is nobody',
        "if ('userId' in which) await findMember(admin, which.userId);\n  else if",
        'if',
      ],
    ],
  ),
  ...inFile(
    'organization/sign-in/links.ts',
    ['organization/sign-in/sessions.test.ts'],
    [
      [
        'a link for anybody makes somebody of who has it',
        'if (known !== null && link.email === null && visitor.before?.person.id !== known.id) throw',
        'if (false) throw',
      ],
      ['a link is opened twice', '    { useOwnerLink: { hash, at: now } },\n', ''],
      ['the link before goes on', '{ removeOwnerLinks: { organizationId } }, ', ''],
      ['sessions of before go on', 'return [...password, { endSessions: { userId } }];', 'return password;'],
      [
        'a member who opens it stays a reader',
        "if (member !== null) return changed(member, { role: 'owner' });",
        'if (member !== null) return changed(member, {});',
      ],
    ],
  ),
  ...inFile(
    'organization/sign-in/throttle.ts',
    ['organization/sign-in/throttle.test.ts'],
    [
      ['an attempt is not counted', 'this.#slices[0]![place]! += 1;', ''],
      ['an attempt is forgotten before its window is over', '{ length: SLICES + 1 }', '{ length: SLICES }'],
      ['who proves who they are has others forgotten', 'slice[place]! -= own', 'slice[place] = 0'],
      ['one more attempt than may be', 'if (left < most) {', 'if (left <= most) {'],
    ],
  ),
  ...inFile(
    'organization/sign-in/easy-passwords.ts',
    ['organization/sign-in/easy-passwords.test.ts'],
    [
      [
        'spaces make a password hard',
        'Math.min(MAX_BETWEEN, text.length - joined.length)',
        'text.length - joined.length',
      ],
      ['what is not seen makes a password hard', '\\p{Default_Ignorable_Code_Point}', ''],
    ],
  ),
  ...inFile(
    'http/server.ts',
    ['http/server.test.ts'],
    [
      ['requests of a person are not counted', '  await countPerson(options, request);\n', ''],
      ['a person has a limit for each session', 'rateSubject(person.id,', 'rateSubject(request.id,'],
      [
        'a person has the limit of keys',
        '{ requestsPerMinute, tokensPerMinute: null }',
        '{ requestsPerMinute: null, tokensPerMinute: null }',
      ],
      [
        'what signs somebody in is counted',
        " || request.routeOptions.config.callers === 'visitors') return;",
        ') return;',
      ],
      [
        'requests of a key are not counted',
        'const counting = countRequest(front, caller.key);',
        'const counting = undefined;',
      ],
      [
        'a session that has ended acts with a body that was on its way',
        'browser === null ? undefined : admitSession(site, request, browser)',
        'undefined',
      ],
      [
        'another secret of a session is kept by caches',
        "callers === 'visitors' || callers === 'people') return true",
        'false) return true',
      ],
    ],
  ),
  ...inFile(
    'organization/callers.ts',
    ['organization/callers.test.ts'],
    [
      [
        'a person’s key reads what the person may not',
        "if (key.owner?.type !== 'user') return caller;",
        'return caller;',
      ],
      [
        'a person’s key reads what it was not given',
        'narrowerScope(key.usage, usageReach(by, key.projectId))',
        'usageReach(by, key.projectId)',
      ],
      [
        'a person’s key administers what the person may not',
        '  if (administers) await permitted(',
        '  if (false) await permitted(',
      ],
      [
        'a person reads without the permission',
        '  await permitted({ settings, member, by }, { permission, somewhere });\n',
        '',
      ],
      [
        'a key changes what its person may not',
        '  if (userId !== null)\n    return permitted(',
        '  if (false)\n    return permitted(',
      ],
      [
        'whoever may it somewhere may it everywhere',
        'if (ids.length > 0) return { ...by, onlyProjects: new Set(ids) };',
        'if (ids.length > 0) return by;',
      ],
      ['who may it in some project may it where all is asked', 'if (somewhere && !by', 'if (!by'],
      [
        'whoever reads settings sees what stands behind routes',
        ' && (await isInFirstOrganization({ organizations, by }))',
        '',
      ],
    ],
  ),
  ...inFile(
    'http/answer-headers.ts',
    ['http/answer-headers.test.ts'],
    [['another secret of a session is lost', "headers.push('set-cookie', context.setCookie)", '{}']],
  ),
  ...inFile(
    'surfaces/health.ts',
    ['surfaces/health.test.ts'],
    [
      [
        '/metrics is open to what proxies pass on',
        "if (Object.keys(headers).some((name) => OF_PROXIES.test(name.replaceAll('_', '-')))) return false;",
        '',
      ],
      ['/metrics is open to browsers that were led there', 'return isLoopbackHost(host);', 'return true;'],
    ],
  ),
];
