/** The default time in ms after which a wait fails: far longer than a busy machine takes. */
export const WAIT_MS = 120_000;

/** Between two questions of a poll, in ms. */
const POLL_MS = 10;

/**
 * Resolves when it is time to ask again whether something holds. Asking without a pause would take the CPU time from what
 * has to change.
 */
export function nextPoll(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Waits for conditions without sleeping: code that changes their state calls `changed`. */
export type Waiters = {
  changed(): void;
  /**
   * Resolves when `condition` is true, now or after a later `changed`. Rejects if it throws, and after `timeoutMs` with
   * an error that says what it waited for.
   */
  until(condition: () => boolean, what: () => string, timeoutMs?: number): Promise<void>;
};

export function createWaiters(): Waiters {
  const checks = new Set<() => void>();
  return {
    changed() {
      for (const check of checks) check();
    },
    until(condition, what, timeoutMs = WAIT_MS) {
      return new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer);
          checks.delete(check);
          act();
        };
        const check = () => {
          try {
            if (condition()) settle(resolve);
          } catch (error) {
            settle(() => reject(error));
          }
        };
        const expire = () => settle(() => reject(new Error(`waited ${timeoutMs} ms in vain for ${what()}`)));
        const timer = setTimeout(expire, timeoutMs);
        checks.add(check);
        check();
      });
    },
  };
}
