import type { Api } from './api.ts';
import type { Terminal } from './terminal.ts';
import type { Toolbox, Where } from './toolbox.ts';

/** `value` is the placeholder in help; `null` for a flag. */
export type CommandOption = { value: string | null; about: string; required?: true };
export type Options = Readonly<Record<string, CommandOption>>;

export type Argument = { value: string; about: string; required: boolean };

export type Command = {
  /** The command's words, such as `keys create`. */
  name: string;
  /** One line for lists. */
  about: string;
  /** Further text of its own help. */
  details?: string;
  /** The placeholder of its argument. */
  argument?: Argument;
  /** The placeholder of a second argument. */
  second?: Argument;
  options: Options;
  examples: readonly string[];
  run(call: CommandCall): Promise<CommandAnswer | ExitCode>;
};

/** A parsed call of a command. */
export type CommandCall = {
  argument: string | undefined;
  second: string | undefined;
  /** Values of options that take one. */
  values: Readonly<Record<string, string | undefined>>;
  flags: ReadonlySet<string>;
  where: Where;
  /** Whether the output will be JSON. */
  json: boolean;
  tools: Toolbox;
  api: Api;
  terminal: Terminal;
};

/** The output of a command: text or JSON on stdout, and notes on stderr. */
export type CommandAnswer = { text: string; json: unknown; notes?: readonly string[]; code?: ExitCode };

export type ExitCode = number;

/** Options of every command. */
export const COMMON_OPTIONS: Options = {
  config: { value: 'FILE', about: 'Configuration file, like HEADGATE_CONFIG (default: searched for).' },
  data: { value: 'FOLDER', about: 'Data folder, like HEADGATE_DATA.' },
  json: { value: null, about: 'Print JSON, also for failures.' },
  help: { value: null, about: 'Show this help.' },
};
