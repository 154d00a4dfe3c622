import { printableJson } from '../core/printable-text.ts';
import { Api } from './api.ts';
import { type CommandLine, parseCommandLine, unknownCommand } from './arguments.ts';
import type { Command, CommandAnswer, CommandCall, ExitCode } from './command.ts';
import { commandsFor } from './commands.ts';
import { FAILED, failureJson, MISUSED, sentenceOf, UsageError } from './failure.ts';
import { callText, commandHelp, overview } from './help.ts';
import type { Terminal } from './terminal.ts';
import type { Toolbox } from './toolbox.ts';

/**
 * Runs one command and returns the exit code: 0, 1 if it failed, 2 if it was not understood. A failure that the
 * operator can fix is one sentence on stderr, or with `--json` one object on stdout. Other failures are thrown.
 */
export async function run(argv: readonly string[], tools: Toolbox, terminal: Terminal): Promise<ExitCode> {
  const json = argv.includes('--json');
  const print = (value: unknown) => terminal.print(printableJson(JSON.stringify(value)));
  try {
    const commands = await commandsFor(argv);
    const line = parseCommandLine(argv, commands);
    if (line.flags.has('version')) {
      if (json) print({ version: tools.version });
      else terminal.print(tools.version);
      return 0;
    }
    const help = helpFor(line, commands, tools.version);
    if (help !== null) {
      terminal.print(help);
      return 0;
    }
    const answer = await call(line, commands, { json, tools, terminal });
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

/** The requested help, by `--help` or the command `help`; `null` if none was requested. */
function helpFor({ command, words, flags }: CommandLine, commands: readonly Command[], version: string): string | null {
  if (command !== undefined) return flags.has('help') ? commandHelp(command) : null;
  const topic = words[0] === 'help' ? words.slice(1) : flags.has('help') ? words : null;
  if (topic === null) return null;
  if (topic.length === 0) return overview(version, commands);
  const found = commands.filter(({ name }) => name === topic.join(' ') || name.startsWith(`${topic.join(' ')} `));
  if (found.length === 0) throw unknownCommand(topic, commands);
  return found.length === 1 ? commandHelp(found[0]!) : overview(version, found);
}

async function call(
  { command: named, words, values, flags }: CommandLine,
  commands: readonly Command[],
  around: Pick<CommandCall, 'json' | 'tools' | 'terminal'>,
): Promise<CommandAnswer | ExitCode> {
  const command = named ?? (words.length === 0 ? commands.find(({ name }) => name === 'serve') : undefined);
  if (command === undefined) throw unknownCommand(words, commands);
  const { name, options } = command;
  const expected = [command.argument, command.second].flatMap((each) => each ?? []);
  const [argument, second] = words;
  const surplus = words[expected.length];
  if (surplus !== undefined) throw new UsageError(`headgate ${name} takes no argument “${surplus}”.`);
  // An unset variable of a shell is an empty word.
  const missing = expected.find(({ required }, index) => required && !words[index]);
  if (missing !== undefined) throw needs(command, missing.value);
  for (const [option, { required }] of Object.entries(options)) {
    if (required && values[option] === undefined) throw needs(command, `--${option}`);
  }
  const where = { config: values.config, data: values.data };
  const api = new Api(around.tools, where, values.organization ?? null);
  try {
    const answer = await command.run({ argument, second, values, flags, where, api, ...around });
    return typeof answer === 'number' ? answer : { ...answer, notes: [...api.notes, ...(answer.notes ?? [])] };
  } finally {
    await api.close();
  }
}

function needs(command: Command, missing: string): UsageError {
  return new UsageError(`headgate ${command.name} needs ${missing}: headgate ${callText(command)}`);
}
