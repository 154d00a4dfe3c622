import { NameTable } from '../json/names.ts';

/** Names noticed while a body is scanned, in any case of letters: some vendors read `File_ID` as `file_id`. */

/** Members that hold an id or a list of ids, at any depth. */
export const IDS: ReadonlySet<string> = new Set([
  ...['file_id', 'file_ids', 'vector_store_id', 'vector_store_ids', 'container_id', 'skill_id', 'connector_id'],
  ...['previous_response_id', 'previous_message_id', 'cached_content', 'cachedcontent'],
  ...['collection_ids', 'library_ids', 'knowledge_id'],
]);

/** Members whose `id` member is an id, at any depth. A container may also be a string. */
export const HOLDERS: ReadonlySet<string> = new Set(['container', 'audio', 'voice']);

/** Members that hold a URL or a data URL as part of a prompt. */
export const ADDRESSES: ReadonlySet<string> = new Set(['url', 'image_url', 'file_url', 'file_data']);

/** Opaque members of each dialect, in which the gateway may have packed a seal (`core/seal.ts`), beside `data`. */
const SEALED = [
  ...['encrypted_content', 'encrypted_index', 'encrypted_stdout', 'signature'],
  // One of them may hold a list of the others.
  ['thought_signature', 'thought_signatures'],
];
const SEAL_BITS = [...SEALED.flat(), 'data'];

/** Members of answers that show searches of the web: `openai-chat/search-counter.ts`. */
const SEARCHES = ['executed_tools', 'messages', 'web_search', 'search_info'];

/** Names noticed while an answer is scanned. One without them has no seal, and shows no search. */
export const OF_ANSWERS = new NameTable([...SEALED, 'data', ...SEARCHES, 'error']);
export const SEARCH_NAMES = OF_ANSWERS.bitsOf(SEARCHES);
/** An answer without this name has no error in any place. */
export const ERROR_NAME = OF_ANSWERS.bitsOf(['error']);
/** An answer without these names has no seal. */
export const ANSWER_SEAL_NAMES = OF_ANSWERS.bitsOf(SEAL_BITS);

/** Members that hold the name of a tool, where it is declared, called or answered. */
const TOOL_NAMES_AT = ['name', 'tool_name'];

/** All of them, plus `id` of items and `data` of files and of redacted reasoning. */
export const NOTICED = new NameTable(
  [...IDS, ...HOLDERS, ...ADDRESSES, ...SEALED, ...TOOL_NAMES_AT, 'id', 'data'],
  TOOL_NAMES_AT,
);

/** A body without these names refers to nothing in its vendor's account, except by its outermost members. */
export const SHARED_ID_NAMES = NOTICED.bitsOf([...IDS, ...HOLDERS]);
/** A body without these names has no item with an id, and no inline file. */
export const ID_NAME = NOTICED.bitsOf(['id']);
export const FILE_NAMES = NOTICED.bitsOf([...ADDRESSES, 'data']);
/** A body without these names holds no seal. */
export const SEAL_NAMES = NOTICED.bitsOf(SEAL_BITS);
/** A body without these names names no tool, but for those that its vendor runs. */
export const TOOL_NAMES = NOTICED.bitsOf(TOOL_NAMES_AT);
