import { redactAddresses } from '../core/address-redaction.ts';

/** `signal` aborts the download. */
export type DownloadLimits = { timeoutMs: number; maxBytes: number; signal?: AbortSignal };

/**
 * Downloads the text at an http or https URL that is not a vendor's, through the environment's proxies. A user name and
 * password in it are sent as such (`Basic`). Rejects with an `Error` whose message names the URL, without secrets.
 */
export async function download(url: string, { timeoutMs, maxBytes, signal }: DownloadLimits): Promise<string> {
  // Imported on use, because it takes some megabytes.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const shown = redactAddresses(url);
  const dispatcher = new EnvHttpProxyAgent();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    const { address, headers } = requestOf(url);
    const response = await fetch(address, { dispatcher, signal: ended, headers });
    if (response.status !== 200 || response.body === null) throw new Error(`${shown} answered ${response.status}.`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`${shown} is longer than ${maxBytes} bytes.`);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (cause) {
    throw errorOf(shown, cause);
  } finally {
    await dispatcher.destroy();
  }
}

/** A request may have no user name in its address. */
function requestOf(url: string): { address: URL; headers: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address, headers: {} };
  address.username = '';
  address.password = '';
  const told = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return { address, headers: { authorization: `Basic ${told}` } };
}

function errorOf(shown: string, cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error(`${shown} could not be read.`, { cause });
  if (cause.message.startsWith(shown)) return cause;
  const { message } = cause.cause instanceof Error ? cause.cause : cause;
  return new Error(`${shown} could not be read: ${redactAddresses(message)}`, { cause });
}
