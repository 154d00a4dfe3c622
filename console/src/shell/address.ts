import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Filters = Readonly<Record<string, string | undefined>>;

/**
 * All filters, sorts, times and the open detail are in the address, so that a link and a reload show the same.
 *
 * @returns what stands there, and a function that changes some of it; `undefined` takes a member away
 */
export function useAddress(): [Filters, (changes: Filters, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Filters, { replace = true }: { replace?: boolean } = {}) => {
      void navigate({ to: '.', search: ((before: Filters) => ({ ...before, ...changes })) as never, replace });
    },
    [navigate],
  );
  return [search, change];
}
