type Environment = { process?: { env?: Readonly<Record<string, string | undefined>> } };

/** Of a variable; `null` where it is unset, empty, or there is no environment to read, as in a browser. */
export function environment(name: string): string | null {
  return (globalThis as Environment).process?.env?.[name]?.trim() || null;
}

const LOCAL = 'http://127.0.0.1:8080';

/** The gateway's address with `/v1`: as given, else that of `HEADGATE_BASE_URL`, else a gateway on this machine. */
export function addressOf(baseURL: string | null | undefined): string {
  const url = (baseURL || environment('HEADGATE_BASE_URL') || LOCAL).replace(/\/+$/, '');
  return url.endsWith('/v1') ? url : `${url}/v1`;
}

/** What is wrong where there is no key. */
export const NO_KEY =
  'There is no API key: set HEADGATE_API_KEY in the environment, or pass `apiKey`. The gateway’s first start prints a key, ' +
  'and `headgate keys create` makes more.';

/** What is wrong with a key that no header can have. The platform would say so with the key in its words. */
export function faultOf(name: string, key: string): string | null {
  if (/^[\x21-\x7e]*$/.test(key)) return null;
  return `\`${name}\` has a space, a line break or another character that no key has.`;
}
