import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** `signal` gives it up before its time. */
export type SourceLimits = { timeoutMs: number; maxBytes: number; signal?: AbortSignal };

/** The longest that a list of models and prices may take to arrive, and the most that it may hold. */
export const SOURCE_LIMITS: SourceLimits = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };

/** The text at an http or https address. Rejects with an `Error` whose sentence names the address. */
export type Download = (url: string, limits: SourceLimits) => Promise<string>;

/** A list of models and prices as it was found: `writtenAt` in Unix ms; `name`, whom to call its source if it does not say. */
export type SourceText = { text: string; writtenAt: number; name: string };

/** Whether a source is an address, and no path. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Reads what is at an address or in a file. Rejects with the system's `Error`, or one whose sentence names the source. */
export async function readSource(source: string, download: Download, limits = SOURCE_LIMITS): Promise<SourceText> {
  if (isAddress(source)) {
    const text = await download(source, limits);
    return { text, writtenAt: Date.now(), name: new URL(source).hostname };
  }
  const { size, mtimeMs } = await stat(source);
  if (size > limits.maxBytes) throw new Error(`${source} is longer than ${limits.maxBytes} bytes.`);
  return { text: await readFile(source, 'utf8'), writtenAt: mtimeMs, name: basename(source) };
}
