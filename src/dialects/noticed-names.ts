import { NameTable } from '../json/names.ts';

/** Names of members that are looked out for while a body is read. All are in lower case, and found in any: some vendors read `File_ID` as `file_id`. */

/** Members that are an id or a list of ids, wherever they stand. */
export const IDS: ReadonlySet<string> = new Set([
  ...['file_id', 'file_ids', 'vector_store_id', 'vector_store_ids', 'container_id', 'skill_id', 'connector_id'],
  ...['previous_response_id', 'previous_message_id', 'cached_content', 'cachedcontent'],
  ...['collection_ids', 'library_ids', 'knowledge_id'],
]);

/** Members whose own `id` is one, wherever they stand. A container may also be named by a text in its place. */
export const HOLDERS: ReadonlySet<string> = new Set(['container', 'audio', 'voice']);

/** Members in which an address, or a data URL in its place, is a part of a prompt. */
export const ADDRESSES: ReadonlySet<string> = new Set(['url', 'image_url', 'file_url', 'file_data']);

/** All of them, with those of an item and of a file's bytes. */
export const NOTICED = new NameTable([...IDS, ...HOLDERS, ...ADDRESSES, 'id', 'data']);

/** A body with none of these names in it names nothing in its vendor's account, but for its outermost members. */
export const SHARED_ID_NAMES = NOTICED.bitsOf([...IDS, ...HOLDERS]);
/** Nor does it have an item with an id, or an inline file. */
export const ID_NAME = NOTICED.bitsOf(['id']);
export const FILE_NAMES = NOTICED.bitsOf([...ADDRESSES, 'data']);
