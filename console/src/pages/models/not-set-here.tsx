import { ApiError } from '../../api/call.ts';
import { Failure } from '../../parts/failure.tsx';

/** Why the gateway's own settings cannot be shown: to another organization than its first that is no failure. */
export function NotSetHere({ error }: { error: Error }) {
  const isRefused = error instanceof ApiError && error.status === 403;
  return isRefused ? <p className="text-table text-weak">{error.message}</p> : <Failure error={error} />;
}
