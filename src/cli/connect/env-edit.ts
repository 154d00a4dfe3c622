import { lineEnd } from './splice.ts';

const ASSIGNMENT = /^(\s*(?:export\s+)?)([\w.-]+)\s*=\s*([\s\S]*)$/;

/** Sets variables in the text of a `.env` file. The line of a variable is replaced; all other lines stay. */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  const eol = lineEnd(text);
  const missing = new Set(Object.keys(values));
  /** The quote of a value that continues on the next line. */
  let open: string | null = null;
  const lines = text.split('\n').map((line, index, all) => {
    if (open !== null) {
      if (line.includes(open)) open = null;
      return line;
    }
    const [, before = '', name = '', value = ''] = ASSIGNMENT.exec(line) ?? [];
    const quote = /^["'`]/.exec(value)?.[0] ?? null;
    // An unclosed quote is an ordinary character.
    if (quote !== null && !value.slice(1).includes(quote) && closes(all.slice(index + 1), quote)) open = quote;
    if (!Object.hasOwn(values, name) || open !== null) return line;
    missing.delete(name);
    return `${before}${name}=${values[name]}${line.endsWith('\r') ? '\r' : ''}`;
  });
  const edited = lines.join('\n');
  if (missing.size === 0) return edited;
  const gap = edited === '' || edited.endsWith('\n') ? '' : eol;
  return edited + gap + [...missing].map((name) => `${name}=${values[name]}${eol}`).join('');
}

function closes(lines: readonly string[], quote: string): boolean {
  return lines.some((line) => line.includes(quote));
}
