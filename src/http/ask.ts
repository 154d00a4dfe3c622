/** A gateway's answer, as far as it is JSON; or why there is none: the system's word for it (`ECONNREFUSED`). */
export type GatewayAnswer = { status: number; json: unknown } | { silent: string };

export type GatewayQuestion = { method: 'GET' | 'POST'; key: string; body?: string };

/** Longer than a gateway takes to ask all its workers. */
const TIMEOUT_MS = 15_000;

/** Asks a gateway that runs, in a process of its own: for commands. */
export async function ask(url: string, { method, key, body }: GatewayQuestion): Promise<GatewayAnswer> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body }),
    });
    return { status: response.status, json: parsed(await response.text()) };
  } catch (error) {
    return { silent: reasonOf(error) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : message;
}
