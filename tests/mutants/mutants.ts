/**
 * A change of one place that must not go unnoticed: `from` stands once in `file`, and one of `tests` fails where `to` stands
 * in its place. Paths are below `src/`.
 */
export type Mutant = { what: string; file: string; from: string; to: string; tests: readonly string[] };

type Change = readonly [what: string, from: string, to: string];

function inFile(file: string, tests: readonly string[], changes: readonly Change[]): Mutant[] {
  return changes.map(([what, from, to]) => ({ what, file, from, to, tests }));
}

const PIPELINE = ['pipeline/account.test.ts', 'pipeline/pipeline.test.ts', 'pipeline/admission/doorman.test.ts'];
const STREAM = ['pipeline/stream.test.ts', 'pipeline/pipeline.test.ts'];
const LIMITS = [
  'control/limits/limiter.test.ts',
  'control/limits/limiter.spend.test.ts',
  'control/limits/bucket.test.ts',
  'control/limits/spend.test.ts',
];
const LEASING = ['control/limits/leasing/*.test.ts'];
const STORE = ['store/contract.test.ts', 'store/sqlite/ledger.test.ts', 'store/journaled-storage.test.ts'];
const KEYS = ['control/keys/*.test.ts'];

/** The lines where money, the ledger, ends of streams, keys and limits are decided. */
export const MUTANTS: readonly Mutant[] = [
  ...inFile('pipeline/account.ts', PIPELINE, [
    ['a refused intent keeps its reservation', 'reservation.settle(0, 0n);\n      throw error;', 'throw error;'],
    ['what is reserved leaves out cache writes', 'rates.input, rates.cache_write, rates', 'rates.input, rates'],
    ['what is reserved leaves out cache writes for an hour', 'rates.cache_write_1h, ', ''],
    [
      'what is reserved leaves out audio of the prompt',
      'rates.cache_write_1h, rates.audio_input)',
      'rates.cache_write_1h)',
    ],
    ['what is reserved leaves out audio of the answer', 'rates.reasoning, rates.audio_output)', 'rates.reasoning)'],
    ['what is reserved leaves out reasoning', 'rates.output, rates.reasoning, ', 'rates.output, '],
    ['what is reserved leaves out fallbacks for long prompts', '...plan.contextTargets, ', ''],
    ['what is reserved leaves out fallbacks for refused prompts', ', ...plan.policyTargets]', ']'],
    ['what is reserved takes the last target for the dearest', 'if (cost > most) most = cost;', 'most = cost;'],
    [
      'a call that names a maximum needs no more than one that names none',
      'call.maxOutputTokens === null && limits.holdModelMaximum',
      'limits.holdModelMaximum',
    ],
    [
      'a call that names no maximum needs more than its model can put out',
      'Math.min(outputOf(asked), maxOutput)',
      'maxOutput',
    ],
    ['what is reserved is rounded down', '+ 999n) / 1000n', ') / 1000n'],
    ['what is reserved is for one choice', ' * Math.max(choices, bestOf)', ''],
    ['what is reserved leaves out what is thought', ' + thinkingTokens)', ')'],
    ['an unknown cost counts as nothing', 'countedCost(charged, intent.held)', 'countedCost(charged, null)'],
    ['a model without a price costs nothing', 'if (cost === null) return null;', 'if (cost === null) continue;'],
    ['a product’s price is not charged', 'this.#plan.route?.price ?? target.model.price', 'target.model.price'],
    ['a lost attempt costs the operator nothing', 'own + lost', 'own'],
    ['a call is settled again and again', 'if (this.#settled !== null) return this.#settled;', ''],
    [
      'a price that a route charged is not kept',
      'upstreamModel: target.model.upstreamId,\n      price,',
      'upstreamModel: target.model.upstreamId,\n      price: null,',
    ],
    ['an overload inside a 200 is billed', "  'upstream_error',\n]);", ']);'],
  ]),
  ...inFile('pipeline/journey.ts', PIPELINE, [
    ['losses of a whole answer are not in the record', 'joined(leg.crossing.dropped, dropped)', 'leg.crossing.dropped'],
    [
      'a lost attempt is billed as nothing',
      'if (total === null) return null;\n      lost += total;',
      'if (total === null) return null;',
    ],
    [
      'what failed is told by its last failure alone',
      "find(({ error }) => error.kind === 'upstream_rejected') ?? ",
      'findLast(() => false) ?? ',
    ],
    ['an attempt that may be billed is not marked', "classify(error) === 'unanswered'", 'false'],
    ['a caller who left is billed as a failure', "...unbilled('cancelled', GONE)", "...unbilled('failed', GONE)"],
    [
      'a target has all of the time that is left',
      'this.walk.rest.length > 0 ? this.timeLeft / 2 : this.timeLeft',
      'this.timeLeft',
    ],
    [
      'the last attempt is not noted',
      "this.account.tried(leg.attempt(status, head, error, measured.usageSource, status === 'failed'));",
      '',
    ],
  ]),
  ...inFile('pipeline/pipeline.ts', PIPELINE, [
    [
      'losses of a whole answer are not told',
      'answer.served.dropped = joined(answer.served.dropped, way.dropped);',
      ';',
    ],
    [
      'a stream’s terminal event leaves before its record is kept',
      '    try {\n      await journey.settle(leg, error === null',
      "    answer.write('');\n    answer.end(last);\n    try {\n      await journey.settle(leg, error === null",
    ],
    [
      'more calls are open than may be',
      'this.#calls.held >= limits.maxOpenCalls',
      'this.#calls.held > limits.maxOpenCalls',
    ],
    ['a call that ended stays open', 'this.#calls.end(request.answer);', ''],
    ['a fault of our own leaves the record open', "await journey.account.settle(unbilled('failed', known));", ''],
    [
      'a vendor is not asked for the usage of a stream',
      "await this.#streamOnce(stop, asked ? 'as-sent' : 'ask');",
      "await this.#streamOnce(stop, 'as-sent');",
    ],
    [
      'a vendor’s key is told to the caller of a stream',
      'const error = cleanError(end.error, target);',
      'const error = end.error;',
    ],
    [
      'what a caller may name later is not kept',
      'this.#keep(request, references.of(envelope, bytesOf(end.body)));',
      ';',
    ],
  ]),
  ...inFile(
    'pipeline/planner.ts',
    ['pipeline/planner.test.ts'],
    [
      [
        'a plan is remembered for any dialect',
        'const known = plans.get(dialects);',
        'const known = [...plans.values()][0];',
      ],
      ['a warm cache is forgotten', 'if (conversation !== null) affinity.note', 'if (false) affinity.note'],
      ['all calls go to the first credential', 'if (targets.length < 2) return targets;', 'return targets;'],
    ],
  ),
  ...inFile('pipeline/admission/doorman.ts', PIPELINE, [
    ['a queue’s place is never given back', '    this.#place.leave();\n', ''],
    ['a repeat’s share is never given back', '    this.#budget?.giveBack();\n', ''],
    [
      'repeats have no budget',
      'if (!this.#budget.take(this.#calls.count, { share, least })) return null;',
      'this.#budget.take(this.#calls.count, { share, least: 1000 });',
    ],
    [
      'a route goes to a target that is out',
      'if (ticket === null) {\n        walk.take(target);\n        continue;\n      }',
      'if (ticket === null) return this.#anyway(journey);',
    ],
    ['a caller who left the wait is served', 'journey.request.answer.onGone(() => end(false));', ''],
  ]),
  ...inFile('pipeline/whole.ts', PIPELINE, [
    ['a whole answer may be of any size', '!refused && this.#length > this.#maxAnswer', 'false'],
    ['a whole answer may take any time', 'this.#deadline.set(this.#total);', ''],
    ['what is no JSON passes', "isSuccess(status) && !isType(headers, 'json')", 'false'],
    ['a vendor is kept busy for a caller who left', "if (end.kind !== 'complete') this.#hold?.abort();", ''],
  ]),
  ...inFile('pipeline/stream.ts', STREAM, [
    ['what a cut left is passed over', "if (rest.kind === 'cut') return this.#fail(cutShort());", ''],
    [
      'a stream that ends early is complete',
      'if (this.way.complete()) return this.#complete(this.way.terminal());',
      'return this.#complete(this.way.terminal());',
    ],
    [
      'a stream that fails before its first content is an answer',
      'this.#end(this.#held === null ? ',
      'this.#end(true ? ',
    ],
    [
      'a vendor streams on for a caller who left',
      "if (end.kind !== 'complete') this.#hold?.abort();",
      "if (end.kind !== 'complete') {}",
    ],
    ['a slow caller does not slow down its vendor', 'this.#hold?.pause();', ''],
    ['a silent vendor is waited for', "this.#alarms.set('silence', this.#limits.firstByte);", ''],
  ]),
  ...inFile(
    'core/money.ts',
    ['core/money.test.ts'],
    [
      ['known items of an unknown cost do not count', 'items.reduce((sum, { amount }) => sum + amount, 0n),', '0n,'],
      ['what was held counts in place of a known cost', 'if (total !== null) return total;', ''],
      ['amounts are cut off', '* rate + HALF_NANO)', '* rate)'],
      [
        'cached tokens are billed twice',
        'usage.inputTokens - cacheReadTokens - cacheWriteTokens',
        'usage.inputTokens - cacheWriteTokens',
      ],
      ['a token without a price costs nothing', 'to.total = null;\n    return;', 'return;'],
      [
        'a tier holds one token early',
        'promptTokens > tier.abovePromptTokens',
        'promptTokens >= tier.abovePromptTokens',
      ],
      [
        'reasoning is billed twice',
        'usage.outputTokens - reasoning - audioOutputTokens',
        'usage.outputTokens - audioOutputTokens',
      ],
    ],
  ),
  ...inFile(
    'upstream/sse.ts',
    ['upstream/sse.test.ts'],
    [
      ['data that was cut is an event', 'data === null || !isPayload(data) || !isEnded', 'data === null || !isEnded'],
      ['a line that was cut behind the data is passed', ' || !isEnded) return', ') return'],
    ],
  ),
  ...inFile(
    'dialects/openai-chat/watch.ts',
    ['dialects/openai-chat/watch.test.ts'],
    [
      ['choices that never began are not missed', '(this.#done ? 1 : this.#choices)', '1'],
      [
        'a vendor that ignores how many choices were asked for fails',
        '(this.#done ? 1 : this.#choices)',
        'this.#choices',
      ],
    ],
  ),
  ...inFile(
    'pipeline/measure.ts',
    ['pipeline/measure.test.ts', 'pipeline/account.test.ts'],
    [
      ['a report of more than can be is believed', 'usage === null || !isWithin(usage, most)', 'usage === null'],
      ['what was reported and not believed is forgotten', 'reported: seen.usage };', 'reported: null };'],
      ['files of a prompt cost nothing', '+ fileTokens', ''],
    ],
  ),
  ...inFile('store/sqlite/take-over.ts', STORE, [
    [
      'a routed call’s price version is lost',
      'if (routed === null || routed.price === null) return priceVersion;',
      'if (routed === null || routed.price === null) return null;',
    ],
    ['a group is taken over twice', 'group.end > position ? group.records : []', 'group.records'],
    ['how far was taken over is not noted', 'setPosition.run(file, groups.at(-1)!.end);', ''],
  ]),
  ...inFile('store/sqlite/call-writer.ts', STORE, [
    ['what is spent is not added up', 'days.set(day, (days.get(day) ?? 0n) + counted);', 'days.set(day, counted);'],
    [
      'what is spent takes the place of what was',
      'amount_nano = amount_nano + excluded.amount_nano',
      'amount_nano = excluded.amount_nano',
    ],
    [
      'a settled call is settled again',
      "where organization_id = ? and id = ? and status = 'open'`",
      'where organization_id = ? and id = ?`',
    ],
  ]),
  ...inFile(
    'store/journal/groups.ts',
    ['store/journal/*.test.ts'],
    [['a group that was cut is read', 'if (bytes.toString(', 'if (false && bytes.toString(']],
  ),
  ...inFile('control/limits/limiter.ts', LIMITS, [
    ['what a call counts is not counted', 'period.spent += counted;', ''],
    ['what open calls may cost is not held', 'if (period !== null) period.held += held;', ''],
    [
      'of a call that names no maximum, only its least is held',
      'open(entry, call, period, call.cost)',
      'open(entry, call, period, call.leastCost ?? call.cost)',
    ],
    ['what was held stays held', 'period.held -= held;', ''],
    ['unused tokens do not come back', 'take(entry.tokens, usedTokens - tokens);', ''],
    [
      'a model without a price passes a spend limit',
      'if (call.cost === null) throw unpriced(key, call.model);\n    const period',
      'const period',
    ],
    [
      'a key with a spend limit has no rate',
      'refuseOverRate(entry, call.tokens);\n    refuseOverSpend',
      'refuseOverSpend',
    ],
  ]),
  ...inFile('control/limits/spend.ts', LIMITS, [
    ['a period never ends', ' && now < endsAt', ''],
    ['a period that a wrong clock began holds', 'now >= startsAt && ', ''],
  ]),
  ...inFile('control/limits/bucket.ts', LIMITS, [
    ['a bucket refills at once', '(at - bucket.at) * bucket.limit', 'bucket.missing'],
    ['more fits into a bucket than its limit', 'Math.max(0, missing), MOST', 'missing, MOST'],
    ['a bucket’s debt has no end', 'Math.min(Math.max(0, missing), MOST_MISSING * limit * MINUTE_MS)', 'missing'],
  ]),
  ...inFile('control/limits/refusals.ts', LIMITS, [
    ['a spend limit lets one more call in', 'leastCost <= left) return', 'left >= 0n) return'],
    ['a call that names no maximum needs all that it may cost', 'leastCost <= left) return', 'cost <= left) return'],
    [
      'a call that names a maximum needs nothing to be left',
      '{ cost, leastCost = cost ?? 0n }',
      '{ cost, leastCost = 0n }',
    ],
  ]),
  ...inFile('control/limits/leasing/exchange.ts', LEASING, [
    ['what others hold is free', '- others.spend,', ','],
    [
      'a refused call is taken all the same',
      'const taken = refused ? NOTHING_WANTED : wanted;',
      'const taken = wanted;',
    ],
    [
      'of several workers a call that names no maximum needs all that it may cost',
      '{ ...wanted, spend: wanted.leastSpend }',
      'wanted',
    ],
    [
      'of several workers only the least of a call that names no maximum is held',
      'spent: spent + taken.spend }',
      'spent: spent + taken.leastSpend }',
    ],
  ]),
  ...inFile('control/limits/leasing/leasing-limiter.ts', LEASING, [
    [
      'of several workers what a call counts is not counted',
      'settleShare(spend.share, wanted.spend, counted);',
      'settleShare(spend.share, wanted.spend, 0n);',
    ],
    [
      'of several workers a call counts what was held for it',
      'settleShare(spend.share, wanted.spend, counted);',
      'settleShare(spend.share, wanted.spend, wanted.spend);',
    ],
    ['what comes back of a call is still refused to its worker', 'spend.left += wanted.spend - counted;', ''],
    ['what a call used is free for its worker', 'spend.left += wanted.spend - counted;', 'spend.left += wanted.spend;'],
    ['a call that its worker has the money for takes none of it', 'takeFromShare(spend.share, wanted.spend);', ''],
  ]),
  ...inFile(
    'control/limits/product-budgets.ts',
    ['control/limits/product-budgets.test.ts'],
    [
      ['a product is not billed', 'ofProduct.settle(tokens, counted);', ''],
      ['what a refused call held of a product’s budget stays held', 'ofProduct.settle(0, 0n);\n', ''],
    ],
  ),
  ...inFile('control/keys/checker.ts', KEYS, [
    ['a revoked key is let in', 'if (revokedAt !== null) throw', 'if (false) throw'],
    ['an expired key is let in', 'expiresAt !== null && expiresAt <= clock.now()', 'false'],
    ['a warm key is trusted for ever', ' || clock.monotonic() - confirmedAt > MAX_STALE_MS', ''],
    ['a changed key stays warm', 'if (changes !== changesSeen) warm = new Map();', ''],
    ['a failed poll is no failure', 'confirmedAt = NEVER;\n      onError', 'onError'],
  ]),
  ...inFile('control/keys/format.ts', KEYS, [
    ['a mistyped key reaches storage', ' && secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH)))', ''],
    ['keys are kept without the pepper', "createHmac('sha256', pepper.reveal())", "createHmac('sha256', '')"],
  ]),
];
