import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/call.ts';
import { Button } from './button.tsx';
import { Id } from './copy.tsx';
import { Notice } from './states.tsx';

const FAILED = { predicate: ({ state }: Query) => state.status === 'error' } as const;
/** What could not be read, and is shown. */
const SHOWN = { ...FAILED, type: 'active' } as const;

/**
 * What went wrong, in the gateway's own words, with the request that tells more of it in the log. What could not be read can be
 * asked for again, and all of the page that could not be read with it.
 */
export function Failure({ error }: { error: Error }) {
  const client = useQueryClient();
  const isBusy = useIsFetching(SHOWN) > 0;
  const requestId = error instanceof ApiError ? error.requestId : null;
  // Of all, shown or not: what is shown from the cache is not yet known to be shown while this is drawn for the first time.
  const wasRead = client
    .getQueryCache()
    .findAll(FAILED)
    .some(({ state }) => state.error === error);
  return (
    <Notice tone="bad">
      <p>{error.message}</p>
      {requestId && <Id id={requestId} />}
      {wasRead && (
        <div className="mt-1.5">
          <Button isSmall isBusy={isBusy} onClick={() => void client.refetchQueries(SHOWN)}>
            Try again
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** What is wrong with one field of a form, where that is what an operation was refused for. */
export function faultOf(error: Error | null, field: string): string | null {
  return error instanceof ApiError && isOf(error.param, field) ? error.message : null;
}

/** What an operation was refused for, where no field of the form says it. */
export function FormFailure({ error, fields }: { error: Error | null; fields: readonly string[] }) {
  if (error === null || (error instanceof ApiError && fields.some((field) => isOf(error.param, field)))) return null;
  return <Failure error={error} />;
}

/** `ip_ranges.0` is a fault of the field `ip_ranges`. */
function isOf(param: string | null, field: string): boolean {
  return param === field || param?.startsWith(`${field}.`) === true;
}
