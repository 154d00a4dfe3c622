import type { Row, UsageColumn } from './columns.tsx';

/** What is shown, with every number in full, and the totals last. */
export function csvOf(title: string, columns: readonly UsageColumn[], rows: readonly Row[]): string {
  const lines = [
    [title, 'id', ...columns.map(({ id }) => id)],
    ...rows.map((row) => [row.name, row.value ?? '', ...columns.map(({ text }) => text(row))]),
  ];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** Spreadsheets take what begins like a formula for one: names are not to be that. Numbers are let be. */
function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Gives a file to the person who looks at the page. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
