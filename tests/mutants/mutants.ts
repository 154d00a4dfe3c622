import { ADMIN_MUTANTS } from './admin.ts';
import { LEASE_MUTANTS } from './leases.ts';
import { LETTING_IN_MUTANTS } from './letting-in.ts';
import { LIMIT_MUTANTS } from './limits.ts';
import { MODEL_MUTANTS } from './models.ts';
import { inFile, type Mutant } from './mutant.ts';
import { PRICE_MUTANTS } from './prices.ts';
import { SEAL_MUTANTS } from './seals.ts';
import { STORE_MUTANTS } from './store.ts';

const ROUTING = ['routing/*.test.ts', 'pipeline/model-limits.test.ts', 'core/model-identity.test.ts'];
const PIPELINE = [
  'core/money.test.ts',
  'pipeline/account*.test.ts',
  'pipeline/attempt.test.ts',
  'pipeline/pipeline.test.ts',
  'pipeline/admission/dispatcher.test.ts',
  'pipeline/model-limits.test.ts',
  'pipeline/own-parameters.test.ts',
  'pipeline/cached-input.test.ts',
];
const STREAM = ['pipeline/stream.test.ts', 'pipeline/pipeline.test.ts'];

/** The lines where money, the ledger, ends of streams, keys and limits are decided. */
export const MUTANTS: readonly Mutant[] = [
  ...inFile('pipeline/account.ts', PIPELINE, [
    ['cached input never counts', 'counts ? all : all - usage', 'false ? all : all - usage'],
    ['cached input always counts', 'counts ? all : all - usage', 'true ? all : all - usage'],
    ['a refused intent keeps its reservation', 'cancel(reserved);\n      throw error;', 'throw error;'],
    [
      'an unknown cost counts as nothing',
      'countedCost(charged, intent.held, price, usage)',
      'countedCost(charged, null)',
    ],
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
  ...inFile('core/money.ts', PIPELINE, [
    ['what is reserved leaves out cache writes', 'rates.input, rates.cache_write, rates', 'rates.input, rates'],
    [
      'what is reserved leaves out cache writes by how long they are kept',
      'if (name.startsWith(CACHE_LIFE)) input',
      'if (name === CACHE_LIFE) input',
    ],
    [
      'a region multiplies nothing',
      'return factor === undefined ? NO_RATES : multiplied(rates, factor);',
      'return factor === undefined ? NO_RATES : rates;',
    ],
    ['calls of tools cost nothing', 'for (const tool in usage.toolCalls) put', 'for (const tool in NO_RATES) put'],
    ['what is reserved leaves out audio of the prompt', 'rates.cache_write, rates.audio_input)', 'rates.cache_write)'],
    ['what is reserved leaves out audio of the answer', 'rates.reasoning, rates.audio_output)', 'rates.reasoning)'],
    ['what is reserved leaves out reasoning', 'rates.output, rates.reasoning, ', 'rates.output, '],
    ['what is reserved is rounded down', '* output + PICO_PER_NANO - 1n) /', '* output) /'],
    ['a tool’s calls are reserved rounded down', '?? 0n) + PICO_PER_NANO - 1n) /', '?? 0n)) /'],
  ]),
  ...inFile('pipeline/call-run.ts', PIPELINE, [
    [
      'a target has all of the time that is left',
      'this.failover.mayMoveIfUnanswered ? this.timeLeft / 2 : this.timeLeft',
      'this.timeLeft',
    ],
    ['time is kept for targets behind a second silence', 'failover.mayMoveIfUnanswered', 'failover.mayMove'],
  ]),
  ...inFile('routing/failover.ts', PIPELINE, [
    ['what is reserved leaves out fallbacks for long prompts', '...contextTargets, ', ''],
    ['what is reserved leaves out fallbacks for refused prompts', ', ...policyTargets]', ']'],
  ]),
  ...inFile('pipeline/admission/reserve.ts', PIPELINE, [
    ['what an operator lets a model answer more is not reserved', 'outputOf(at) > outputOf(widest)', 'false'],
    ['a tier of service that an operator sets is held at the lowest price', 'isTierAsked || isTierSet', 'isTierAsked'],
    ['what is reserved takes the last target for the dearest', 'most = atLeast(most, tokens + (', 'most = (tokens + ('],
    ['what is reserved leaves out the search of a model that always searches', 'alwaysSearches(target) ? ', 'false ? '],
    [
      'a call that names a maximum needs no more than one that names none',
      'envelope.maxOutputTokens === null && holdModelMaximum',
      'holdModelMaximum',
    ],
    [
      'a call that names no maximum needs more than its model can put out',
      'Math.min(outputOf(target), maxOutput)',
      'maxOutput',
    ],
    ['what is reserved is for one choice', ' * Math.max(choices, bestOf)', ''],
    ['what is reserved leaves out what is thought', ' + thinkingTokens)', ')'],
    ['a model without a price costs nothing', '|| tokens === null) return null;', '|| tokens === null) continue;'],
    ['a used-up budget of a model refuses its route', 'notAt(target).has(error.usedUp.id)', 'false'],
    ['a used-up rate of a model refuses its route', 'if (await rates.admit(target)) break;', 'break;'],
  ]),
  ...inFile('routing/eligible.ts', ROUTING, [
    [
      'a route sends calls to a banned model',
      'if (rules?.isBanned(candidate.target!)) {',
      'if (candidate.target === null) {',
    ],
    [
      'a budget of a model lets it in without a price',
      'traits.demandsPrice || rules?.demandsPrice(target!) === true',
      'traits.demandsPrice',
    ],
  ]),
  ...inFile('routing/failover.ts', PIPELINE, [
    [
      'time is kept for more targets than may be asked',
      'this.#rest.length > 0 && this.#attempts < this.#limits.attempts',
      'this.#rest.length > 0',
    ],
  ]),
  ...inFile('pipeline/attempt.ts', PIPELINE, [
    ['losses of a whole answer are not in the record', 'return { ...end, dropped, served', 'return { ...end, served'],
    ['losses of a whole answer are not told', '{ ...end.served, dropped }', 'end.served'],
    ['an attempt that may be billed is not marked', "classify(error) === 'unanswered'", 'false'],
    ['the last attempt is not noted', '    this.#note(status, answered, error, measured);\n', ''],
    [
      'a vendor is not asked for the usage of a stream',
      "request.asked === this.#spoken ? 'as-sent' : 'ask'",
      "request.asked === this.#spoken ? 'as-sent' : 'as-sent'",
    ],
    [
      'a vendor’s key is told to the caller of a stream',
      'const error = cleanError(stream.error, this.#target);',
      'const { error } = stream;',
    ],
    ['a slot in a provider’s queue is never given back', '    this.#slot.release();\n', ''],
    [
      'a failed attempt is no failure of its target',
      'this.#watched.failed(error, this.#run.keyId);\n    const measured',
      'const measured',
    ],
    [
      'a call that cannot be written for its last target ends as if nobody had been asked',
      '!failover.mayMove && account.attempts === 0',
      '!failover.mayMove',
    ],
    ['a prompt that was answered by nothing costs nothing', 'mayBeCharged(error, answered.status) ?', 'false ?'],
  ]),
  ...inFile(
    'pipeline/vendor-answer.ts',
    ['pipeline/vendor-answer.test.ts'],
    [['a vendor that was not reached in time is billed', 'if (hold?.unsent !== true) return', 'return']],
  ),
  ...inFile('pipeline/pipeline.ts', PIPELINE, [
    [
      'a lost attempt is billed as nothing',
      'if (total === null) return null;\n    lost += total;',
      'if (total === null) return null;',
    ],
    [
      'what failed is told by its last failure alone',
      "find(({ error }) => error.kind === 'upstream_rejected') ??",
      'findLast(() => false) ??',
    ],
    [
      'a target that the call cannot be written for hides why the others failed',
      "error.kind !== 'invalid_request') ??",
      'error !== null) ??',
    ],
    ['what is told is lost beside it', 'failed.filter((other) => other !== told)', 'failed'],
    ['a caller who left is billed as a failure', "unbilled('cancelled', GONE,", "unbilled('failed', GONE,"],
    [
      'a stream’s terminal event leaves before its record is kept',
      '    try {\n      await settle(run, end, failed);',
      "    answer.write('');\n    answer.end(last);\n    try {\n      await settle(run, end, failed);",
    ],
    [
      'a whole answer leaves before its record is kept',
      '              await settle(run, outcome.end, failed);\n              if',
      '              request.answer.whole(200, outcome.body);\n              await settle(run, outcome.end, failed);\n              if',
    ],
    [
      'more calls are open than may be',
      'this.#calls.held >= limits.maxOpenCalls',
      'this.#calls.held > limits.maxOpenCalls',
    ],
    ['a call that ended stays open', 'if (hasBegun) this.#calls.end(request.answer);', ''],
    [
      'a fault of our own leaves the record open',
      "await account.settle(unbilled('failed', known, failed.at(-1)?.end.target), lostOf(run, failed)).catch",
      'await Promise.resolve().catch',
    ],
    [
      'a fault of our own forgets what was lost before it',
      'failed.at(-1)?.end.target), lostOf(run, failed)).catch',
      'failed.at(-1)?.end.target), 0n).catch',
    ],
    ['an error does not say who was asked', 'throw served === null ? told : told.with({ served });', 'throw told;'],
    [
      'what a caller may name later is not kept',
      'if (references !== undefined || isReferencedLater(run.envelope)) await this.#keepItems(run, outcome);',
      '',
    ],
    ['items of a stream are not kept', 'if (end.error === null) this.#keep(run, end, converter.items());', ''],
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
  ...inFile('pipeline/admission/dispatcher.ts', PIPELINE, [
    [
      'a repeat’s share is never given back',
      '      slot.release();\n      budget.giveBack();',
      '      slot.release();',
    ],
    [
      'repeats have no budget',
      'if (!this.#budget.take(run.calls.count, { share, least })) return null;',
      'this.#budget.take(run.calls.count, { share, least: 1000 });',
    ],
    [
      'a route goes to a target that is out',
      'if (watched === null) {\n        failover.take(target);\n        continue;\n      }',
      'if (watched === null) return this.#anyway(run);',
    ],
    ['a caller who left the wait is served', 'request.answer.onGone(() => end(false));', ''],
  ]),
  ...inFile(
    'pipeline/admission/provider-queue.ts',
    ['pipeline/admission/provider-queue.test.ts'],
    [
      [
        'a higher cap leaves those who wait where they are',
        'this.#max = max;\n    // A reload may have raised it.\n    this.#admit();',
        'this.#max = max;',
      ],
    ],
  ),
  ...inFile(
    'pipeline/whole.ts',
    [...PIPELINE, 'pipeline/whole.test.ts'],
    [
      ['the usage of an answer that its caller did not wait for is lost', 'if (!this.#isReceived) ', ''],
      ['a whole answer may be of any size', 'if (this.#body.isTooLong)', 'if (false)'],
      ['a whole answer may take any time', 'this.#deadline.set(this.#total);', ''],
      ['what is neither JSON nor events is waited for', "this.#form === 'neither' ||", 'false ||'],
      ['a vendor is kept busy for a caller who left', "if (end.kind !== 'complete') this.#hold?.abort();", ''],
    ],
  ),
  ...inFile('pipeline/stream.ts', STREAM, [
    [
      'the usage of an answer whose caller has left is not waited for',
      'if (isTold || !this.#converter.answered()) this.#end(LEFT);',
      'this.#end(LEFT);',
    ],
    ['what a cut left is passed over', "if (rest.kind === 'cut') return this.#fail(cutShort());", ''],
    [
      'a stream that ends early is complete',
      'if (this.#converter.complete()) return this.#complete(this.#converter.terminal());',
      'return this.#complete(this.#converter.terminal());',
    ],
    [
      'a stream that fails before its first content is an answer',
      'this.#end(this.#held === null ? ',
      'this.#end(true ? ',
    ],
    [
      'a vendor streams on for a caller who left',
      "if (end.kind !== 'complete') this.#upstream?.abort();",
      "if (end.kind !== 'complete') {}",
    ],
    ['a slow caller does not slow down its vendor', 'this.#upstream?.pause();', ''],
    ['a silent vendor is waited for', 'this.#deadlines.set(ALARM.silence, this.#limits.firstByte);', ''],
    [
      'a vendor that falls silent behind its first frame is waited for',
      'if (this.#alive && !this.#paused) this.#deadlines.setAt(',
      'if (false) this.#deadlines.setAt(',
    ],
    ['what was held does not leave with the first content', '=== 1 && this.#held === null', '=== 1'],
  ]),
  ...inFile(
    'pipeline/stream-deadlines.ts',
    [...STREAM, 'pipeline/stream-deadlines.test.ts'],
    [
      ['a deadline that is nearer than all others waits for them', ' || due < this.#next.dueAt)', ')'],
      ['a deadline rings again and again', 'this.#due[alarm] = NEVER;\n      this.#ring', 'this.#ring'],
      ['a stream that has ended rings', 'this.#due.fill(NEVER);\n    this.#next.clear();', ''],
    ],
  ),
  ...inFile(
    'upstream/delivery.ts',
    ['upstream/contract.test.ts'],
    [
      ['broken bytes reach callers as letters', " && !text.includes('\\ufffd')", ''],
      ['letters beyond ASCII reach callers as single bytes', 'text.length === to - from && ', ''],
      ['compressed bytes pass for text', 'this.#decoder === null && this.#listener.onText', 'this.#listener.onText'],
    ],
  ),
  ...inFile(
    'core/money.ts',
    ['core/money.test.ts'],
    [
      ['known items of an unknown cost do not count', 'items.reduce((sum, { amount }) => sum + amount, 0n);', '0n;'],
      ['what was held counts in place of a known cost', 'if (total !== null) return total;', ''],
      ['amounts are cut off', '* rate + HALF_NANO)', '* rate)'],
      [
        'cached tokens are billed twice',
        'usage.inputTokens - cacheReadTokens - cacheWriteTokens',
        'usage.inputTokens - cacheWriteTokens',
      ],
      ['a token without a price costs nothing', 'to.total = null;\n    to.unpriced', 'to.unpriced'],
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
    'upstream/undici.ts',
    ['upstream/reuse.test.ts'],
    [
      [
        'a call that met the end of its connection is never answered',
        'if (resent) this.#owner.onUnanswered(exchange);',
        '',
      ],
      ['a call that is sent again fails, too', 'this.#end();\n    return resent;', 'this.#end();\n    return false;'],
      ['a call is sent again that may be worked on', '      this.#silent &&\n', ''],
    ],
  ),
  ...inFile(
    'upstream/sse.ts',
    ['upstream/sse.test.ts'],
    [
      ['data that was cut is an event', 'data === null || !isPayload(data) || !isEnded', 'data === null || !isEnded'],
      ['a line that was cut behind the data is passed', ' || !isEnded) return', ') return'],
      ['text that ends within a frame is one', "      text.endsWith('\\n\\n') &&\n", ''],
      ['text is a frame of its own behind a part of one', 'this.#pendingLength === 0 &&\n      !this', '!this'],
      ['text of an event may be of any length', '      text.length <= this.#maxFrame &&\n', ''],
      ['text with CR is cut at LF alone', "&&\n      !text.includes('\\r')", ''],
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
    'dialects/openai-chat/text-frame.ts',
    ['dialects/openai-chat/watch.test.ts'],
    [
      [
        'usage behind the padding of a chunk is not read',
        "return data.slice(data.indexOf('\"', padding)) === this.#tail ? end : -1;",
        'return end;',
      ],
      ['usage behind the text of a chunk is not read', 'if (data.slice(end, padding) !== behind) return -1;', ''],
    ],
  ),
  ...inFile(
    'pipeline/measure.ts',
    ['pipeline/measure.test.ts', 'pipeline/account*.test.ts'],
    [
      ['a report of more than can be is believed', 'usage === null || !isWithin(usage, most)', 'usage === null'],
      ['what was reported and not believed is forgotten', 'reported: seen.usage };', 'reported: null };'],
      ['files of a prompt cost nothing', '+ fileTokens', ''],
      ['searches of an answer without usage are free', 'prompt.toolCalls ?? shownIn(seen)', 'prompt.toolCalls'],
      ['any number of shown searches is billed', 'sumOf(shown) <= MAX_TOOL_CALLS ? shown : undefined', 'shown'],
    ],
  ),
  ...STORE_MUTANTS,
  ...LEASE_MUTANTS,
  ...LIMIT_MUTANTS,
  ...ADMIN_MUTANTS,
  ...LETTING_IN_MUTANTS,
  ...MODEL_MUTANTS,
  ...PRICE_MUTANTS,
  ...SEAL_MUTANTS,
];
