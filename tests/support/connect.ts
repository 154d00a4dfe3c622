import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The documentation page on connecting programs. Tests run its blocks as written, except for the address. */
export const PAGE = readFileSync(fileURLToPath(new URL('../../docs/connect.md', import.meta.url)), 'utf8');

/** The gateway's address on the page. */
const ADDRESS = 'http://127.0.0.1:8080';
const BLOCK = /^```(\w+)\n(.*?)^```$/gms;
const EXPORT = /^export (\w+)=(.*)$/gm;

/** A code block of the page, with its `##` heading. */
export type Block = { heading: string; language: string; text: string };

/** All blocks of the page for a gateway at `url`. */
export function blocksFor(url: string): readonly Block[] {
  return PAGE.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    return [...section.matchAll(BLOCK)].map(([, language = '', text = '']) => {
      return { heading, language, text: text.replaceAll(ADDRESS, url) };
    });
  });
}

/** The only block of a language below a heading. */
export function blockFor(url: string, heading: string, language: string): string {
  const found = blocksFor(url).filter((block) => block.heading === heading && block.language === language);
  if (found.length !== 1) throw new Error(`docs/connect.md has ${found.length} ${language} blocks under ${heading}`);
  return found[0]!.text;
}

/** The variables that the `export` lines of a shell block set, given the `known` ones. */
export function exported(shell: string, known: Readonly<Record<string, string>>): Record<string, string> {
  const lines = [...shell.matchAll(EXPORT)].map(([, name = '', value = '']) => {
    return [name, value.replace(/\$(\w+)/g, (_, other: string) => known[other] ?? '')];
  });
  return Object.fromEntries(lines) as Record<string, string>;
}
