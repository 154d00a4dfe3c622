import { type ListedPrice, listPricesTask, removePriceTask, setPriceTask } from '../../tasks/names-and-prices.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { rateText, timeText, unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';
import { unknownModels } from '../unknown-models.ts';
import { momentOf } from '../when.ts';
import { placeOf } from './products.ts';
import { shownName } from './shown-name.ts';

/** Rates with an option of their own, by their names in the file. */
const RATES = {
  input: 'input_per_1m',
  output: 'output_per_1m',
  'cache-read': 'cache_read_per_1m',
  'cache-write': 'cache_write_per_1m',
} as const;
const OPTION_OF = { model: 'MODEL', price: '--price', effective_at: '--from', note: '--note', price_override_id: 'ID' };

export const pricesList: Command = {
  name: 'prices list',
  about: 'List the prices that were set for models, including ended ones, and those of the configuration file.',
  argument: { value: 'MODEL', about: 'Only prices of this model.', required: false },
  options: {},
  examples: ['headgate prices list', 'headgate prices list openai/gpt-4o-mini'],
  async run({ argument: model, where, tools }) {
    const { answer, notes } = await perform(tools, tools.readSetup(where), listPricesTask, { model });
    const columns = [
      { title: 'ID', of: ({ id }: ListedPrice) => id },
      { title: 'MODEL', of: ({ model: name }: ListedPrice) => name },
      { title: 'INPUT', of: ({ price }: ListedPrice) => rateText(price?.rates.input) },
      { title: 'OUTPUT', of: ({ price }: ListedPrice) => rateText(price?.rates.output) },
      { title: 'FROM (UTC)', of: ({ from }: ListedPrice) => (from === null ? '-' : timeText(from)) },
      { title: 'UNTIL (UTC)', of: ({ until }: ListedPrice) => (until === null ? '-' : timeText(until)) },
      { title: 'STATE', of: ({ state }: ListedPrice) => state.replace('_', ' ') },
      { title: 'SET IN', of: ({ place }: ListedPrice) => placeOf(place) },
    ];
    const none = 'No prices are set. Set one: headgate prices set openai/gpt-4o-mini --input 0.15 --output 0.6';
    return {
      text: answer.length === 0 ? none : table(columns, answer),
      json: { object: 'list', data: answer.map(priceJson) },
      notes,
    };
  },
};

export const pricesSet: Command = {
  name: 'prices set',
  about: 'Set a model’s price, from now or from a later time. Earlier bills do not change.',
  details: 'Dollars per million tokens. A price is complete: nothing is inherited from the previous one.',
  argument: { value: 'MODEL', about: '`provider/model`, or any of its names.', required: true },
  options: {
    input: { value: 'USD', about: 'Prompt tokens.' },
    output: { value: 'USD', about: 'Answer tokens.' },
    'cache-read': { value: 'USD', about: 'Prompt tokens read from a cache.' },
    'cache-write': { value: 'USD', about: 'Prompt tokens written to a cache.' },
    price: { value: 'JSON', about: 'A complete price as in the file, for example with tiers.' },
    from: { value: 'WHEN', about: 'After a duration (3d) or at a date (2027-01-31) (default: now).' },
    note: { value: 'TEXT', about: 'Reason, for people.' },
  },
  examples: [
    'headgate prices set openai/gpt-4o-mini --input 0.15 --output 0.6',
    'headgate prices set lab/large --input 1 --output 3 --from 2027-01-31',
    `headgate prices set lab/large --price '{"input_per_1m":1,"tiers":[{"above_prompt_tokens":200000,"input_per_1m":2}]}'`,
  ],
  async run({ argument: model = '', values, where, tools }) {
    const { from: begins, note } = values;
    const from = begins === undefined ? undefined : momentOf(begins, tools.clock.now(), 'ahead');
    if (from === null) throw new UsageError('--from must be a duration such as 3d, or a date such as 2027-01-31.');
    const wanted = {
      ...{ model, definition: definitionOf(values), from },
      ...(note !== undefined && { note: shownName('--note', note) }),
    };
    const setup = tools.readSetup(where);
    // Checked first, because a price may make the model known.
    const notes = await unknownModels(tools, setup, { names: [model], outcome: 'its calls are billed by this price' });
    const { answer } = await inOptionsOf(OPTION_OF, perform(tools, setup, setPriceTask, wanted));
    const when = answer.state === 'scheduled' ? `from ${timeText(answer.from ?? 0)} UTC on` : 'within a second';
    return {
      text: `Calls of ${answer.model} are billed by ${answer.id} ${when}.`,
      json: priceJson(answer),
      notes,
    };
  },
};

export const pricesRemove: Command = {
  name: 'prices remove',
  about: 'End a price now. It stays in the history.',
  argument: { value: 'ID', about: 'Price id, as shown by prices list.', required: true },
  options: {},
  examples: ['headgate prices remove price_1'],
  async run({ argument: id = '', where, tools }) {
    await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), removePriceTask, { id }));
    return { text: `The price ${id} has ended. In force within a second.`, json: { id, ended: true } };
  },
};

function definitionOf(values: CommandCall['values']): Record<string, unknown> {
  const rates = Object.entries(RATES).flatMap(([option, member]): [string, number][] => {
    const written = values[option];
    if (written === undefined) return [];
    const dollars = /^\$?(\d+(\.\d+)?)$/.exec(written)?.[1];
    if (dollars === undefined) throw new UsageError(`--${option} must be dollars such as 0.15.`);
    return [[member, Number(dollars)]];
  });
  return { ...(values.price === undefined ? {} : objectIn(values.price)), ...Object.fromEntries(rates) };
}

function objectIn(text: string): object {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read;
  } catch {
    // Reported below.
  }
  throw new UsageError('--price must be a JSON object such as {"input_per_1m": 1}.');
}

function priceJson({ id, model, from, until, state, setting, place, price }: ListedPrice) {
  return {
    ...{ id, model, state },
    price: setting?.value.definition ?? null,
    source: price?.source ?? null,
    effective_at: unixSeconds(from),
    ended_at: unixSeconds(until),
    set_in: place,
  };
}
