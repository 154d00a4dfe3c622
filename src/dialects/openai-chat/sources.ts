import type { Citation } from '../../core/call.ts';
import { listOf, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import type { WireChunk, WireWords } from './wire.ts';

/** A source of an answer: its address, and its title if the vendor sends it. */
export type CitedSource = { url: string; title: string };

/** The most sources kept for one answer. */
const MAX_SOURCES = 256;

/**
 * The sources that vendors of chat list beside the choices or in a message, as addresses or objects:
 * https://docs.perplexity.ai/api-reference/chat-completions-post (`citations`, `search_results`),
 * https://docs.x.ai/docs/guides/live-search (`citations`), https://docs.z.ai/guides/tools/web-search (`web_search`),
 * https://www.alibabacloud.com/help/en/model-studio/web-search (`search_info.search_results`),
 * https://learn.microsoft.com/azure/ai-foundry/openai/references/on-your-data (`context.citations`),
 * https://docs.litellm.ai/docs/providers/anthropic (`provider_specific_fields.citations` of a message, in lists; read on
 * 2026-11-28).
 */
export function sourcesOf(beside: WireChunk | WireWords): readonly unknown[] {
  const {
    citations,
    search_results: results,
    web_search: found,
    search_info: info,
    context,
    provider_specific_fields: own,
  } = beside as Record<string, unknown>;
  const grounding = groundingOf(beside);
  const isNone = citations === undefined && results === undefined && found === undefined && info === undefined;
  if (isNone && context === undefined && own === undefined) return grounding;
  return [
    ...listOf(results),
    ...listOf(found),
    ...listOf(objectOf(info).search_results),
    ...listOf(citations),
    ...listOf(objectOf(context).citations),
    ...listOf(objectOf(own).citations).flat(),
    ...grounding,
  ];
}

const NONE: readonly unknown[] = [];

/**
 * The pages that Gemini's answers are grounded on, cite or were read for it, under Google's names:
 * https://ai.google.dev/api/generate-content#GroundingMetadata. No page of Google's was found that gives them a place in chat
 * completions. Gateways pass them on in `extra_content.google`, in a choice, in a message or beside them, in either spelling
 * (seen on 2026-11-28 in what their callers in public repositories read). LiteLLM puts lists of them, one entry for each
 * candidate, beside the choices:
 * https://github.com/BerriAI/litellm/blob/main/litellm/llms/vertex_ai/gemini/vertex_and_google_ai_studio_gemini.py (read on
 * 2026-11-28).
 */
export function groundingOf(beside: object): readonly unknown[] {
  const members = beside as Record<string, unknown>;
  const { extra_content: extra } = members;
  const grounded =
    members.vertex_ai_grounding_metadata ??
    groundingIn(members) ??
    (extra === undefined ? undefined : groundingIn(objectOf(objectOf(extra).google)));
  const { vertex_ai_citation_metadata: cited, vertex_ai_url_context_metadata: opened } = members;
  if (grounded === undefined && cited === undefined && opened === undefined) return NONE;
  return [
    ...eachOf(grounded).flatMap(({ grounding_chunks: chunks, groundingChunks: camel }) =>
      listOf(chunks ?? camel).map((chunk) => pageOf(objectOf(chunk).web, chunk)),
    ),
    ...eachOf(cited).flatMap(({ citations, citationSources: older }) =>
      listOf(citations ?? older).map((page) => pageOf(page, page)),
    ),
    ...eachOf(opened).flatMap(({ url_metadata: pages, urlMetadata: camel }) =>
      listOf(pages ?? camel).flatMap((page) => addressOf(objectOf(page)) ?? []),
    ),
  ];
}

function groundingIn({ grounding_metadata: grounding, groundingMetadata: camel }: Unchecked): unknown {
  return grounding ?? camel;
}

function eachOf(listed: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (Array.isArray(listed) ? listed : [listed]).map(objectOf);
}

/** A page under the names of other vendors, or the whole entry if it has no address. */
function pageOf(page: unknown, entry: unknown): unknown {
  const { uri, title } = objectOf(page);
  return textOf(uri) === '' ? entry : { url: uri, title };
}

/** The address of a page that was read; `null` if it could not be. */
function addressOf({ retrieved_url: url, retrievedUrl: camel }: Readonly<Record<string, unknown>>): string | null {
  return textOf(url) || textOf(camel) || null;
}

/** The sources of an answer, each once, because streams repeat them. */
export class Sources {
  readonly #known = new Map<string, CitedSource>();
  /** Those without an address, by their JSON. */
  readonly #others = new Map<string, unknown>();

  add(told: readonly unknown[]): void {
    for (const each of told) {
      const fields = objectOf(each);
      const url = typeof each === 'string' ? each : textOf(fields.url) || textOf(fields.link);
      const title = textOf(fields.title);
      const known = this.#known.get(url);
      if (url === '') this.#addOther(each);
      if (url === '' || this.#known.size >= MAX_SOURCES) continue;
      if (known === undefined) this.#known.set(url, { url, title });
      else if (known.title === '') known.title = title;
    }
  }

  #addOther(source: unknown): void {
    if (typeof source !== 'object' || source === null || this.#others.size >= MAX_SOURCES) return;
    this.#others.set(JSON.stringify(source), source);
  }

  /** Citations of sources without an address, such as documents. Other formats cannot express them. */
  get others(): readonly Citation[] {
    return [...this.#others.values()].map((value) => ({ kind: 'native', dialect: 'openai-chat', value }));
  }

  get list(): readonly CitedSource[] {
    return [...this.#known.values()];
  }
}
