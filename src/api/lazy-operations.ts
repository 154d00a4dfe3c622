import type { HandledOperation } from './operation.ts';

/** Operations that are loaded when a request needs them. `paths`: how theirs begin; `*` is any one segment, and `$` the end. */
export type LazyOperations<Parts> = {
  paths: readonly string[];
  load(): Promise<readonly HandledOperation<Parts>[]>;
};

/** Those that may have an operation at a path. */
export function listsFor<Lists extends Pick<LazyOperations<never>, 'paths'>>(
  lists: readonly Lists[],
  path: string,
): Lists[] {
  const [pathname = ''] = path.split('?', 1);
  const segments = [...pathname.split('/'), '$'];
  return lists.filter(({ paths }) =>
    paths.some((begin) => begin.split('/').every((word, index) => word === '*' || word === segments[index])),
  );
}
