import { type CommandLine, parseCommandLine, unknownCommand } from './arguments.ts';
import { catalogImport } from './catalog/import.ts';
import { catalogList } from './catalog/list.ts';
import type { Command, ExitCode } from './command.ts';
import { configCheck } from './config-check.ts';
import { connect } from './connect/connect.ts';
import { doctor } from './doctor/doctor.ts';
import { FAILED, failureJson, MISUSED, sentenceOf, UsageError } from './failure.ts';
import { commandHelp, overview } from './help.ts';
import { keysCreate } from './keys/create.ts';
import { keysEdit } from './keys/edit.ts';
import { keysList } from './keys/list.ts';
import { keysRevoke } from './keys/revoke.ts';
import { keysRotate } from './keys/rotate.ts';
import { adminKeysCreate, adminKeysList, adminKeysRevoke } from './organization/admin-keys.ts';
import { aliasesList, aliasesRemove, aliasesSet } from './organization/aliases.ts';
import { auditList, auditVerify } from './organization/audit.ts';
import { budgetsList, budgetsOverride, budgetsRemove, budgetsSet } from './organization/budgets.ts';
import { invitesCreate, invitesList, invitesRevoke } from './organization/invites.ts';
import { membersEdit, membersList, membersRemove } from './organization/members.ts';
import { ownerLink } from './organization/owner-link.ts';
import { pricesList, pricesRemove, pricesSet } from './organization/prices.ts';
import { productsCreate, productsDelete, productsEdit, productsList, productsRotate } from './organization/products.ts';
import { projectsArchive, projectsCreate, projectsList, projectsRename } from './organization/projects.ts';
import { providerKeysAdd, providerKeysEdit, providerKeysRemove } from './organization/provider-keys.ts';
import {
  providersAdd,
  providersList,
  providersRemove,
  providersRewrap,
  providersTest,
} from './organization/providers.ts';
import { sessionsEnd, sessionsList } from './organization/sessions.ts';
import { routesPut, routesRemove } from './routes/change.ts';
import { routesExplain } from './routes/explain.ts';
import { routesList } from './routes/list.ts';
import { routesReplay } from './routes/replay.ts';
import { routesShow } from './routes/show.ts';
import { routesTrain } from './routes/train.ts';
import { routesCanary, routesDiff, routesPromote, routesRollback, routesVersions } from './routes/versions.ts';
import { serve } from './serve.ts';
import { status } from './status.ts';
import type { Terminal } from './terminal.ts';
import type { Toolbox } from './toolbox.ts';
import { usageList } from './usage/list.ts';
import { usageShow } from './usage/show.ts';
import { usageSummary } from './usage/summary.ts';

/** Every command, in the order in which help shows them. `help` itself and `--version` need none. */
export const COMMANDS: readonly Command[] = [
  serve,
  keysCreate,
  keysList,
  keysEdit,
  keysRotate,
  keysRevoke,
  ownerLink,
  connect,
  projectsList,
  projectsCreate,
  projectsRename,
  projectsArchive,
  membersList,
  membersEdit,
  membersRemove,
  sessionsList,
  sessionsEnd,
  invitesList,
  invitesCreate,
  invitesRevoke,
  budgetsList,
  budgetsSet,
  budgetsRemove,
  budgetsOverride,
  productsList,
  productsCreate,
  productsEdit,
  productsRotate,
  productsDelete,
  pricesList,
  pricesSet,
  pricesRemove,
  aliasesList,
  aliasesSet,
  aliasesRemove,
  adminKeysCreate,
  adminKeysList,
  adminKeysRevoke,
  auditList,
  auditVerify,
  providersList,
  providersAdd,
  providersTest,
  providersRemove,
  providersRewrap,
  providerKeysAdd,
  providerKeysEdit,
  providerKeysRemove,
  catalogList,
  catalogImport,
  routesList,
  routesShow,
  routesPut,
  routesRemove,
  routesExplain,
  routesReplay,
  routesTrain,
  routesVersions,
  routesDiff,
  routesCanary,
  routesPromote,
  routesRollback,
  usageList,
  usageShow,
  usageSummary,
  status,
  configCheck,
  doctor,
];

/**
 * Runs one command; resolves with the exit code: 0, 1 where it failed, 2 where it was not understood. A failure that the
 * operator can mend is one sentence on stderr, or with `--json` one object on stdout; any other is thrown.
 */
export async function run(argv: readonly string[], tools: Toolbox, terminal: Terminal): Promise<ExitCode> {
  const json = argv.includes('--json');
  const print = (value: unknown) => terminal.print(JSON.stringify(value));
  try {
    const line = parseCommandLine(argv, COMMANDS);
    if (line.flags.has('version')) {
      if (json) print({ version: tools.version });
      else terminal.print(tools.version);
      return 0;
    }
    const help = helpFor(line, tools.version);
    if (help !== null) {
      terminal.print(help);
      return 0;
    }
    const answer = await call(line, json, tools, terminal);
    if (typeof answer === 'number') return answer;
    if (json) print(answer.json);
    else if (answer.text !== '') terminal.print(answer.text);
    for (const note of answer.notes ?? []) terminal.warn(note);
    return answer.code ?? 0;
  } catch (error) {
    const message = sentenceOf(error);
    if (message === null) throw error;
    if (json) print(failureJson(error, message));
    else terminal.warn(message);
    return error instanceof UsageError ? MISUSED : FAILED;
  }
}

/** The help that was asked for, by `--help` or by the command `help`; `null` where none was. */
function helpFor({ command, words, flags }: CommandLine, version: string): string | null {
  if (command !== undefined) return flags.has('help') ? commandHelp(command) : null;
  const topic = words[0] === 'help' ? words.slice(1) : flags.has('help') ? words : null;
  if (topic === null) return null;
  if (topic.length === 0) return overview(version, COMMANDS);
  const found = COMMANDS.filter(({ name }) => name === topic.join(' ') || name.startsWith(`${topic.join(' ')} `));
  if (found.length === 0) throw unknownCommand(topic, COMMANDS);
  return found.length === 1 ? commandHelp(found[0]!) : overview(version, found);
}

function call(
  { command: named, words, values, flags }: CommandLine,
  json: boolean,
  tools: Toolbox,
  terminal: Terminal,
) {
  const command = named ?? (words.length === 0 ? serve : undefined);
  if (command === undefined) throw unknownCommand(words, COMMANDS);
  const { name, options } = command;
  const expected = [command.argument, command.second].flatMap((each) => each ?? []);
  const [argument, second] = words;
  const surplus = words[expected.length];
  if (surplus !== undefined) throw new UsageError(`headgate ${name} does not know what to do with “${surplus}”.`);
  const missing = expected.find(({ required }, index) => required && words[index] === undefined);
  if (missing !== undefined) {
    const whole = expected.map(({ value }) => value).join(' ');
    throw new UsageError(`headgate ${name} needs ${missing.value}: headgate ${name} ${whole}`);
  }
  for (const [option, { required, value }] of Object.entries(options)) {
    if (required && values[option] === undefined) {
      throw new UsageError(`headgate ${name} needs --${option}: headgate ${name} --${option} ${value}`);
    }
  }
  const where = { config: values.config, data: values.data };
  return command.run({ argument, second, values, flags, where, json, tools, terminal });
}
