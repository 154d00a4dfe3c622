import { actorOf, addressOf, detailsOf, type Entry } from './entry.ts';

const HEAD = ['id', 'time', 'event', 'actor', 'address', 'project', 'resource', 'details'];

/** What is shown, a line an entry. */
export function csvOf(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => {
    const details = detailsOf(entry);
    return [
      entry.id,
      new Date(entry.effective_at * 1000).toISOString(),
      entry.type,
      actorOf(entry),
      addressOf(entry) ?? '',
      entry.project?.name ?? '',
      String(details.id ?? ''),
      JSON.stringify(details),
    ];
  });
  return [HEAD, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

export function jsonLinesOf(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** What a spreadsheet would take for a formula is written as text. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Saves a text as a file of this name. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
