import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageOf } from '../../core/usage.ts';
import { loadRecordings, SAMPLES } from '../../testing/recordings.ts';
import type { Envelope, EventRole, StreamWatch } from '../dialect.ts';
import { readRequestBody } from '../request.ts';
import { watchStream } from './watch.ts';

const USAGE = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };

function watch(call: Partial<Envelope> = {}): StreamWatch {
  return watchStream({
    model: 'm',
    stream: true,
    maxOutputTokens: null,
    choices: 1,
    wantsUsage: false,
    estimatedInputTokens: 0,
    ...readRequestBody(Buffer.from('{}'), 1),
    ...call,
  });
}

function delta(fields: object, finish: string | null = null, index = 0): object {
  return { choices: [{ index, delta: fields, finish_reason: finish }] };
}

function see(one: StreamWatch, ...payloads: readonly (object | string)[]): EventRole[] {
  return payloads.map((payload) =>
    one.see({ event: null, data: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  );
}

test('events that only open an answer are told from those that carry it', () => {
  const azureFirst = { choices: [], prompt_filter_results: [] };
  for (const opening of [
    delta({ role: 'assistant', content: '' }),
    delta({ role: 'assistant', content: null, tool_calls: [] }),
    delta({}),
    azureFirst,
  ]) {
    assert.deepEqual(see(watch(), opening), ['opens'], JSON.stringify(opening));
  }
  for (const carrying of [
    delta({ content: 'a' }),
    delta({ reasoning_content: 'a' }),
    delta({ tool_calls: [{ index: 0 }] }),
    delta({ something_new: 1 }),
    delta({ content: ' ' }),
    delta({}, 'stop'),
  ]) {
    assert.deepEqual(see(watch(), carrying), ['carries'], JSON.stringify(carrying));
  }
  // Behind the first content nothing opens any more.
  assert.deepEqual(see(watch(), delta({ content: 'a' }), delta({}), azureFirst), ['carries', 'carries', 'carries']);
});

test('a usage that the caller did not ask for is withheld, and only where it stands alone', () => {
  const alone = { choices: [], usage: USAGE };
  assert.deepEqual(see(watch(), alone), ['withhold']);
  assert.deepEqual(see(watch({ wantsUsage: true }), alone), ['carries']);
  assert.deepEqual(see(watch(), { ...delta({}, 'stop'), usage: USAGE }), ['carries']);
  assert.deepEqual(see(watch(), delta({ content: 'a' }), { choices: [], usage: null, moderation: {} }), [
    'carries',
    'carries',
  ]);
});

test('usage is read wherever a vendor puts it, and the last one counts', () => {
  const expected = usageOf({ inputTokens: 9, outputTokens: 2 });
  for (const payload of [
    { choices: [], usage: USAGE },
    { ...delta({}, 'stop'), usage: USAGE },
    { ...delta({}, 'stop'), x_groq: { usage: USAGE } },
  ]) {
    const one = watch();
    see(one, delta({ content: 'a' }), payload);
    assert.deepEqual(one.usage(), expected);
  }
  const growing = watch();
  see(
    growing,
    { ...delta({ content: 'a' }), usage: { prompt_tokens: 9, completion_tokens: 1 } },
    { choices: [], usage: USAGE },
    { choices: [], usage: null },
  );
  assert.deepEqual(growing.usage(), expected);
  assert.equal(watch().usage(), null);
});

test('an answer is complete when every choice that was seen has finished', () => {
  const one = watch();
  assert.equal(one.complete(), false);
  see(one, delta({ content: 'a' }));
  assert.equal(one.complete(), false);
  assert.deepEqual(see(one, delta({}, 'stop'), delta({ content: '' }, 'stop'), '[DONE]'), [
    'carries',
    'carries',
    'ends',
  ]);
  assert.equal(one.complete(), true);

  const two = watch({ choices: 2 });
  see(two, delta({ content: 'a' }, null, 0), delta({ content: 'b' }, null, 1), delta({}, 'stop', 0));
  assert.equal(two.complete(), false);
  see(two, delta({}, 'length', 1));
  assert.equal(two.complete(), true);

  const empty = watch();
  see(empty, delta({ content: 'a' }, ''), { choices: [null] });
  assert.equal(empty.complete(), false);
});

test('a choice that was asked for and never began is missing, unless the vendor says itself that it is done', () => {
  const two = watch({ choices: 2 });
  see(two, delta({ content: 'a' }), delta({}, 'stop'));
  assert.equal(two.complete(), false);
  assert.deepEqual(see(two, '[DONE]'), ['ends']);
  assert.equal(two.complete(), true);
  const none = watch({ choices: 2 });
  see(none, '[DONE]');
  assert.equal(none.complete(), false);
});

test('a choice that nobody asked for must finish too', () => {
  const [first, second] = [delta({ content: 'a' }), delta({ content: 'b' }, null, 1)];
  for (const [begun, finished] of [
    [[first, second, first], 0],
    [[second, first], 1],
  ] as const) {
    const one = watch();
    see(one, ...begun, delta({}, 'stop', finished));
    assert.equal(one.complete(), false);
    see(one, delta({}, 'stop', 1 - finished));
    assert.equal(one.complete(), true);
  }
});

test('an index in the words of an answer, or of a tool call, is not a choice’s', () => {
  const one = watch();
  const tool = delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] });
  see(one, delta({ content: 'a' }), delta({ content: '"index":7' }), tool, delta({ content: 'b' }), delta({}, 'stop'));
  assert.equal(one.complete(), true);
  assert.equal(one.output().text, 'a"index":7{}b');
});

