import { inFile, type Mutant } from './mutant.ts';

const LIST_PRICES: readonly Mutant[] = inFile(
  'catalog/vendor-facts.ts',
  ['catalog/vendor-facts.test.ts'],
  [
    ['a list’s price bills where the operator lets none', 'bills && model.price', 'model.price'],
    ['a list’s price replaces one that is known', 'model.price === null && price', 'price'],
    ['what stands beside a price counts as one', 'form.beside?.includes(name) === true || ', ''],
    ['a member without a price refuses them all', ' || value === null) continue', ') continue'],
    [
      'an amount that cannot be read is passed over',
      'if (amount === null) return undefined;',
      'if (amount === null) continue;',
    ],
    [
      'a price for a million tokens is taken for one token',
      'form.perTokens === 1 ? picoPerCall(amount) : picoPerToken(amount)',
      'picoPerCall(amount)',
    ],
    [
      'a price for one token is taken for a million tokens',
      'form.perTokens === 1 ? picoPerCall(amount) : picoPerToken(amount)',
      'picoPerToken(amount)',
    ],
    ['a price that no token has is believed', 'if (rate > MAX_RATE) return undefined;', ''],
    ['cached tokens cost nothing', "if (rate > 0n || component === 'input' || component === 'output') rates", 'rates'],
    ['input cannot be free', "rate > 0n || component === 'input' || ", 'rate > 0n || '],
    ['output cannot be free', " || component === 'output') rates", ') rates'],
    ['a price that no search has is believed', 'if (each > MAX_SEARCH) return undefined;', ''],
    ['searches cost nothing', 'if (each > 0n) search', 'search'],
    ['what else a vendor charges for costs nothing', '} else if (amount !== 0) return undefined;', '}'],
    ['a price without input is believed', 'input === undefined || output', 'output'],
    ['a price without output is believed', ' || output === undefined) return', ') return'],
    [
      'free models are believed of everyone',
      "if (input === '0' && output === '0' && form.hasFree !== true) return undefined;",
      '',
    ],
    ['free models are believed of nobody', ' && form.hasFree !== true', ''],
    ['a model with free output counts as free', "input === '0' && output === '0'", "(input === '0' || output === '0')"],
    ['a number passes for text', "typeof value === 'string' && value !== ''", "value !== ''"],
    ['a blank text is nothing', " && value !== '' ?", ' ?'],
    ['a price below nothing is believed', ' && amount >= 0', ''],
    ['a price without end is believed', ' && amount <= 1e6', ''],
    ['a price without rates is kept', 'rates.length > 0 && ', ''],
    ['a rate that is none is kept', 'rates.every(([, rate]) => isPico(rate))', 'true'],
    ['a price of a search that is none is kept', '(search === undefined || isPico(search))', 'true'],
  ],
);

const SEARCHES: readonly Mutant[] = inFile(
  'dialects/openai-chat/search-counter.ts',
  ['dialects/openai-chat/search-counter.test.ts'],
  [
    ['searches that a vendor shows are free', 'shown === undefined || searchesIn', 'shown !== undefined || searchesIn'],
    ['searches that the usage counts are counted again', ' || searchesIn(usage.toolCalls) > 0', ''],
    ['pages that are opened are billed as searches', 'if (isSearch(tool)) this', 'this'],
    ['searches among several messages are free', 'wordsOf(choice ?? {})', 'choice?.delta ?? choice?.message ?? {}'],
  ],
);

const CUTS: readonly Mutant[] = [
  ...inFile(
    'dialects/anthropic-messages/watch.ts',
    ['dialects/anthropic-messages/watch.test.ts'],
    [['a message without a stop reason is whole', 'this.#stopped && this.#reasoned', 'this.#stopped']],
  ),
  ...inFile(
    'dialects/anthropic-messages/peek.ts',
    ['dialects/anthropic-messages/peek.test.ts'],
    [
      ['a message that was broken off is whole', 'isFailureReason(reason) ? brokenOff() : null', 'null'],
      [
        'a cut message is not billed by what was told',
        "...failed(cut), usage: readUsage(value('usage'))",
        '...failed(cut)',
      ],
    ],
  ),
  ...inFile(
    'dialects/openai-responses/peek.ts',
    ['dialects/openai-responses/peek.test.ts'],
    [['a response that is under way is whole', 'isUnderWay(status) ? unfinished() : null', 'null']],
  ),
  ...inFile(
    'pipeline/translation/translated.ts',
    ['pipeline/translation/translated.test.ts'],
    [['a cut stream is not billed by what was told', '(this.#reader.usage?.() ?? null)', 'null']],
  ),
];

/** The lines where it is decided whether a price in a vendor's own list is believed, which searches are billed, and by what a cut stream is. */
export const PRICE_MUTANTS: readonly Mutant[] = [...LIST_PRICES, ...SEARCHES, ...CUTS];
