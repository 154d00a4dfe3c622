/** `warn`: it works, but needs a look. */
export type Check = { name: string; status: 'ok' | 'warn' | 'fail'; message: string };

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

export function warn(name: string, message: string): Check {
  return { name, status: 'warn', message };
}

export function fail(name: string, message: string): Check {
  return { name, status: 'fail', message };
}
