/** Words of a JSON Schema as they stand in Python. */

export const MARK = '# Written from the gateway’s /openapi.json by clients/openapi/python.ts: not to be edited.';
export const INDENT = '    ';

/** The longest line, in characters. */
export const WIDTH = 120;

/** A docstring with its line end; nothing where there is no description. */
export function docstring(description: string | undefined, indent: string): string {
  if (description === undefined) return '';
  const [line = '', ...more] = wrapped(`"""${plain(description)}`, indent);
  if (more.length === 0 && line.length + 3 <= WIDTH) return `${line}"""\n`;
  return [line, ...more, `${indent}"""`, ''].join('\n');
}

/** Lines of at most `WIDTH` characters, each after the indent. */
export function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of plain(text).split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}

function plain(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('’', "'").replaceAll(/“|”/g, '`');
}

export function literal(value: string | number | boolean | null): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value);
}

export function pascal(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Of a class for the items of a list: \`Candidates\` → \`Candidate\`. */
export function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`;
}

const KEYWORDS = new Set(['from', 'in', 'is', 'class', 'def', 'global', 'pass', 'import', 'not', 'or', 'and', 'async']);

/** The name as Python can have it. Throws where it cannot. */
export function identifier(name: string): string {
  if (KEYWORDS.has(name)) return `${name}_`;
  if (!/^[a-z_]\w*$/i.test(name)) throw new Error(`${name} is no name in Python.`);
  return name;
}
