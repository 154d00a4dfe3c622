import { printableText } from '../core/printable-text.ts';

export type Column<Row> = { title: string; of(row: Row): string; align?: 'right' };

/** Aligned columns with titles. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map(({ of }) => of(row)));
  return align([columns.map(({ title }) => title), ...cells], columns);
}

/** Aligned text without titles; each column is as wide as its longest cell. */
export function align(cells: readonly (readonly string[])[], columns: readonly { align?: 'right' }[] = []): string {
  // Names come from providers and callers.
  const printable = cells.map((row) => row.map((cell) => printableText(cell, '·')));
  const widths: number[] = [];
  for (const row of printable) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const fill = (cell: string, index: number) =>
    columns[index]?.align === 'right' ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
  return printable.map((row) => row.map(fill).join('  ').trimEnd()).join('\n');
}
