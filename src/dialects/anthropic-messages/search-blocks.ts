import type { OpenedPage, SearchStep } from '../../core/call.ts';
import { packSeal } from '../../core/seal.ts';
import type { AnswerContext } from '../dialect.ts';
import { oneQuery, readPages } from '../search-steps.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { ID } from './wire.ts';

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool */
const TOOL = 'web_search';
/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-fetch-tool */
const FETCH = 'web_fetch';
const PREFIX = 'srvtoolu';

/** Reads a block as a step of a search or of an opened page; `null` if it is neither. */
export function readSearchStep(block: Unchecked): SearchStep | null {
  if (block.type === 'server_tool_use' && block.name === FETCH) {
    const { url, pattern } = objectOf(block.input);
    const page = { url: textOf(url), ...(textOf(pattern) !== '' && { pattern: textOf(pattern) }) };
    return page.url === '' ? null : { id: textOf(block.id), opens: page };
  }
  if (block.type === 'web_fetch_tool_result') return readFetched(block);
  if (block.type === 'server_tool_use' && block.name === TOOL) {
    const query = textOf(objectOf(block.input).query);
    return { id: textOf(block.id), queries: query === '' ? [] : [query] };
  }
  if (block.type !== 'web_search_tool_result') return null;
  const { content } = block;
  const id = textOf(block.tool_use_id);
  if (!isList(content)) return { id, found: { pages: [], failed: textOf(objectOf(content).error_code) || FAILED } };
  return { id, found: { pages: readPages(content, ({ url, title, page_age: age }) => ({ url, title, age })) } };
}

const FAILED = 'unavailable';

/** An opened page. The text of a document that is not text is unknown. */
function readFetched({ tool_use_id: of, content }: Unchecked): SearchStep {
  const { type, url, content: document, error_code: code } = objectOf(content);
  const id = textOf(of);
  if (type !== 'web_fetch_result') {
    return { id, opens: { url: textOf(url) }, found: { pages: [], failed: textOf(code) || FAILED } };
  }
  const { title, source } = objectOf(document);
  const { type: kind, data } = objectOf(source);
  const page = { url, title, text: kind === 'text' ? data : undefined };
  return { id, opens: { url: textOf(url) }, found: { pages: readPages([page], (each) => each) } };
}

/** Writes searches and opened pages of other formats' vendors as blocks: a call of the tool and its result. */
export class SearchBlocks {
  readonly #context: Pick<AnswerContext, 'newId' | 'provider'>;
  /** The ids of blocks by those of searches. */
  readonly #ids = new Map<string, string>();

  constructor(context: Pick<AnswerContext, 'newId' | 'provider'>) {
    this.#context = context;
  }

  /** The blocks of a step. A call is written once, before its result. */
  of({ id, queries = [], opens, found }: SearchStep): Unchecked[] {
    const known = this.#ids.get(id);
    // Anthropic takes no `-` in them.
    const own = known ?? this.#context.newId(PREFIX).replaceAll('-', '_');
    this.#ids.set(id, own);
    const asked =
      opens === undefined ? { name: TOOL, input: { query: oneQuery(queries) } } : { name: FETCH, input: opens };
    const call = { type: 'server_tool_use', id: own, ...asked };
    const done = () => (opens === undefined ? this.#of(found!) : this.#fetched(opens, found!));
    const result = found === undefined ? [] : [{ type: `${asked.name}_tool_result`, tool_use_id: own, ...done() }];
    if (found !== undefined) this.#ids.delete(id);
    return [...(known === undefined ? [call] : []), ...result];
  }

  #of({ pages, failed }: NonNullable<SearchStep['found']>): Unchecked {
    if (failed !== undefined)
      return { content: { type: 'web_search_tool_result_error', error_code: errorCode(failed, CODES) } };
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

  #fetched({ url: asked }: OpenedPage, { pages: [page], failed }: NonNullable<SearchStep['found']>): Unchecked {
    if (failed !== undefined)
      return { content: { type: 'web_fetch_tool_result_error', error_code: errorCode(failed, FETCH_CODES) } };
    const { url = asked, title = '', text = '' } = page ?? {};
    const source = { type: 'text', media_type: 'text/plain', data: text };
    const content = { type: 'document', source, title: title === '' ? null : title, citations: null };
    return {
      content: { type: 'web_fetch_result', url, content, retrieved_at: null, encrypted_content: this.#mark() },
    };
  }

  /** Only Anthropic can encrypt a page. This empty seal shows, when the block comes back, that it did not. */
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

const FETCH_CODES = new Set([
  'content_too_large',
  'invalid_tool_input',
  'max_uses_exceeded',
  'too_many_requests',
  'unsupported_content_type',
  'url_not_accessible',
  'url_not_allowed',
  'url_not_in_prior_context',
  'url_too_long',
]);

function errorCode(failed: string, codes: ReadonlySet<string>): string {
  return codes.has(failed) ? failed : FAILED;
}
