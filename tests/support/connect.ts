import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The page that tells how programs are connected, whose blocks are run as they stand but for the address. */
export const PAGE = readFileSync(fileURLToPath(new URL('../../docs/connect.md', import.meta.url)), 'utf8');

/** Where the page takes the gateway to be. */
const ADDRESS = 'http://127.0.0.1:8080';
const BLOCK = /^```(\w+)\n(.*?)^```$/gms;
const EXPORT = /^export (\w+)=(.*)$/gm;

/** A block of the page, under its `##` heading. */
export type Block = { heading: string; language: string; text: string };

/** Every block of the page, made for a gateway at `url`. */
export function blocksFor(url: string): readonly Block[] {
  return PAGE.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    return [...section.matchAll(BLOCK)].map(([, language = '', text = '']) => {
      return { heading, language, text: text.replaceAll(ADDRESS, url) };
    });
  });
}

/** The one block of a language under a heading. */
export function blockFor(url: string, heading: string, language: string): string {
  const found = blocksFor(url).filter((block) => block.heading === heading && block.language === language);
  if (found.length !== 1) throw new Error(`docs/connect.md has ${found.length} ${language} blocks under ${heading}`);
  return found[0]!.text;
}

/** What the `export` lines of a shell block set, where `known` is set already. */
export function exported(shell: string, known: Readonly<Record<string, string>>): Record<string, string> {
  const lines = [...shell.matchAll(EXPORT)].map(([, name = '', value = '']) => {
    return [name, value.replace(/\$(\w+)/g, (_, other: string) => known[other] ?? '')];
  });
  return Object.fromEntries(lines) as Record<string, string>;
}
