import { ConfigError } from '../../config/problems.ts';
import { redactAddresses } from '../../core/address-redaction.ts';
import type { GatewayFacts } from '../../core/operator.ts';
import { unpricedSentence } from '../../core/unpriced.ts';
import type { Api } from '../api.ts';
import type { Command } from '../command.ts';
import { readData } from '../data.ts';
import { FAILED, sentenceOf } from '../failure.ts';
import { gatewayFacts, probeProviders } from '../process.ts';
import { align } from '../table.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { checkClock } from './clock.ts';
import { checkProviders } from './providers.ts';
import { checkStorage } from './storage.ts';

const NO_FILE = 'no file; the environment is valid';

export const doctor: Command = {
  name: 'doctor',
  about: 'Check everything a gateway needs: configuration, storage, each provider, the clock.',
  details: [
    'Each provider is asked for its models with each of its keys. A running gateway on this data does this itself,',
    'with its own configuration and environment. Keys are never shown. The exit code is 1 if a check fails.',
  ].join('\n'),
  options: {},
  examples: ['headgate doctor', 'headgate doctor --json'],
  async run({ api, tools }) {
    const checks = await diagnose(api, tools);
    return {
      text: align(checks.map(({ status, name, message }) => [status, name, message])),
      json: { checks },
      code: checks.some(({ status }) => status === 'fail') ? FAILED : 0,
    };
  },
};

/** Without a configuration, the data folder and the providers are unknown. */
async function diagnose(api: Api, tools: Toolbox): Promise<Check[]> {
  const { setup, checks } = checkConfig(api);
  const runtime = checkRuntime(tools.version);
  if (setup === null) return [...runtime, ...checks];
  const facts = await gatewayFacts(api);
  const [storage, prices, providers] = await Promise.all([
    attempt('storage', () => checkStorage(setup, tools, facts !== null)),
    facts === null ? checkPrices(setup, tools) : [],
    attempt('providers', async () => {
      const probes = await probeProviders(api);
      return [...checkProviders(probes), checkClock(probes)];
    }),
  ]);
  const configured = facts === null ? checks : checkServing(facts, tools.version);
  return [...runtime, ...configured, ...prices, ...storage, ...providers];
}

/** What the running gateway reports about itself. */
function checkServing({ version, pid, address, config_file: file, notices }: GatewayFacts, own: string): Check[] {
  const said = `process ${pid} serves this data at ${address}`;
  return [
    version === own ? ok('gateway', said) : warn('gateway', `${said}, with version ${version}`),
    ok('config', file ?? NO_FILE),
    ...notices.map((notice) => warn('config', notice)),
  ];
}

/**
 * Targets that budgets skip. A running gateway reports them itself. An unreadable store is reported by its own check.
 */
async function checkPrices(setup: CommandSetup, tools: Toolbox): Promise<Check[]> {
  const inStore = await readData(tools, setup, (storage) => tools.unpriced(setup, storage)).catch(() => null);
  const unpriced = inStore?.kept ?? (await tools.unpriced(setup));
  return unpriced.map((each) => warn('config', unpricedSentence(each)));
}

/** A check that throws has failed. */
async function attempt(name: string, look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    return [fail(name, sentence)];
  }
}

/** `bin/headgate.js` has already checked the version of Node.js. */
function checkRuntime(version: string): Check[] {
  return [ok('headgate', version), ok('node', `${process.versions.node} on ${process.platform}-${process.arch}`)];
}

/** What a start would read and report: which providers are off, and why. */
function checkConfig(api: Api): { setup: CommandSetup | null; checks: Check[] } {
  try {
    const { setup } = api;
    const file = setup.config.file ?? NO_FILE;
    return { setup, checks: [ok('config', file), ...setup.notices.map((notice) => warn('config', notice))] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      setup: null,
      checks: redactAddresses(error.message)
        .split('\n')
        .map((mistake) => fail('config', mistake)),
    };
  }
}
