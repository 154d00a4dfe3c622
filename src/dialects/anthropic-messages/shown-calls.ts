import { type Counts, countsOf } from '../../core/usage.ts';
import { isList, objectOf, type Unchecked } from '../unchecked-json.ts';

const CODE_EXECUTION = 'code_execution';
const CODE_TOOLS: ReadonlySet<unknown> = new Set([
  CODE_EXECUTION,
  `bash_${CODE_EXECUTION}`,
  `text_editor_${CODE_EXECUTION}`,
]);
/** The end of the type of each block with what a vendor's own tool returned. */
const RESULT = '_tool_result';

/** The most ids of calls that are remembered for one message. */
const MAX_IDS = 10_000;

/** Whether a whole message may have a block that `ShownCalls` counts. */
export function mayShowCalls(body: Buffer): boolean {
  return body.includes(`${CODE_EXECUTION}"`) || body.includes(`${RESULT}"`);
}

/**
 * Counts the calls of the vendor's own tools that the blocks of a message show: runs of code, which no usage reports, and
 * searches and fetches that returned something, for vendors whose usage does not count them. Failed ones are free.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */
export class ShownCalls {
  #searches = 0;
  #fetches = 0;
  #codeRuns = 0;
  /** Some streams repeat the start of a block. */
  readonly #seen = new Set<string>();

  see({ type, name, content, id, tool_use_id: of }: Unchecked): void {
    if (type === 'server_tool_use' && CODE_TOOLS.has(name)) this.#codeRuns += this.#timesOf(type, id);
    else if (type === `web_search${RESULT}` && isList(content)) this.#searches += this.#timesOf(type, of);
    else if (type === `web_fetch${RESULT}` && objectOf(content).type === 'web_fetch_result')
      this.#fetches += this.#timesOf(type, of);
  }

  /** 0 for a block that was seen already, by its id; 1 for any other. */
  #timesOf(type: string, id: unknown): 0 | 1 {
    if (typeof id !== 'string' || id === '') return 1;
    const seen = `${type} ${id}`;
    if (this.#seen.has(seen)) return 0;
    if (this.#seen.size < MAX_IDS) this.#seen.add(seen);
    return 1;
  }

  /** All of them; `undefined` if there are none. */
  get counts(): Counts | undefined {
    return (
      countsOf([
        ['web_search', this.#searches],
        ['web_fetch', this.#fetches],
      ]) ?? this.codeRuns
    );
  }

  /** Runs of code alone. Code for a search or a fetch is free, other code is charged by time. */
  get codeRuns(): Counts | undefined {
    return countsOf([[CODE_EXECUTION, this.#codeRuns]]);
  }
}
