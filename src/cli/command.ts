import type { Terminal } from './terminal.ts';
import type { Toolbox, Where } from './toolbox.ts';

/** `value` is the word that help shows for what follows the option; `null` for one that is followed by nothing. */
export type CommandOption = { value: string | null; about: string; required?: true };
export type Options = Readonly<Record<string, CommandOption>>;

export type Argument = { value: string; about: string; required: boolean };

export type Command = {
  /** The words that name the command, such as `keys create`. */
  name: string;
  /** A line for lists. */
  about: string;
  /** What else its own help says. */
  details?: string;
  /** What follows its words. */
  argument?: Argument;
  /** A second argument, after the first. */
  second?: Argument;
  options: Options;
  examples: readonly string[];
  run(call: CommandCall): Promise<CommandAnswer | ExitCode>;
};

/** A command as it was called. */
export type CommandCall = {
  argument: string | undefined;
  second: string | undefined;
  /** The values of the options that take one. */
  values: Readonly<Record<string, string | undefined>>;
  flags: ReadonlySet<string>;
  where: Where;
  /** Whether the answer will be shown as JSON. */
  json: boolean;
  tools: Toolbox;
  terminal: Terminal;
};

/** The output of a command: text or JSON on stdout, and in both cases notes on stderr. */
export type CommandAnswer = { text: string; json: unknown; notes?: readonly string[]; code?: ExitCode };

export type ExitCode = number;

/** Every command has these. */
export const COMMON_OPTIONS: Options = {
  config: { value: 'FILE', about: 'The configuration file, like HEADGATE_CONFIG; left out, it is looked for.' },
  data: { value: 'FOLDER', about: 'The data folder, like HEADGATE_DATA.' },
  json: { value: null, about: 'Answer in JSON, failures too.' },
  help: { value: null, about: 'Show this help.' },
};
