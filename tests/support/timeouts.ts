/** No call comes to a deadline as late as this, however busy the machine is. */
export const LONG_MS = 60_000;

const PATIENT = {
  connect: LONG_MS,
  first_byte: LONG_MS,
  idle: LONG_MS,
  total: LONG_MS,
  ping: LONG_MS,
  hold: LONG_MS,
};

/** The timeouts of a gateway's configuration, in ms. */
export type Timeouts = Partial<typeof PATIENT>;

/** The value of `timeouts` in a configuration: each that is not given is `LONG_MS`. */
export function timeoutsOf(given: Timeouts = {}): string {
  const members = Object.entries({ ...PATIENT, ...given }).map(([name, ms]) => `${name}: ${ms}ms`);
  return `{ ${members.join(', ')} }`;
}
