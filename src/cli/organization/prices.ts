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

/** The rates that have an option of their own, by the file's word for each. */
const RATES = {
  input: 'input_per_1m',
  output: 'output_per_1m',
  'cache-read': 'cache_read_per_1m',
  'cache-write': 'cache_write_per_1m',
} as const;
const OPTION_OF = { model: 'MODEL', price: '--price', effective_at: '--from', note: '--note', price_override_id: 'ID' };

export const pricesList: Command = {
  name: 'prices list',
  about: 'Show the prices that were set for models, with all that are over, and those of the configuration file.',
  argument: { value: 'MODEL', about: 'Only those of this one.', required: false },
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
    const none = 'No prices are set. One: headgate prices set openai/gpt-4o-mini --input 0.15 --output 0.6';
    return {
      text: answer.length === 0 ? none : table(columns, answer),
      json: { object: 'list', data: answer.map(priceJson) },
      notes,
    };
  },
};

export const pricesSet: Command = {
  name: 'prices set',
  about: 'Set what a model costs, from now or from a time on. What was billed stays as it was.',
  details: 'Dollars per million tokens. A price names all that it has: nothing comes of the one before.',
  argument: { value: 'MODEL', about: 'As `provider/model`, or any name of it.', required: true },
  options: {
    input: { value: 'USD', about: 'Of the prompt.' },
    output: { value: 'USD', about: 'Of the answer.' },
    'cache-read': { value: 'USD', about: 'Of prompt tokens read from a cache.' },
    'cache-write': { value: 'USD', about: 'Of prompt tokens written to one.' },
    price: { value: 'JSON', about: 'All else that a file may say of a price, such as tiers.' },
    from: { value: 'WHEN', about: 'After a while (3d) or at a date (2027-01-31); left out, now.' },
    note: { value: 'TEXT', about: 'Why, for people.' },
  },
  examples: [
    'headgate prices set openai/gpt-4o-mini --input 0.15 --output 0.6',
    'headgate prices set lab/large --input 1 --output 3 --from 2027-01-31',
    `headgate prices set lab/large --price '{"input_per_1m":1,"tiers":[{"above_prompt_tokens":200000,"input_per_1m":2}]}'`,
  ],
  async run({ argument: model = '', values, where, tools }) {
    const { from: begins, note } = values;
    const from = begins === undefined ? undefined : momentOf(begins, tools.clock.now(), 'ahead');
    if (from === null) throw new UsageError('--from must be a while such as 3d, or a date such as 2027-01-31.');
    const wanted = {
      ...{ model, definition: definitionOf(values), from },
      ...(note !== undefined && { note: shownName('--note', note) }),
    };
    const setup = tools.readSetup(where);
    // Asked before: a price may make the model known.
    const notes = await unknownModels(tools, setup, { names: [model], outcome: 'its calls are billed so' });
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
  about: 'End a price that was set, now. It stays in the history.',
  argument: { value: 'ID', about: 'Its id, as prices list shows it.', required: true },
  options: {},
  examples: ['headgate prices remove price_1'],
  async run({ argument: id = '', where, tools }) {
    await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), removePriceTask, { id }));
    return { text: `The price ${id} has ended: in force within a second.`, json: { id, ended: true } };
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
    // Said below.
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
