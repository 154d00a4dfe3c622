import { inFile, type Mutant } from './mutant.ts';

const LIMITS = ['limits/limiter.test.ts', 'limits/limiter.spend.test.ts', 'core/bucket.test.ts'];
const BUDGETS = [...LIMITS, 'limits/budgets.test.ts', 'limits/spending.test.ts'];
const KEYS = ['keys/*.test.ts'];

/** The lines where it is decided what a key may use, and whether a key is let in. */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  ...inFile(
    'dialects/anthropic-messages/usage.ts',
    ['dialects/anthropic-messages/usage.test.ts'],
    [
      ['a model that declined before its first token is charged for', ' && countOf(output) > 0', ''],
      ['what the model that served did is counted twice', ' && model !== served', ''],
      [
        'a compaction costs what the model costs that served',
        ' && !isOfAnother(model, served)) addTokens(',
        ') addTokens(',
      ],
      [
        'an advisor costs what the asked model costs',
        'others.push({ model, usage:',
        'others.push({ model: null, usage:',
      ],
      [
        'a stream that ends with nothing is free',
        'merged[name] = earlier[name] ?? told[name];',
        'merged[name] = told[name];',
      ],
      [
        'what was answered becomes nothing',
        'merged.output_tokens = earlier.output_tokens ?? 0;',
        'merged.output_tokens = 0;',
      ],
      [
        'a prompt that came from a cache counts twice',
        'if (PROMPT.some((name) => countOf(told[name]) > 0)) return merged;',
        '',
      ],
    ],
  ),
  ...inFile(
    'dialects/openai-embeddings/peek.ts',
    ['dialects/openai-embeddings/peek.test.ts'],
    [
      ['embeddings of which the total alone is told cost nothing', 'prompt_tokens: total?.total_tokens', ''],
      [
        'embeddings of which nothing is counted are free',
        'usage === null || usage.inputTokens === 0 ? null',
        'usage === null ? null',
      ],
      ['a cost told beside no tokens is lost', ' || peek.usage.reportedCost !== undefined)', ')'],
    ],
  ),
  ...inFile(
    'dialects/anthropic-messages/shown-calls.ts',
    ['dialects/anthropic-messages/usage.test.ts'],
    [['a repeated block is billed twice', 'if (this.#seen.has(seen)) return 0;', '']],
  ),
  ...inFile(
    'dialects/openai-responses/watch.ts',
    ['dialects/openai-responses/watch.test.ts'],
    [['a stream that is cut has no searches', ' ?? this.#shown.counts', '']],
  ),
  ...inFile(
    'dialects/openai-chat/chunk.ts',
    ['dialects/openai-chat/watch.test.ts'],
    [['a late zero takes a cost back', 'Number(reportedCost) > 0', 'true']],
  ),
  ...inFile(
    'dialects/openai-usage.ts',
    ['dialects/openai-usage.test.ts'],
    [
      ['a stream that ends with nothing is free', 'later.inputTokens > 0 || earlier.inputTokens === 0', 'true'],
      [
        'a cost told beside nothing is lost',
        'reportedCost: reportedCost ?? earlier.reportedCost',
        'reportedCost: earlier.reportedCost',
      ],
    ],
  ),
  ...inFile(
    'pipeline/threads.ts',
    ['pipeline/threads.test.ts'],
    [
      [
        'an answer of nobody known is named',
        "if (madeBy === null) return provider.sharedIds === 'allow';",
        'if (madeBy === null) return true;',
      ],
      ['an answer of another account is named', ' && madeBy.credential === provider.credentialName;', ';'],
      ['a thread goes on at whoever did not make it', 'if (!mayBeNamed(madeBy, provider)) return false;', ''],
      [
        'a fragment goes to a vendor that keeps no threads',
        ' || provider.quirks.ownFormat !== true) return false;',
        ') return false;',
      ],
      ['a fragment is translated', 'dialect !== asked || ', ''],
      [
        'a vendor is told the id of an answer that it did not give',
        'return after === null || mayBeNamed(madeBy, provider);',
        'return true;',
      ],
    ],
  ),
  ...inFile(
    'pipeline/account.ts',
    ['pipeline/reported-cost.test.ts'],
    [
      ['what a vendor says it charged goes before a price', 'const isTold = isEstimate && ', 'const isTold = '],
      ['every vendor is believed what it says it charged', ' && provider.quirks.reportsCost !== undefined;', ';'],
      ['nobody is charged what a vendor says it charged', 'if (told !== null) return told;', ''],
      ['a price of the vendor’s list goes before what it says', ' || price.source === VENDOR_PRICE;', ';'],
      [
        'a bill by what a vendor says has no price',
        'if (items[0]?.component !== VENDOR_COST) return price;',
        'return price;',
      ],
    ],
  ),
  ...inFile(
    'pipeline/measure.ts',
    ['pipeline/reported-cost.test.ts'],
    [['an absurd cost is believed', 'Number(usage.reportedCost) <= dollars', 'true']],
  ),
  ...inFile(
    'dialects/reported-cost.ts',
    ['pipeline/reported-cost.test.ts'],
    [
      [
        'a call by a key of one’s own costs its fee alone',
        'upstream === undefined ? undefined : cost + upstream',
        'cost',
      ],
    ],
  ),
  ...inFile(
    'pipeline/admission/target-rates.ts',
    ['limits/shared-rates.test.ts'],
    [
      ['what is sent with two credentials is not counted together', 'return known ?? rate;', 'return rate;'],
      [
        'a call that is sent twice counts as one request',
        "return 'id' in rate && this.#asked.has(rate) ?",
        'return false ?',
      ],
      [
        'what a call holds for one more request is not given back',
        'of this.#further.values()) reservation',
        'of []) reservation',
      ],
      ['tokens are held again for each request', 'isFirst ? call : { ...call, tokens: 0 }', 'call'],
      ['a count of tokens uses up what may be sent', 'if (!this.#parts.isSent) return ofProject;', ''],
      [
        'a request is sent again without room',
        'if (refusal === null) this.ask(target);\n    return refusal;',
        'this.ask(target);\n    return null;',
      ],
      ['cached tokens count for every rate', 'this.#countsCached(rate) ? all : all - cached', 'all'],
      ['cached tokens count for no rate', 'this.#countsCached(rate) ? all : all - cached', 'all - cached'],
    ],
  ),
  ...inFile('limits/limiter.ts', LIMITS, [
    ['what open calls may cost is not held', 'period.held += held;', ''],
    [
      'of a call that names no maximum, only its least is held',
      'const held = call.cost ?? 0n;',
      'const held = call.leastCost ?? call.cost ?? 0n;',
    ],
    ['unused tokens do not come back', 'take(entry.tokens, usedTokens - tokens);', ''],
    ['a model without a price passes a spend limit', 'if (call.cost === null) refuseUnpriced(list, call);', ''],
    [
      'a key with a spend limit has no rate',
      'refuseOverRate(entry, call.tokens);\n    refuseOverSpend',
      'refuseOverSpend',
    ],
    [
      'what is spent while no limit holds is forgotten',
      'for (const id of unlimited) spendings.get(id)?.settle(at, counted, null, 0n);',
      '',
    ],
    ['no key is ever forgotten', '      entry.open -= 1;\n', ''],
    [
      'a key whose requests are back is forgotten with the tokens that it used',
      'entry.requests.missing === 0 && entry.tokens',
      'entry.requests.missing === 0 || entry.tokens',
    ],
  ]),
  ...inFile(
    'api/caller-turns.ts',
    ['api/caller-turns.test.ts'],
    [
      ['a caller has as many requests under way as it likes', 'if (own.open >= most) {', 'if (most === 0) {'],
      ['all that a caller asks is worked at at once', 'if (own.open > AT_WORK) await', 'if (own.open > most) await'],
      ['a request that ends makes no room', '      own.open -= 1;\n', ''],
      ['who waits gets no turn', 'own.waiting.shift()?.();', ''],
    ],
  ),
  ...inFile('limits/spending.ts', BUDGETS, [
    ['what a call counts is not counted', 'period.spent += counted;', 'period.spent += 0n;'],
    ['what was held stays held', 'period.held -= held;', ''],
    ['what is settled while its period is read may be missing', 'if (before !== this.#unread) continue;', ''],
    [
      'calls of another period begin a read again',
      'if (this.#reading !== null && includesTime(this.#reading, at)) this.#unread += 1;',
      'if (this.#reading !== null) this.#unread += 1;',
    ],
    ['a budget for another kind of period forgets the calls that are open', 'next.held = last.held;', ''],
  ]),
  ...inFile('limits/budgets.ts', BUDGETS, [
    ['a budget holds for what serves instead', '!isInstead(budget, model) &&', ''],
    [
      'a budget holds for every model',
      'if (models === null || isNamed(entry, sent, models)) return true;',
      'return true;',
    ],
    ['a spend limit that was changed holds as it was', 'known.budget.amount === amount && ', ''],
    ['a budget that was changed holds as it was', 'version}`;', '1}`;'],
    ['the budget of a product holds as it was', 'known.product !== product || ', ''],
    ['budgets that a key has no more hold still', ' || known.own !== own', ''],
    ['what a product spends is counted under its budget, too', '.filter(({ id }) => budgetOwner(id) === null)', ''],
    ['an override goes on behind its end', 'until: more.until', 'until: more.until * 4'],
  ]),
  ...inFile(
    'core/spend-period.ts',
    ['core/spend-period.test.ts'],
    [
      ['a period never ends', ' && now < endsAt', ''],
      ['a period that a wrong clock began holds', 'now >= startsAt && ', ''],
    ],
  ),
  ...inFile('core/bucket.ts', LIMITS, [
    ['a bucket refills at once', '(at - bucket.at) * bucket.limit', 'bucket.missing'],
    ['more fits into a bucket than its limit', 'Math.max(0, missing), MOST', 'missing, MOST'],
    ['a bucket’s debt has no end', 'Math.min(Math.max(0, missing), MOST_MISSING * limit * MINUTE_MS)', 'missing'],
  ]),
  ...inFile(
    'pipeline/admission/target-rates.ts',
    ['limits/shared-rates.test.ts'],
    [
      [
        'a key that is refused uses up the rate of its project',
        'for (const reservation of this.#taken.values()) reservation.cancel();',
        'for (const reservation of this.#taken.values()) reservation.settle(0, 0n);',
      ],
      [
        'what calls use is not taken of their project',
        'reservation.settle(this.#countsCached(rate) ? all : all - cached, 0n);',
        'reservation.settle(0, 0n);',
      ],
    ],
  ),
  ...inFile('limits/refusals.ts', LIMITS, [
    ['a spend limit lets one more call in', 'leastCost <= left) continue', 'left >= 0n) continue'],
    [
      'a call that names no maximum needs all that it may cost',
      'leastCost <= left) continue',
      'cost <= left) continue',
    ],
    ['a call that names a maximum needs nothing to be left', 'leastCost = cost ?? 0n }', 'leastCost = 0n }'],
  ]),
  ...inFile(
    'limits/alerts.ts',
    ['limits/alerts.test.ts', 'limits/alerts.telling.test.ts'],
    [
      ['a budget is told to be past more than all of it', 'amount <= whole && ', ''],
      ['a store is asked for all that was told at each round', '    if (fresh.length === 0) return;\n', ''],
      ['what failed is followed by what comes behind it', 'onError(error);\n        return;', 'onError(error);'],
      ['what could not be told is tried at each round', '?? now) > now) return [];', '?? now) > now + 1e9) return [];'],
      [
        'a mail server that says nothing has all mails at once',
        '.length >= MOST_MAILS) return;',
        '.length >= 1e9) return;',
      ],
      ['what is being told is told again', 'if (this.#telling.has(watched.id) || ', 'if ('],
      ['what failed late is tried at once', 'retryAt: clock.now() + pause', 'retryAt: now + pause'],
      ['who was told late waits ever longer', 'told);\n        this.#failures.delete(id);', 'told);'],
    ],
  ),
  ...inFile('keys/checker.ts', KEYS, [
    ['a revoked key is let in', 'if (revokedAt !== null) throw', 'if (false) throw'],
    ['a key that is switched off is let in', 'if (disabledAt !== null) throw', 'if (false) throw'],
    ['an expired key is let in', 'expiresAt !== null && expiresAt <= clock.now()', 'false'],
    ['a warm key is trusted for ever', ' || clock.monotonic() - confirmedAt > MAX_STALE_MS', ''],
    ['a changed key stays warm', 'known = new KnownCallers();\n        version', 'version'],
    ['a failed poll is no failure', 'confirmedAt = NEVER;\n      version', 'version'],
    ['a change is not told', 'version += 1;\n      }', '}'],
    ['a failed poll is told as no change', 'version += 1;\n      onError', 'onError'],
  ]),
  ...inFile(
    'pipeline/open-calls.ts',
    ['pipeline/open-calls.test.ts'],
    [
      ['a call goes on that would be refused', 'if (isRefusal && waiting.waitsAt >= 0) waiting.interrupt(error);', ''],
      [
        'a call ends because storage cannot tell',
        'error instanceof GatewayError && error.status < 500',
        'error instanceof GatewayError',
      ],
    ],
  ),
  ...inFile(
    'http/fast/connection.ts',
    ['../tests/http/connections.test.ts'],
    [
      [
        'a caller is let in for as long as their body takes',
        'this.#admitAgain(body.bytes());',
        'this.#call(body.bytes().subarray(this.#head!.text.length));',
      ],
    ],
  ),
  ...inFile('keys/keys.ts', KEYS, [
    ['a secret that was replaced goes on for as long as anybody asks', 'overlapMs <= MAX_OVERLAP_MS', 'true'],
    ['an admin key is in a project', "wanted.access === 'administration' ? null : inProject", 'inProject'],
  ]),
  ...inFile('keys/format.ts', KEYS, [
    ['a mistyped key reaches storage', ' && secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH)))', ''],
    ['keys are kept without the pepper', "createHmac('sha256', pepper.reveal())", "createHmac('sha256', '')"],
  ]),
];
