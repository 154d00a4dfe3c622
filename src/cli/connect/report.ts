import type { ApiKey } from '../../core/records.ts';
import type { MadeKey } from '../../tasks/keys.ts';
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
    `Key ${made.key.id} (${made.key.name}) of the organization ${made.owner.name}, shown only once.`,
    ...snippets.flatMap(({ about, text }) => [`${about}:`, text]),
    closing(tool, connection),
  ].join('\n\n');
}

/** What was written, and how to undo it. */
export function writtenText(
  { tool, connection }: { tool: DeveloperTool; connection: ToolConnection },
  written: readonly WrittenFile[],
  { key, owner }: MadeKey,
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
    `${capital(tool.label)} is connected with key ${key.id} (${key.name}) of the organization ${owner.name}.`,
    align(rows),
    ['To undo:', ...undoLines(written, key, where).map((line) => `  ${line}`)].join('\n'),
    closing(tool, connection),
  ].join('\n\n');
}

/** Commands that restore everything. */
export function undoLines(written: readonly WrittenFile[], { id }: ApiKey, where: Where): string[] {
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