test('a vendor’s error is found, also behind content, and keeps its words', () => {
  const errors: readonly [event: string | null, payload: object, status: number][] = [
    [null, { error: { message: 'Too busy', code: 429 } }, 429],
    ['error', { error: { message: 'Too busy', status_code: 400, code: 'tool_use_failed' } }, 400],
    ['error', { message: 'Too busy' }, 502],
    [null, { error: { message: 'Too busy', code: 502 }, ...delta({ content: '' }, 'error') }, 502],
    [null, { error: 'Too busy' }, 502],
  ];
  for (const [event, payload, status] of errors) {
    for (const before of [[], [delta({ content: 'a' })]]) {
      const one = watch();
      see(one, ...before);
      assert.equal(one.see({ event, data: JSON.stringify(payload) }), 'fails');
      assert.deepEqual([one.error().message, one.error().status], ['Too busy', status]);
    }
  }
});

test('a member called error that is null, or content that speaks of errors, is none', () => {
  const one = watch();
  const said = '"error": {"message": "x"}, "usage": {}, "finish_reason": "stop"';
  assert.deepEqual(
    see(one, delta({ content: 'a' }), { error: null, ...delta({ content: 'b' }) }, delta({ content: said })),
    ['carries', 'carries', 'carries'],
  );
  assert.equal(one.complete(), false);
  assert.equal(one.output().text, `ab${said}`);
});

test('what is no chunk is an answer that cannot be used', () => {
  for (const data of ['{"choices":', 'null', '7', '"x"']) {
    const one = watch();
    assert.deepEqual(see(one, delta({ content: 'a' }), data), ['carries', 'fails'], data);
    assert.equal(one.error().kind, 'upstream_invalid_answer');
  }
});

test('chunks that are not parsed are seen as those that are', async () => {
  const { recordings } = await loadRecordings(SAMPLES, 'openai-chat');
  const streams = recordings.filter(({ stream }) => stream);
  assert.ok(streams.length > 5);
  for (const { name, payloads } of streams) {
    const lines = payloads.map((payload) => JSON.stringify(payload));
    const [quick, thorough] = [watch(), watch({ choices: 2 })];
    // Not all of these begin a second choice, so their end is told.
    assert.deepEqual(see(quick, ...lines, '[DONE]'), see(thorough, ...lines, '[DONE]'), name);
    assert.deepEqual([quick.usage(), quick.complete()], [thorough.usage(), thorough.complete()], name);
    assert.equal(quick.output().text, thorough.output().text, name);
  }
});

test('the text of chunks that are not parsed is read with its escapes', () => {
  const one = watch();
  const text = 'a "quoted" \\ back\nslash 日本 🙂 \u2028';
  see(one, delta({ content: 'x' }), delta({ content: text }), '{ "choices" : [ { "delta" : { "content":  "y" } } ] }');
  assert.equal(one.output().text, `x${text}y`);
  const broken = watch();
  see(broken, delta({ content: 'x' }), '{"choices":[{"delta":{"content":"\\q"}}]}');
  assert.equal(broken.output().text, 'x\\q');
});

test('text beyond what is kept is counted by its length', () => {
  const one = watch();
  const piece = 'y'.repeat(1024);
  see(one, ...Array.from({ length: 300 }, () => delta({ content: piece })));
  const { text, unseen } = one.output();
  assert.equal(text.length + unseen, 300 * 1024);
  assert.equal(text.length, 256 * 1024);
});

test('a chunk nested without end does not end the process', () => {
  const nested = `{"choices":[{"index":0,"delta":{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`;
  assert.deepEqual(see(watch(), nested), ['carries']);
});

