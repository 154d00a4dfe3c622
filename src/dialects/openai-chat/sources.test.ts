import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groundingOf, Sources } from './sources.ts';

test('an entry of a grounding without an address is kept whole, to be told, and a page that was not read is none', () => {
  const document = { retrieved_context: { title: 'Handbook' } };
  const sources = new Sources();
  sources.add(
    groundingOf({
      grounding_metadata: { grounding_chunks: [{ web: { uri: 'https://a.invalid', title: 'A' } }, document] },
      vertex_ai_citation_metadata: [{ citations: [{ startIndex: 1, license: 'MIT' }, null] }],
      vertex_ai_url_context_metadata: [
        { url_metadata: [{ url_retrieval_status: 'ERROR' }, { retrieved_url: 'https://b.invalid' }] },
      ],
    }),
  );
  assert.deepEqual(
    sources.list.map(({ url }) => url),
    ['https://a.invalid', 'https://b.invalid'],
  );
  assert.deepEqual(
    sources.others.map((citation) => citation.kind === 'native' && citation.value),
    [document, { startIndex: 1, license: 'MIT' }],
  );
});

test('the pages of a grounding are found in either spelling, beside the choices and in `extra_content`', () => {
  const web = { uri: 'https://a.invalid', title: 'A' };
  const spellings = [
    { grounding_metadata: { grounding_chunks: [{ web }] } },
    { groundingMetadata: { groundingChunks: [{ web }] } },
  ];
  for (const grounding of spellings)
    for (const beside of [grounding, { extra_content: { google: grounding } }])
      assert.deepEqual(groundingOf(beside), [{ url: web.uri, title: 'A' }], JSON.stringify(beside));
});
