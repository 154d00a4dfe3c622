import { parseArgs } from 'node:util';
import { suggestion } from '../config/suggestion.ts';
import { COMMON_OPTIONS, type Command, type CommandOption, type Options } from './command.ts';
import { UsageError } from './failure.ts';

/** A parsed command line. */
export type CommandLine = {
  /** The named command, if any. */
  command: Command | undefined;
  /** The arguments besides options and the words of the command. */
  words: string[];
  values: Record<string, string>;
  flags: Set<string>;
};

const VERSION: Options = { version: { value: null, about: 'Show the version.' } };
const SHORT: Readonly<Record<string, string>> = { help: 'h', version: 'v' };

/** Options may stand anywhere, even before the command. Throws a `UsageError` for an unknown one. */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const everywhere: Options = { ...COMMON_OPTIONS, ...VERSION };
  const all = Object.assign({}, ...commands.map(({ options }) => options), everywhere) as Options;
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(all).map(([name, option]) => [name, parserOption(name, option)])),
    strict: false,
    tokens: true,
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = findCommand(words, commands);
  const known = { ...(command?.options ?? (words.length === 0 ? {} : all)), ...everywhere };
  const line: CommandLine = {
    command,
    words: command === undefined ? words : words.slice(command.name.split(' ').length),
    values: {},
    flags: new Set(),
  };
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, command, known);
    if (option.value === null) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
      line.flags.add(token.name);
    } else {
      if (line.values[token.name] !== undefined) throw new UsageError(`${token.rawName} was given twice.`);
      line.values[token.name] = givenValue(token, option.value);
    }
  }
  return line;
}

/** The command that these words begin with. */
function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const [first = '', second = ''] = words;
  return commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
}

/** The error for words that name no command. It lists the commands. */
export function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [first = '', second] = words;
  const group = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `));
  if (group.length > 0) {
    const wrong =
      second === undefined ? `“${first}” is not a complete command` : `There is no command “${first} ${second}”`;
    return new UsageError(`${wrong}. Commands: ${group.join(', ')}.`);
  }
  const names = commands.map(({ name }) => name);
  const near = second === undefined ? '' : suggestion(`${first} ${second}`, names);
  const hint = near === '' ? suggestion(first, [...names, 'help']) : near;
  return new UsageError(`There is no command “${first}”${hint}. List the commands: headgate help`);
}

function parserOption(name: string, { value }: CommandOption) {
  const short = SHORT[name];
  return { type: value === null ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const;
}

function unknownOption(given: string, command: Command | undefined, known: Options): UsageError {
  const near = suggestion(
    given,
    Object.keys(known).map((name) => `--${name}`),
  );
  const whose = command === undefined ? 'There is no option' : `headgate ${command.name} has no option`;
  const help = ['headgate', ...(command === undefined ? [] : [command.name]), '--help'].join(' ');
  return new UsageError(`${whose} ${given}${near}. List the options: ${help}`);
}

type OptionToken = { rawName: string; value: string | undefined; inlineValue: boolean | undefined };

function givenValue({ rawName, value, inlineValue }: OptionToken, word: string): string {
  if (value === undefined || value === '') throw new UsageError(`${rawName} needs a value: ${rawName} ${word}`);
  if (value.startsWith('-') && inlineValue === false) {
    throw new UsageError(
      `${rawName} needs a value, but ${value} is an option. Write ${rawName}=${value} if it is the value`,
    );
  }
  return value;
}
