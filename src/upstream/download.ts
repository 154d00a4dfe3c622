/** `signal` aborts the download. */
export type DownloadLimits = { timeoutMs: number; maxBytes: number; signal?: AbortSignal };

/**
 * Downloads the text at an http or https URL that is not a vendor's, through the environment's proxies. Rejects with an
 * `Error` whose message names the URL.
 */
export async function download(url: string, { timeoutMs, maxBytes, signal }: DownloadLimits): Promise<string> {
  // Imported on use, because it takes some megabytes.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    const response = await fetch(url, { dispatcher, signal: ended });
    if (response.status !== 200 || response.body === null) throw new Error(`${url} answered ${response.status}.`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`${url} is longer than ${maxBytes} bytes.`);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (cause) {
    throw errorOf(url, cause);
  } finally {
    await dispatcher.destroy();
  }
}

function errorOf(url: string, cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error(`${url} could not be read.`, { cause });
  if (cause.message.startsWith(url)) return cause;
  const { message } = cause.cause instanceof Error ? cause.cause : cause;
  return new Error(`${url} could not be read: ${message}`, { cause });
}
