import { at } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { dollarsText, timeText } from '../phrases.ts';
import { table } from '../table.ts';
import { unknownModels } from '../unknown-models.ts';
import { momentOf } from '../when.ts';
import { placeOf, type SettingPlace } from './set-in.ts';
import { shownName } from './shown-name.ts';

/** Rates with an option of their own, by their names in the file. */
const RATES = {
  input: 'input_per_1m',
  output: 'output_per_1m',
  'cache-read': 'cache_read_per_1m',
  'cache-write': 'cache_write_per_1m',
} as const;

/** A price as the HTTP API gives it. Times are Unix seconds. */
type ShownPrice = {
  id: string;
  model: string;
  price: { input_per_1m?: number | null; output_per_1m?: number | null } | null;
  effective_at: number | null;
  ended_at: number | null;
  state: string;
  set_in: SettingPlace;
};

const OPTION_OF = { model: 'MODEL', price: '--price', effective_at: '--from', note: '--note', price_override_id: 'ID' };

export const pricesList: Command = {
  name: 'prices list',
  about: 'List the prices that were set for models, including ended ones, and those of the configuration file.',
  argument: { value: 'MODEL', about: 'Only prices of this model.', required: false },
  options: {},
  examples: ['headgate prices list', 'headgate prices list openai/gpt-4o-mini'],
  async run({ argument: model, api }) {
    const { data } = await api.list<ShownPrice>('/v1/organization/price_overrides', { model });
    const columns = [
      { title: 'ID', of: ({ id }: ShownPrice) => id },
      { title: 'MODEL', of: ({ model: name }: ShownPrice) => name },
      { title: 'INPUT', of: ({ price }: ShownPrice) => dollarsText(price?.input_per_1m ?? null) },
      { title: 'OUTPUT', of: ({ price }: ShownPrice) => dollarsText(price?.output_per_1m ?? null) },
      { title: 'FROM (UTC)', of: (each: ShownPrice) => momentText(each.effective_at) },
      { title: 'UNTIL (UTC)', of: (each: ShownPrice) => momentText(each.ended_at) },
      { title: 'STATE', of: ({ state }: ShownPrice) => state.replace('_', ' ') },
      { title: 'SET IN', of: (each: ShownPrice) => placeOf(each.set_in) },
    ];
    const none = 'No prices are set. Set one: headgate prices set openai/gpt-4o-mini --input 0.15 --output 0.6';
    return { text: data.length === 0 ? none : table(columns, data), json: { object: 'list', data } };
  },
};

function momentText(seconds: number | null): string {
  return seconds === null ? '-' : timeText(seconds * 1000);
}

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
  async run({ argument: model = '', values, tools, api }) {
    const { from: begins, note } = values;
    const from = begins === undefined ? undefined : momentOf(begins, tools.clock.now(), 'ahead');
    if (from === null) throw new UsageError('--from must be a duration such as 3d, or a date such as 2027-01-31.');
    const wanted = {
      ...{ model, price: definitionOf(values) },
      ...(from !== undefined && { effective_at: Math.floor(from / 1000) }),
      ...(note !== undefined && { note: shownName('--note', note) }),
    };
    // Checked first, because a price may make the model known.
    const names = { names: [model], outcome: 'its calls are billed by this price' };
    const notes = await unknownModels(api, names);
    const json = await inOptionsOf(OPTION_OF, api.post<ShownPrice>('/v1/organization/price_overrides', wanted));
    const when = json.state === 'scheduled' ? `from ${momentText(json.effective_at)} UTC on` : 'within a second';
    return { text: `Calls of ${json.model} are billed by ${json.id} ${when}.`, json, notes };
  },
};

export const pricesRemove: Command = {
  name: 'prices remove',
  about: 'End a price now. It stays in the history.',
  argument: { value: 'ID', about: 'Price id, as shown by prices list.', required: true },
  options: {},
  examples: ['headgate prices remove price_1'],
  async run({ argument: id = '', api }) {
    const json = await inOptionsOf(OPTION_OF, api.remove(at`/v1/organization/price_overrides/${id}`));
    return { text: `The price ${id} has ended. In force within a second.`, json };
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
