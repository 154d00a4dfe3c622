import {
  keepPreviousData,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Answer, ApiError, call, type Given, type OperationId } from './call.ts';
import { type SignInReason, signInAgain } from './sign-in-again.ts';

/** What failed is asked for again twice: soon, and a little later. */
const RETRY_MS = [300, 900];

// A change that goes out is shown as under way before anything else is pressed: by a timer, Escape could come first, and close what waits for a secret.
notifyManager.setScheduler(queueMicrotask);

/** What was read is shown at once and asked for again behind it. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => lookAtSession(error) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Without a network, a page says that it cannot reach the gateway, in place of waiting in silence.
      networkMode: 'always',
      // What one part of a page was refused is not asked again because another part shows it, too.
      retryOnMount: false,
      retry: (failures, error) =>
        failures < RETRY_MS.length &&
        error instanceof ApiError &&
        (error.status === 0 || error.status === 429 || error.status >= 500),
      retryDelay: (failures) => RETRY_MS[failures] ?? 0,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Where the gateway says that nobody is signed in, whoever shows who is looks again. */
export function lookAtSession(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return;
  if (queries.getQueryState(['getSession', {}])?.status === 'success')
    void queries.invalidateQueries({ queryKey: ['getSession'] });
}

type ReadOptions = {
  /** Left out until something that it needs is known. */
  enabled?: boolean;
  /** Asked again, while the page is looked at, after so many ms. */
  every?: number;
};

/** The answer of an operation that reads, kept for all who ask for the same. */
export function useRead<Id extends OperationId>(
  id: Id,
  given: Given<Id> = {} as Given<Id>,
  { enabled = true, every }: ReadOptions = {},
): UseQueryResult<Answer<Id>, Error> {
  return useQuery({
    queryKey: [id, given],
    queryFn: ({ signal }) => call(id, given, signal),
    enabled,
    placeholderData: keepPreviousData,
    ...(every !== undefined && { refetchInterval: every }),
  }) as UseQueryResult<Answer<Id>, Error>;
}

type Listed<Id extends OperationId> = Answer<Id> extends { data: (infer Item)[] } ? Item : never;

type ListPage<Item> = { data: Item[]; has_more?: boolean; last_id?: string | null };

/** A list of pages: all that was read so far, and a way to read on. */
export function useList<Id extends OperationId>(id: Id, given: Given<Id> = {} as Given<Id>, options: ReadOptions = {}) {
  const { enabled = true, every } = options;
  const read = useInfiniteQuery({
    queryKey: [id, given, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      call(id, withAfter(given, pageParam), signal) as Promise<unknown> as Promise<ListPage<Listed<Id>>>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ data, has_more, last_id }) =>
      has_more ? (last_id ?? (data.at(-1) as { id?: string } | undefined)?.id ?? null) : null,
    enabled,
    placeholderData: keepPreviousData,
    ...(every !== undefined && { refetchInterval: every }),
  });
  return {
    items: read.data?.pages.flatMap(({ data }) => data) ?? null,
    error: read.error,
    hasMore: read.hasNextPage,
    readOn: () => void read.fetchNextPage(),
    isReadingOn: read.isFetchingNextPage,
  };
}

/** How many items a list is read to where it is read to its end. */
export const WHOLE_LIST = 2_000;
const LARGEST_PAGE = 100;

/** `isCut`: the list is longer than it is read. */
type WholeList<Item> = { items: Item[]; isCut: boolean };

/** What reads a list to its end, page by page. For lists that are searched and sorted where they are shown. */
function wholeList<Id extends OperationId>(id: Id, given: Given<Id> = {} as Given<Id>) {
  return {
    queryKey: [id, given, 'whole'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<WholeList<Listed<Id>>> => {
      const items: Listed<Id>[] = [];
      const { query } = given as { query?: object };
      const large = { ...given, query: { limit: LARGEST_PAGE, ...query } } as Given<Id>;
      let after: string | null | undefined = null;
      while (after !== undefined && items.length < WHOLE_LIST) {
        const page: ListPage<Listed<Id>> = await (call(
          id,
          withAfter(large, after),
          signal,
        ) as Promise<unknown> as Promise<ListPage<Listed<Id>>>);
        items.push(...page.data);
        after = page.has_more ? (page.last_id ?? undefined) : undefined;
      }
      return { items, isCut: after !== undefined };
    },
  };
}

/** A list as a whole. */
export function useWhole<Id extends OperationId>(
  id: Id,
  given: Given<Id> = {} as Given<Id>,
  { enabled = true }: ReadOptions = {},
): { items: Listed<Id>[] | null; error: Error | null; isLoading: boolean } {
  const { data, error, isLoading } = useQuery({ ...wholeList(id, given), enabled, placeholderData: keepPreviousData });
  return { items: (data as WholeList<Listed<Id>> | undefined)?.items ?? null, error, isLoading };
}

/** Whether something that is shown goes by a list that is longer than it is read. */
export function useIsCut(): boolean {
  const cache = useQueryClient().getQueryCache();
  const isCut = ({ queryKey, state }: Query) =>
    queryKey[2] === 'whole' && (state.data as WholeList<unknown> | undefined)?.isCut === true;
  return useSyncExternalStore(
    (tell) => cache.subscribe(notifyManager.batchCalls(tell)),
    () => cache.findAll({ type: 'active', predicate: isCut }).length > 0,
  );
}

function withAfter<Id extends OperationId>(given: Given<Id>, after: string | null): Given<Id> {
  if (after === null) return given;
  return { ...given, query: { ...(given as { query?: object }).query, after } };
}

/** Why a person has to sign in again before this can be done: what was typed meanwhile is not to be lost. */
function whySignIn({ status, code }: ApiError): SignInReason | null {
  if (code === 'recent_sign_in_required') return 'recent';
  return status === 401 ? 'ended' : null;
}

/**
 * An operation that changes something. Where the gateway wants a sign-in of a moment ago, or another one, the person is asked for it, and the
 * change is made then. What was read by the operations of `renews` is read again.
 */
export function useChange<Id extends OperationId>(id: Id, renews: readonly OperationId[] = []) {
  const client = useQueryClient();
  const readAgain = async () => {
    await Promise.all(renews.map((each) => client.invalidateQueries({ queryKey: [each] })));
  };
  return useMutation<Answer<Id>, Error, Given<Id>>({
    mutationFn: async (given) => {
      try {
        return await call(id, given);
      } catch (error) {
        const why = error instanceof ApiError ? whySignIn(error) : null;
        if (why === null || !(await signInAgain.ask(why))) throw error;
        return await call(id, given);
      }
    },
    onSuccess: readAgain,
    // Somebody else changed it: what they made of it is shown, and what was typed stays.
    onError: (error) => (error instanceof ApiError && error.status === 409 ? readAgain() : undefined),
  });
}
