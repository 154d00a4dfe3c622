import { inFile, type Mutant } from './mutant.ts';

const LEASING = [
  'core/lease-exchange.test.ts',
  'core/closed-account.test.ts',
  'limits/leasing/*.test.ts',
  'limits/budgets.test.ts',
];

/** The lines where it is decided what the workers of one gateway hold of limits. */
export const LEASE_MUTANTS: readonly Mutant[] = [
  ...inFile('core/lease-exchange.ts', LEASING, [
    ['what others hold in another period is held in this one', 'if (lease.period === period) sum.spend', 'sum.spend'],
    ['what others hold counts twice where it was settled', 'settled() - others.spend)', 'settled())'],
    ['what is reported in this moment is not counted', 'return settled() + own + openIn', 'return settled() + openIn'],
    [
      'open calls are forgotten where another period took the place of their sum',
      'open += atLeast(told - (spentSince(sinceDay, throughDay) - before), -unreported);',
      '',
    ],
    ['what was settled of an account counts twice', 'told - (spentSince(sinceDay, throughDay) - before)', 'told'],
    ['an account takes back what it never told', ', -unreported);', ', -(10n ** 18n));'],
    ['open calls of another period count in this one', 'if (lease.period === period) add', 'add'],
    ['what a worker told before is not in its account', 'told: own.told + told,', 'told,'],
    [
      'a new account forgets what the ledger has of its worker',
      'before: ownSpentSince(spend.sinceDay, spend.throughDay)',
      'before: 0n',
    ],
    ['what a call takes is left for another', 'free.spend - wanted.spend,', 'free.spend,'],
    ['what others hold is free', '- others.spend,', ','],
    ['what a worker keeps is given to others', 'atLeast(keeps, ', 'atLeast(0n, '],
    ['a call takes from one limit what another lacks', '{ ...ask, wanted: null }', 'ask'],
    [
      'of several workers a call that names no maximum needs all that it may cost',
      '{ ...wanted, spend: wanted.leastSpend }',
      'wanted',
    ],
    [
      'of several workers only the least of a call that names no maximum is held',
      'spent: spent + wanted.spend }',
      'spent: spent + wanted.leastSpend }',
    ],
    [
      'a worker that knows of no limit forgets what the others hold',
      'spend === null ? (shared?.spend ?? null)',
      'spend === null ? null',
    ],
    ['what a dead worker had told counts beside what it spent', ' - before - told;', ' - before;'],
    ['what a dead worker spent before counts twice', ' - before - told;', ' - told;'],
    ['money that a dead worker told in another period is taken back', 'own.period === spend.period', 'true'],
  ]),
  ...inFile('limits/leasing/share.ts', LEASING, [
    ['what is asked back of a lease is spent meanwhile', 'share.leased = used + keeps;', 'share.leased = used + left;'],
    ['what is used while a report is under way is forgotten', 'share.used -= used;', 'share.used = 0n;'],
    ['what comes back while a report is under way is lost', 'share.back -= share.used;', ''],
  ]),
  ...inFile('limits/leasing/exchange-queue.ts', LEASING, [
    ['an exchange without an answer is not sent again', 'await this.#sendAgain();', 'this.#unanswered = null;'],
    ['what was granted to nobody is kept', 'abandon(apply(answer))', 'apply(answer)'],
    [
      'an exchange that cannot be done is sent again for ever',
      '        this.#unanswered = null;\n        withdraw();',
      '        withdraw();',
    ],
    ['what an exchange asked back is lost where it was not done', '        withdraw();\n', ''],
    ['an exchange that may have been done is forgotten', 'if (error instanceof ExchangeNotDone) {', '{'],
  ]),
  ...inFile(
    'store/sqlite/leases.ts',
    ['store/leases.contract.test.ts'],
    [
      [
        'of an exchange that was undone nobody knows it',
        'inTransaction(() => exchange(asked)), exchangeNotDone)',
        'inTransaction(() => exchange(asked)))',
      ],
      [
        'an exchange that is sent again takes again',
        'if (last.number === BigInt(number)) return deserialize(last.answer) as LeaseAnswer;',
        'if (false) return deserialize(last.answer) as LeaseAnswer;',
      ],
      ['an exchange that another has followed is done', 'last.number >= number', 'last.number === BigInt(number)'],
    ],
  ),
  ...inFile('limits/leasing/holding.ts', LEASING, [
    [
      'of several workers a call counts in whichever period it ends',
      'money === null || !includesTime(present, at)',
      'money === null',
    ],
    [
      'of several workers what a call counts is not counted',
      'settleShare(spend.share, held, counted);',
      'settleShare(spend.share, held, 0n);',
    ],
    [
      'of several workers a call counts what was held for it',
      'settleShare(spend.share, held, counted);',
      'settleShare(spend.share, held, held);',
    ],
    ['what comes back of a call is still refused to its worker', 'spend.left += held - counted;', ''],
    ['what a call used is free for its worker', 'spend.left += held - counted;', 'spend.left += held;'],
  ]),
  ...inFile('limits/leasing/ask.ts', LEASING, [
    ['a key is forgotten while its exchange has no answer', '  holding.pending += 1;\n', '  holding.pending += 0;\n'],
    ['what was spent is known of another limit than now', ' && holding.subject === subject', ''],
    ['what was spent is known of another budget than now', ' && holding.money === money', ''],
  ]),
  ...inFile('limits/leasing/leasing-limiter.ts', LEASING, [
    ['tokens that a worker has for a call are not taken', '        takeFromShare(held.tokens, share.tokens);\n', ''],
    ['what an open call holds goes back', '      holding.open += 1;\n', ''],
    ['a call that its worker has the money for takes none of it', 'takeFromShare(spend.share, share.spend);', ''],
    ['what calls used is not told', '      take(mine.tokens, usedTokens - Number(tokens));\n', ''],
    ['what others used is not told', 'if (this.#clock.monotonic() - holding.toldAt > TOLD_MS) ', 'if (false) '],
    ['calls at once ask each for themselves', '      holding.last = last;\n', ''],
    ['a key is forgotten while its exchange is queued or unanswered', ' || holding.pending > 0', ''],
    ['a key is forgotten while its exchange is queued', '      holding.pending += 1;\n', ''],
    [
      'what a lost answer granted is held until the next call',
      '  async returnIdle(): Promise<void> {\n    await this.#exchanges.settle();\n',
      '  async returnIdle(): Promise<void> {\n',
    ],
    [
      'what a lost answer granted is held by a worker that stops',
      '  async close(): Promise<void> {\n    await this.#exchanges.settle();\n',
      '  async close(): Promise<void> {\n',
    ],
    [
      'what a worker holds is forgotten with its key',
      'this.#leased.has(holding) || holding.open > 0',
      'holding.open > 0',
    ],
    ['a key that may more is leased no more', 'if (isChanged || isOther || ', 'if (isOther || '],
    ['what is settled during a look is not looked for again', '        holding.settled += 1;\n', ''],
    [
      'a lease goes back before what was spent under it is written',
      "if (keeps === 'nothing' && holding.spend !== null) await this.#leases.catchUp();",
      '',
    ],
    [
      'a worker holds as much as before of a budget whose override has ended',
      ' || holding.spend?.amount !== leasedAmount(budget, now)',
      '',
    ],
  ]),
];
