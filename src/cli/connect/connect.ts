import { suggestion } from '../../config/suggestion.ts';
import { portOf } from '../../core/operator.ts';
import type { Command, CommandAnswer, CommandCall, Options } from '../command.ts';
import { inOptionsOf, OperatorError, sentenceOf, UsageError } from '../failure.ts';
import { API_KEYS, listAllKeys, type MadeKey, type ShownKey } from '../keys/api-keys.ts';
import { KEY_OPTION_OF, KEY_OPTIONS, wantedKey } from '../keys/wanted.ts';
import { gatewayFacts, offeredModels } from '../process.ts';
import { addressOf } from './address.ts';
import { applyEdit, checkEdit, type WrittenFile } from './files.ts';
import { chooseModel, chooseSmallModel } from './model.ts';
import { printableText, revokeCommand, undoLines, writtenText } from './report.ts';
import type { DeveloperTool, FileEdit, ToolConnection } from './tool.ts';
import { TOOLS } from './tools/all.ts';

const IDS = TOOLS.map(({ id }) => id);
const { name: _, source: __, product: ___, admin: ____, ...LIMITS } = KEY_OPTIONS;

/** The model of the built-in provider. */
const ECHO = 'echo';
const ONLY_ECHO =
  'The model echo only repeats its input. For a real one, set a vendor’s key, start the gateway, and run this again.';

const OPTIONS: Options = {
  write: { value: null, about: 'Write the configuration, keeping a copy of each changed file.' },
  model: { value: 'MODEL', about: 'The first model (default: the alias “default”, else a suitable one).' },
  url: {
    value: 'URL',
    about: 'Address of the gateway (default: where it runs, else as configured).',
  },
  name: { value: 'NAME', about: 'Name of the key (default: the tool’s name).' },
  ...LIMITS,
};

export const connect: Command = {
  name: 'connect',
  about: 'Create a key for a developer tool, and show or write its configuration.',
  details: [
    'Its usage has the source developer_tool. Without --write nothing outside the data folder changes. With it, other',
    'settings and comments stay, and the output shows how to undo everything. Running it again creates a new key.',
  ].join('\n'),
  argument: { value: 'TOOL', about: `One of ${IDS.join(', ')}.`, required: true },
  options: OPTIONS,
  examples: [
    'headgate connect codex',
    'headgate connect claude-code --write --model claude-sonnet-5 --spend-limit 50/month',
    'headgate connect cursor --url https://headgate.example.com --expires 90d',
  ],
  async run(call) {
    const { argument = '', values, flags, where, tools, api } = call;
    const tool = developerToolOf(argument);
    if (flags.has('write') && typeof tool.files === 'string') throw new UsageError(tool.files);
    const wanted = wantedKey({ name: tool.id, ...values, source: 'developer_tool' }, tools.clock.now());
    const address = values.url === undefined ? await addressFor(call) : addressOf(values.url, api.setup.config.server);
    const { data: models, unasked } = await offeredModels(api);
    const allowed = wanted.allowed_models ?? null;
    const model = values.model ?? chooseModel(models, tool.prefers, allowed);
    if (model === null || (model === ECHO && values.model === undefined && unasked.length > 0)) {
      throw new OperatorError(noModel(unasked));
    }
    const draft = { address, model, smallModel: chooseSmallModel(models, model, allowed), key: 'hg_live_' };
    // Checked before the key is created, so that a failure leaves no unused key.
    if (flags.has('write')) {
      for (const edit of editsOf(tool, draft, call)) checkEdit(edit);
    } else tool.snippets(draft, tools);

    const made = await inOptionsOf(KEY_OPTION_OF, api.post<MadeKey>(API_KEYS, wanted));
    const connection = { ...draft, key: made.key };
    const earlier = (await listAllKeys(api)).filter((key) => isEarlier(key, made, tools.clock.now()));
    const isKnown = models.some(({ id, aliases }) => id === model || aliases.includes(model));
    const answer = flags.has('write') ? write(tool, connection, made, call) : show(tool, connection, made, call);
    return {
      ...answer,
      json: { object: 'connection', tool: tool.id, base_url: `${address}/v1`, model, ...answer.json },
      notes: [
        ...(isKnown || unasked.length > 0
          ? []
          : [`There is no model ${model}. List the models: headgate catalog list`]),
        ...(model === ECHO ? [ONLY_ECHO] : []),
        ...earlier.map(
          ({ id, name }) =>
            `The earlier key ${id} for ${name} is still valid. To revoke it: ${revokeCommand(id, where)}`,
        ),
      ],
    };
  },
};

/** The address of the running gateway, else the configured one. */
async function addressFor({ api }: CommandCall): Promise<string> {
  const facts = await gatewayFacts(api);
  if (facts === null) return addressOf(undefined, api.setup.config.server);
  // An address to listen on cannot always be called.
  const { hostname } = new URL(facts.address);
  return addressOf(undefined, { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: portOf(facts.address) });
}

function noModel(unasked: readonly string[]): string {
  const which =
    unasked.length === 0 ? 'There is no model to call' : `The models of ${unasked.join(', ')} are not known`;
  return `${which}. Start the gateway (headgate serve) and run this again, or name a model with --model.`;
}

type ConnectAnswer = CommandAnswer & { json: Record<string, unknown> };

function show(tool: DeveloperTool, connection: ToolConnection, made: MadeKey, { tools }: CommandCall): ConnectAnswer {
  const snippets = tool.snippets(connection, tools);
  return {
    text: printableText(tool, snippets, connection, made),
    json: { ...keyMembers(made), configuration: snippets },
  };
}

function keyMembers({ key, organization_name: _, ...api_key }: MadeKey) {
  return { api_key, key };
}

/** Neither the written configuration nor the key is shown again. */
function write(tool: DeveloperTool, connection: ToolConnection, made: MadeKey, call: CommandCall): ConnectAnswer {
  const edits = editsOf(tool, connection, call);
  const written: WrittenFile[] = [];
  for (const edit of edits) {
    try {
      const done = applyEdit(edit, call.tools.clock.now());
      if (done !== null) written.push(done);
    } catch (error) {
      const sentence = sentenceOf(error);
      if (sentence === null) throw error;
      throw new OperatorError([`${sentence} To undo this:`, ...undoLines(written, made, call.where)].join('\n'));
    }
  }
  return {
    text: writtenText({ tool, connection }, written, made, call.where),
    json: {
      api_key: keyMembers(made).api_key,
      files: written.map(({ path, backup, holdsKey }) => ({ path, backup, holds_key: holdsKey })),
      undo: undoLines(written, made, call.where),
    },
  };
}

function editsOf({ files }: DeveloperTool, connection: ToolConnection, { tools }: CommandCall): readonly FileEdit[] {
  return typeof files === 'string' ? [] : files(connection, tools);
}

function developerToolOf(id: string): DeveloperTool {
  const tool = TOOLS.find((each) => each.id === id);
  if (tool !== undefined) return tool;
  throw new UsageError(`headgate connect does not know ${id}${suggestion(id, IDS)}. Tools: ${IDS.join(', ')}.`);
}

/** Whether a key is another valid one for the same tool. */
function isEarlier(key: ShownKey, made: ShownKey, now: number): boolean {
  const { name, source, organization_id: owner, revoked_at: revoked, expires_at: end } = key;
  return (
    key.id !== made.id &&
    name === made.name &&
    source === made.source &&
    owner === made.organization_id &&
    revoked === null &&
    (end === null || end * 1000 > now)
  );
}
