import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** `signal` aborts the download. */
export type SourceLimits = { timeoutMs: number; maxBytes: number; signal?: AbortSignal };

/** The limits of a list of models and prices: the time of its download, and its size. */
export const SOURCE_LIMITS: SourceLimits = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };

/** Downloads text from an http or https address. Rejects with an `Error` whose message names the address. */
export type Download = (url: string, limits: SourceLimits) => Promise<string>;

/** A list of models and prices. `writtenAt` is Unix ms; `name` is the source's name if the list does not state one. */
export type SourceText = { text: string; writtenAt: number; name: string };

/** True if a source is an address, false if it is a path. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Reads an address or a file. Rejects with the system's `Error`, or one whose message names the source. */
export async function readSource(source: string, download: Download, limits = SOURCE_LIMITS): Promise<SourceText> {
  if (isAddress(source)) {
    const text = await download(source, limits);
    return { text, writtenAt: Date.now(), name: new URL(source).hostname };
  }
  const { size, mtimeMs } = await stat(source);
  if (size > limits.maxBytes) throw new Error(`${source} is longer than ${limits.maxBytes} bytes.`);
  return { text: await readFile(source, 'utf8'), writtenAt: mtimeMs, name: basename(source) };
}
