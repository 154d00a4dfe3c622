import type { Environment } from '../../config/interpolate.ts';

/** What a tool is told. */
export type ToolConnection = {
  /** The address of the gateway, without `/v1` and trailing slash. */
  address: string;
  model: string;
  /** The model for small tasks such as titles; the same as `model` where there is no smaller one. */
  smallModel: string;
  /** The secret of an API key. */
  key: string;
};

/** Where the command was started, and with what: a tool's files are found as the tool itself finds them. */
export type ToolPlace = { env: Environment; cwd: string };

/** A part of a tool's configuration, ready to be pasted; `about` says where. */
export type Snippet = { about: string; language: string; text: string };

/** What is to be done to one file. */
export type FileEdit = {
  path: string;
  /** Whether the file holds the key afterwards, and so is for its owner alone. */
  holdsKey: boolean;
  /** The new text, from the one that is there (`null`: there is no file). Throws an `OperatorError` where it cannot be had. */
  edit(text: string | null): string;
};

/** A developer tool that can be connected. */
export type DeveloperTool = {
  /** Its name on the command line, and in the name of its key. */
  id: string;
  label: string;
  /** Which ids of models it is made for, best first. */
  prefers: readonly RegExp[];
  /** What is to be set by hand. */
  snippets(connection: ToolConnection, place: ToolPlace): readonly Snippet[];
  /** What to run then, or to know. */
  advice: readonly string[];
  /** What is to be done to its files; a sentence that says why not, where it has none that could be written. */
  files: ((connection: ToolConnection, place: ToolPlace) => readonly FileEdit[]) | string;
};