test('a chunk that is the one before with another text is told from all that only look so', () => {
  const text = (content: string, rest: object = {}) => ({
    id: 'c',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...rest,
  });
  const likes = ['one', 'two "quoted"', 'back\\slash', 'ends in a backslash\\', '', 'é\n', '"', 'last'];
  const one = watch();
  see(one, ...likes.map((each) => text(each)));
  assert.equal(one.output().text, likes.join(''));
  assert.deepEqual(see(one, { ...text('x'), usage: USAGE }), ['carries']);
  assert.deepEqual(one.usage(), usageOf({ inputTokens: 9, outputTokens: 2 }));

  // The string goes on behind what looks like its end: a name within it is no name.
  const cut = JSON.stringify(text('TEXT'));
  const [before, behind] = cut.split('TEXT') as [string, string];
  const tricky = watch();
  assert.deepEqual(
    see(tricky, text('a'), text('b'), `${before}\\${behind}`, `${before}x","usage":{"prompt_tokens":9},"y":"${behind}`),
    ['carries', 'carries', 'carries', 'carries'],
  );
  const finishing = watch();
  see(finishing, text('a'), text('b'), {
    id: 'c',
    choices: [{ index: 0, delta: { content: 'c' }, finish_reason: 'stop' }],
  });
  assert.equal(finishing.complete(), true);
  assert.equal(finishing.output().text, 'abc');

  // As long as `null`.
  const other = watch();
  see(other, text('a'), text('b'), { id: 'c', choices: [{ index: 0, delta: { content: 'c' }, finish_reason: 'ok' }] });
  assert.equal(other.complete(), true);
});

test('a chunk that is the one before with another text and other padding is told from all that only look so', () => {
  const padded = (content: string, obfuscation: string, rest: object = {}) => ({
    ...delta({ content }),
    usage: null,
    obfuscation,
    ...rest,
  });
  for (const spaced of [false, true]) {
    const spell = (chunk: object) => (spaced ? JSON.stringify(chunk).replaceAll('":', '": ') : JSON.stringify(chunk));
    const one = watch();
    see(one, spell(padded('a', 'x')), spell(padded('b', 'xyz')), spell(padded('c "d"', '')), spell(padded('e', 'ab')));
    see(one, spell(delta({ content: 'without' })), spell(padded('f', 'ab')));
    assert.equal(one.output().text, 'abc "d"ewithoutf');
    assert.equal(one.complete(), false);
    assert.deepEqual(see(one, spell(padded('', 'y', { usage: USAGE }))), ['carries']);
    assert.deepEqual(one.usage(), usageOf({ inputTokens: 9, outputTokens: 2 }));

    const late = watch();
    see(late, spell(padded('a', 'x')), spell(padded('b', 'xyz')), spell(padded('c', 'z', { usage: USAGE })));
    assert.deepEqual(late.usage(), usageOf({ inputTokens: 9, outputTokens: 2 }));
    see(late, spell({ ...delta({ content: 'd' }, 'stop'), usage: null, obfuscation: 'q' }));
    assert.equal(late.complete(), true);
    assert.equal(late.output().text, 'abcd');
  }

  // A seal behind the padding, and padding that ends elsewhere than it looks.
  const sealed = watch();
  see(sealed, padded('a', 'x'), padded('b', 'xy'));
  const signature = { extra_content: { google: { thought_signature: 'c2VhbA==' } } };
  see(sealed, { ...delta({ content: 'c', ...signature }), usage: null, obfuscation: 'x' });
  assert.equal(sealed.found?.length, 1);
  const tricky = watch();
  see(tricky, padded('a', 'x'), padded('b', 'xy'), padded('c', 'a"}'), padded('d', 'x'));
  const usage = `"usage":${JSON.stringify(USAGE)}`;
  see(
    tricky,
    JSON.stringify(delta({ content: 'e' })).replace(/}$/, `,"usage":null,"obfuscation":"\\\\",${usage},"x":""}`),
  );
  assert.equal(tricky.output().text, 'abcde');
  assert.deepEqual(tricky.usage(), usageOf({ inputTokens: 9, outputTokens: 2 }));
});

test('signatures in front of a text are found, also one that is repeated', () => {
  const one = watch();
  const piece = (provider_specific_fields: object, content: string) => delta({ provider_specific_fields, content });
  see(one, piece({}, 'a'), piece({}, 'b'), piece({}, 'c'));
  for (const content of ['d', 'e']) {
    see(one, piece({ thought_signatures: ['c2VhbA=='] }, content));
    assert.deepEqual(
      takeFound(one)?.map(({ value }) => value),
      ['c2VhbA=='],
      content,
    );
  }
  see(one, piece({}, 'f'), piece({}, 'g'));
  assert.deepEqual([takeFound(one), one.output().text], [null, 'abcdefg']);
});

function takeFound(one: StreamWatch) {
  const { found } = one;
  one.found = null;
  return found;
}

test('a zero that a late chunk reports alone takes no cost back', () => {
  const one = watch();
  const chunks = [{ prompt_tokens: 5, completion_tokens: 1, cost: 0.5 }, { cost: 0 }];
  for (const usage of chunks) see(one, { choices: [], usage });
  assert.equal(one.usage()?.reportedCost, '0.5');
  see(one, { choices: [], usage: { cost: 0.7 } });
  assert.equal(one.usage()?.reportedCost, '0.7');
});
