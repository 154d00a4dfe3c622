import { useState } from 'react';
import { ApiError } from '../api/call.ts';

type Edit<Form, Version> = {
  /** What the fields show. */
  typed: Form;
  /** What was touched: this alone is sent. */
  changes: Partial<Form>;
  set: (changes: Partial<Form>) => void;
  /** What is to be sent as `if_version`. */
  seen: Version;
};

/**
 * A form over what others may change, too. What was touched stays as it was typed; all else is as it is `now`.
 */
export function useEdit<Form extends object, Version>(
  { now, version }: { now: Form; version: Version },
  error: Error | null,
): Edit<Form, Version> {
  const [changes, setChanges] = useState<Partial<Form>>({});
  const seen = useSeen(version, error);
  const set = (more: Partial<Form>) => setChanges((before) => ({ ...before, ...more }));
  return { typed: { ...now, ...changes }, changes, set, seen };
}

/** The version that was opened and, once the gateway refused a change of that one (`error`), the version that is shown since. */
export function useSeen<Version>(version: Version, error: Error | null): Version {
  const [seen, setSeen] = useState(version);
  if (error instanceof ApiError && error.status === 409 && seen !== version) setSeen(version);
  return seen;
}
