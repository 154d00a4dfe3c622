import type { MadeKey, ShownKey } from '../keys/api-keys.ts';
import { align } from '../table.ts';
import type { Where } from '../toolbox.ts';
import type { WrittenFile } from './files.ts';
import type { DeveloperTool, Snippet, ToolConnection } from './tool.ts';

/** The settings to make by hand. */
export function printableText(
  tool: DeveloperTool,
  snippets: readonly Snippet[],
  connection: ToolConnection,
  made: MadeKey,
): string {
  return [
    `Key ${made.id} (${made.name}) of the organization ${made.organization_name}, shown only once.`,
    ...snippets.flatMap(({ about, text }) => [`${about}:`, text]),
    closing(tool, connection),
  ].join('\n\n');
}

/** What was written, and how to undo it. */
export function writtenText(
  { tool, connection }: { tool: DeveloperTool; connection: ToolConnection },
  written: readonly WrittenFile[],
  made: MadeKey,
  where: Where,
): string {
  const rows = written.map(({ path, backup, holdsKey }) => [
    backup === null ? 'Made' : 'Changed',
    path,
    [backup === null ? '' : `before: ${backup}`, holdsKey ? 'contains the key, readable only by you' : '']
      .filter((note) => note !== '')
      .join('; '),
  ]);
  return [
    `${capital(tool.label)} is connected with key ${made.id} (${made.name}) of the organization ${made.organization_name}.`,
    align(rows),
    ['To undo:', ...undoLines(written, made, where).map((line) => `  ${line}`)].join('\n'),
    closing(tool, connection),
  ].join('\n\n');
}

/** Commands that restore everything. */
export function undoLines(written: readonly WrittenFile[], { id }: ShownKey, where: Where): string[] {
  const files = written.map(({ path, backup }) =>
    backup === null ? `rm ${quoted(path)}` : `mv ${quoted(backup)} ${quoted(path)}`,
  );
  return [...files, revokeCommand(id, where)];
}

/** For the same data. */
export function revokeCommand(id: string, { config, data }: Where): string {
  const rest = Object.entries({ config, data }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return ['npx headgate keys revoke', id, ...rest].join(' ');
}

function closing({ advice }: DeveloperTool, { address, model }: ToolConnection): string {
  return [`Gateway: ${address} (another: --url). Model: ${model} (another: --model).`, ...advice].join('\n');
}

function capital(label: string): string {
  return label[0]!.toUpperCase() + label.slice(1);
}

/** Quotes a word for a shell. */
function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
