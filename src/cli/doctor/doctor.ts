import { ConfigError } from '../../config/problems.ts';
import type { GatewayFacts } from '../../core/operator.ts';
import { shownAddresses } from '../../core/shown-address.ts';
import { unpricedSentence } from '../../core/unpriced.ts';
import type { Command } from '../command.ts';
import { FAILED, sentenceOf } from '../failure.ts';
import { readData } from '../perform.ts';
import { align } from '../table.ts';
import type { CommandSetup, Toolbox, Where } from '../toolbox.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { checkClock } from './clock.ts';
import { checkProviders } from './providers.ts';
import { checkStorage } from './storage.ts';

const NO_FILE = 'no file; what the environment says is fine';

export const doctor: Command = {
  name: 'doctor',
  about: 'Look at everything that a gateway needs: configuration, storage, each provider, the clock.',
  details: [
    'Each provider is asked for its models, with each of its keys. Where a gateway serves this data, it is the one that asks,',
    'with its configuration and its environment. Keys are never shown. Ends with 1 where a check fails.',
  ].join('\n'),
  options: {},
  examples: ['headgate doctor', 'headgate doctor --json'],
  async run({ where, tools }) {
    const checks = await diagnose(where, tools);
    return {
      text: align(checks.map(({ status, name, message }) => [status, name, message])),
      json: { checks },
      code: checks.some(({ status }) => status === 'fail') ? FAILED : 0,
    };
  },
};

/** Without a configuration it is not known where the data is, or which providers there are. */
async function diagnose(where: Where, tools: Toolbox): Promise<Check[]> {
  const { setup, checks } = checkConfig(where, tools);
  const runtime = checkRuntime(tools.version);
  if (setup === null) return [...runtime, ...checks];
  const live = await tools.live(setup);
  const [storage, prices, providers] = await Promise.all([
    attempt('storage', () => checkStorage(setup, tools, live !== null)),
    live === null ? checkPrices(setup, tools) : [],
    attempt('providers', async () => {
      // Its environment need not be ours: only a gateway that serves knows which keys it has.
      const probes = await (live === null ? tools.probe(setup) : live.ask('probes'));
      return [...checkProviders(probes), checkClock(probes)];
    }),
  ]);
  const told = live === null ? checks : checkServing(live.facts, tools.version);
  return [...runtime, ...told, ...prices, ...storage, ...providers];
}

/** What the gateway that serves this data says of itself. */
function checkServing({ version, pid, address, configFile, notices }: GatewayFacts, own: string): Check[] {
  const said = `process ${pid} serves this data at ${address}`;
  return [
    version === own ? ok('gateway', said) : warn('gateway', `${said}, with version ${version}`),
    ok('config', configFile ?? NO_FILE),
    ...notices.map((notice) => warn('config', notice)),
  ];
}

/** What budgets leave out of routes; a gateway that serves says so itself. A store that cannot be read is told of by its own check. */
async function checkPrices(setup: CommandSetup, tools: Toolbox): Promise<Check[]> {
  const inStore = await readData(tools, setup, (storage) => tools.unpriced(setup, storage)).catch(() => null);
  const unpriced = inStore?.kept ?? (await tools.unpriced(setup));
  return unpriced.map((each) => warn('config', unpricedSentence(each)));
}

/** A check that cannot even be made has failed. */
async function attempt(name: string, look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    return [fail(name, sentence)];
  }
}

/** `bin/headgate.js` has already made sure that Node.js is new enough. */
function checkRuntime(version: string): Check[] {
  return [ok('headgate', version), ok('node', `${process.versions.node} on ${process.platform}-${process.arch}`)];
}

/** What a start would read, and what it would say about it: which providers are off, and why. */
export function checkConfig(where: Where, tools: Toolbox): { setup: CommandSetup | null; checks: Check[] } {
  try {
    const setup = tools.readSetup(where);
    const file = setup.config.file ?? NO_FILE;
    return { setup, checks: [ok('config', file), ...setup.notices.map((notice) => warn('config', notice))] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      setup: null,
      checks: shownAddresses(error.message)
        .split('\n')
        .map((mistake) => fail('config', mistake)),
    };
  }
}
