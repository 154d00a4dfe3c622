import type { Environment } from '../../config/interpolate.ts';

/** What a tool needs to know. */
export type ToolConnection = {
  /** Address of the gateway, without `/v1` and trailing slash. */
  address: string;
  model: string;
  /** The model for small tasks such as titles; equal to `model` if there is no smaller one. */
  smallModel: string;
  /** The secret of an API key. */
  key: string;
};

/** The working folder and environment of the command: a tool's files are found as the tool itself finds them. */
export type ToolPlace = { env: Environment; cwd: string };

/** A part of a tool's configuration to paste; `about` says where. */
export type Snippet = { about: string; language: string; text: string };

/** The edit of one file. */
export type FileEdit = {
  path: string;
  /** Whether the file will contain the key, and so must be private. */
  holdsKey: boolean;
  /** The new text, from the present one (`null`: no file). Throws an `OperatorError` if this is not possible. */
  edit(text: string | null): string;
};

/** A supported developer tool. */
export type DeveloperTool = {
  /** Its name on the command line and in the name of its key. */
  id: string;
  label: string;
  /** Ids of the models it is made for, best first. */
  prefers: readonly RegExp[];
  /** The settings to make by hand. */
  snippets(connection: ToolConnection, place: ToolPlace): readonly Snippet[];
  /** What to run next, or to know. */
  advice: readonly string[];
  /** The edits of its files, or a sentence that says why there are none. */
  files: ((connection: ToolConnection, place: ToolPlace) => readonly FileEdit[]) | string;
};
