import { COMMON_OPTIONS, type Command, type Options } from './command.ts';
import { align } from './table.ts';

/** One line for each command. */
export function overview(version: string, commands: readonly Command[]): string {
  return [
    `Headgate ${version}: one address, one key and one bill for every language model.`,
    '',
    'headgate COMMAND [options]',
    '',
    lines(commands.map((command) => [callText(command), command.about])),
    '',
    'Without a command it serves. Help for a command: headgate COMMAND --help. Version: headgate --version',
    '',
    optionList('Options of every command', COMMON_OPTIONS),
  ].join('\n');
}

/** The full help of one command. */
export function commandHelp(command: Command): string {
  const { about, argument, second, details, examples, options } = command;
  const parts = [`headgate ${callText(command)} [options]`, about];
  if (details !== undefined) parts.push(details);
  const following = [argument, second].flatMap((each) => each ?? []);
  if (following.length > 0) parts.push(lines(following.map(({ value, about: what }) => [value, what])));
  if (Object.keys(options).length > 0) parts.push(optionList('Options', options));
  parts.push(optionList('Options of every command', COMMON_OPTIONS));
  if (examples.length > 0) parts.push(['Examples', ...examples.map((example) => `  ${example}`)].join('\n'));
  return parts.join('\n\n');
}

/** The command's words, required arguments, and optional ones in brackets. */
export function callText({ name, argument, second, options }: Command): string {
  const words = [name];
  for (const each of [argument, second]) {
    if (each !== undefined) words.push(each.required ? each.value : `[${each.value}]`);
  }
  for (const [option, { required, value }] of Object.entries(options)) if (required) words.push(`--${option} ${value}`);
  return words.join(' ');
}

function optionList(title: string, options: Options): string {
  const rows = Object.entries(options).map(([name, { value, about }]) => [
    value === null ? `--${name}` : `--${name} ${value}`,
    about,
  ]);
  return `${title}\n${lines(rows)}`;
}

function lines(rows: readonly (readonly string[])[]): string {
  return align(rows.map((row) => ['', ...row]));
}
