import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { usageOf } from '../core/usage.ts';
import { answer } from './answers.ts';
import { startFakeProvider } from './fake-provider.ts';
import { loadRecordings, type Recording, replay, SAMPLES, usageIn } from './recordings.ts';
import { cutAt, cutEvery, type Plan } from './reply.ts';

const { recordings } = await loadRecordings(SAMPLES, 'openai-chat');

function named(name: string): Recording {
  const found = recordings.find((recording) => recording.name === name);
  assert(found !== undefined, name);
  return found;
}

/** What a bare socket reads of a plan, one read per item. */
async function reads(plan: Plan): Promise<Buffer[]> {
  await using vendor = await startFakeProvider();
  vendor.plan(plan);
  const body = '{"model":"fake-small"}';
  const socket = connect({ port: Number(new URL(vendor.url).port), host: '127.0.0.1' });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part);
  return parts;
}

function bodyOf(parts: readonly Buffer[]): Buffer {
  const all = Buffer.concat(parts).toString('latin1');
  const [head = '', ...rest] = all.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  return Buffer.from(
    /transfer-encoding/i.test(head) ? body.replace(/([0-9a-f]+)\r\n([\s\S]*?)\r\n/g, '$2') : body,
    'latin1',
  );
}

describe('recordings', () => {
  test('usage of the dialects that name their events is found, and is the whole prompt', async () => {
    const expected: Record<string, ReturnType<typeof usageOf> | null> = {
      'openai-text-cited.chunks.txt': usageOf({ inputTokens: 41, cacheReadTokens: 16, outputTokens: 9 }),
      'xai-reasoning.json': usageOf({
        inputTokens: 20,
        cacheReadTokens: 5,
        outputTokens: 40,
        reasoningTokens: 38,
      }),
      'anthropic-cached-prompt.chunks.txt': usageOf({
        inputTokens: 2352,
        cacheReadTokens: 2048,
        cacheWriteTokens: 300,
        cacheWritesByLife: { '1h': 200 },
        outputTokens: 7,
      }),
      'anthropic-invalid-request.json': null,
    };
    const found = await Promise.all(
      (['openai-responses', 'anthropic-messages'] as const).map((dialect) => loadRecordings(SAMPLES, dialect)),
    );
    const all = found.flatMap(({ recordings }) => recordings);
    for (const [name, usage] of Object.entries(expected)) {
      assert.deepEqual(usageIn(all.find((recording) => recording.name === name)!), usage, name);
    }
  });

  test('a folder that is not there is told, not thrown', async () => {
    assert.deepEqual(await loadRecordings('/nonexistent', 'openai-chat'), { recordings: [], absent: true });
  });

  test('a stream is its lines, framed, with comments and an end; a whole body is its bytes', () => {
    const stream = named('openrouter-finish-twice.chunks.txt');
    assert.equal(stream.frames[0]?.toString(), ': OPENROUTER PROCESSING\n\n');
    assert.match(stream.frames[1]?.toString() ?? '', /^data: \{.*\}\n\n$/);
    assert.equal(stream.frames.at(-1)?.toString(), 'data: [DONE]\n\n');
    assert.equal(stream.payloads.length, 5);
    assert.equal(named('mistral-array-content.json').frames.length, 1);
    assert.equal(named('openai-unsupported-parameter.json').status, 400);
  });

  test('usage is what each vendor says, in its own way', () => {
    const expected: Record<string, ReturnType<typeof usageOf> | null> = {
      'azure-filter.chunks.txt': usageOf({ inputTokens: 14, outputTokens: 3 }),
      'deepseek-reasoning.chunks.txt': usageOf({
        inputTokens: 140,
        cacheReadTokens: 128,
        outputTokens: 9,
        reasoningTokens: 5,
      }),
      'groq-x-groq-usage.chunks.txt': usageOf({ inputTokens: 78, outputTokens: 21, reasoningTokens: 12 }),
      'mistral-array-content.chunks.txt': usageOf({ inputTokens: 16, outputTokens: 27 }),
      'mistral-array-content.json': usageOf({ inputTokens: 16, outputTokens: 27 }),
      'moonshot-cached-tokens.chunks.txt': usageOf({ inputTokens: 64, cacheReadTokens: 48, outputTokens: 4 }),
      'moonshot-cached-tokens.json': usageOf({
        inputTokens: 64,
        cacheReadTokens: 48,
        outputTokens: 8,
        reasoningTokens: 5,
      }),
      'openai-parallel-tools.chunks.txt': usageOf({ inputTokens: 92, outputTokens: 31 }),
      'openai-unsupported-parameter.json': null,
      'openrouter-finish-twice.chunks.txt': usageOf({ inputTokens: 11, outputTokens: 6 }),
      'vllm-usage-in-each-chunk.chunks.txt': usageOf({ inputTokens: 20, outputTokens: 4 }),
      'xai-reasoning-apart.chunks.txt': usageOf({
        inputTokens: 291,
        cacheReadTokens: 256,
        outputTokens: 129,
        reasoningTokens: 103,
      }),
    };
    assert.deepEqual(Object.fromEntries(recordings.map((recording) => [recording.name, usageIn(recording)])), expected);
  });

  test('each one arrives byte for byte, framed and cut into small pieces', async () => {
    for (const recording of recordings) {
      const bytes = Buffer.concat(recording.frames);
      assert.deepEqual(bodyOf(await reads(replay(recording))), bytes, recording.name);
      assert.deepEqual(bodyOf(await reads(cutEvery(replay(recording), 7))), bytes, recording.name);
    }
  });
});

describe('cuts', () => {
  test('a reader sees the bytes of one character come apart', async () => {
    const bodies = (await reads(cutEvery(answer({ text: '🙂' }), 1))).map(String);
    assert.ok(bodies.length > 100, `${bodies.length} reads`);
    const parts = await reads(cutEvery(replay(named('openrouter-finish-twice.chunks.txt')), 1));
    const smile = Buffer.from('🙂');
    assert.equal(bodyOf(parts).includes(smile), true);
    assert.equal(
      parts.some((part) => part.includes(smile)),
      false,
    );
  });

  test('the cuts are where they were asked for, and nowhere else', async () => {
    const parts = await reads(cutAt(replay(named('vllm-usage-in-each-chunk.chunks.txt')), [100, 3]));
    const sizes = parts
      .map(String)
      .join('')
      .match(/^[0-9a-f]+(?=\r$)/gm)
      ?.map((size) => Number.parseInt(size, 16));
    const length = Buffer.concat(named('vllm-usage-in-each-chunk.chunks.txt').frames).length;
    assert.deepEqual(sizes, [3, 97, length - 100, 0]);
  });
});
