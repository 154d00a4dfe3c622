import type { SearchStep } from '../../core/call.ts';
import { packSeal } from '../../core/seal.ts';
import type { AnswerContext } from '../dialect.ts';
import { oneQuery, readPages } from '../search-steps.ts';
import { ID, isList, type Loose, loose, textOf } from './wire.ts';

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool */
const TOOL = 'web_search';
const PREFIX = 'srvtoolu';

/** The step of a search that a block is; `null` if it is none. */
export function readSearchStep(block: Loose): SearchStep | null {
  if (block.type === 'server_tool_use' && block.name === TOOL) {
    const query = textOf(loose(block.input).query);
    return { id: textOf(block.id), queries: query === '' ? [] : [query] };
  }
  if (block.type !== 'web_search_tool_result') return null;
  const { content } = block;
  const id = textOf(block.tool_use_id);
  if (!isList(content)) return { id, found: { pages: [], failed: textOf(loose(content).error_code) || FAILED } };
  return { id, found: { pages: readPages(content, ({ url, title, page_age: age }) => ({ url, title, age })) } };
}

const FAILED = 'unavailable';

/** Writes searches of vendors of other formats as blocks: a call of the tool, and its result. */
export class SearchBlocks {
  readonly #context: Pick<AnswerContext, 'newId' | 'provider'>;
  /** The ids of blocks by those of searches. */
  readonly #ids = new Map<string, string>();

  constructor(context: Pick<AnswerContext, 'newId' | 'provider'>) {
    this.#context = context;
  }

  /** The blocks of a step. A call is written once, and stands before its result. */
  of({ id, queries = [], found }: SearchStep): Loose[] {
    const known = this.#ids.get(id);
    // Anthropic takes no `-` in them.
    const own = known ?? this.#context.newId(PREFIX).replaceAll('-', '_');
    this.#ids.set(id, own);
    const call = { type: 'server_tool_use', id: own, name: TOOL, input: { query: oneQuery(queries) } };
    const result =
      found === undefined ? [] : [{ type: 'web_search_tool_result', tool_use_id: own, ...this.#of(found) }];
    if (found !== undefined) this.#ids.delete(id);
    return [...(known === undefined ? [call] : []), ...result];
  }

  #of({ pages, failed }: NonNullable<SearchStep['found']>): Loose {
    if (failed !== undefined)
      return { content: { type: 'web_search_tool_result_error', error_code: errorCode(failed) } };
    return {
      content: pages.map(({ url, title, age }) => ({
        type: 'web_search_result',
        url,
        title: title === '' ? url : title,
        encrypted_content: this.#mark(),
        page_age: age ?? null,
      })),
    };
  }

  /** Only Anthropic can make the content of a page. This tells that it did not, when the block comes back. */
  #mark(): string {
    const { provider } = this.#context;
    return packSeal({ dialect: ID, provider, form: 'encrypted', id: null, value: '' });
  }
}

const CODES = new Set([
  'invalid_tool_input',
  'max_uses_exceeded',
  'query_too_long',
  'request_too_large',
  'too_many_requests',
]);

function errorCode(failed: string): string {
  return CODES.has(failed) ? failed : FAILED;
}
