import assert from 'node:assert/strict';
import { test } from 'node:test';
import { health, model, route, served, traits } from '../../testing/routes.ts';
import { candidatesOf } from '../candidates.ts';
import { decide } from '../decide.ts';
import { buildDirectory } from '../directory.ts';

test('fastest goes by what a call waits for: of a stream the first token, of others the whole answer', () => {
  const asked = route(['large', 'small'], { strategy: [{ kind: 'fastest' }] });
  const directory = buildDirectory([served('lab', [model('small'), model('large')])], { routes: [asked] });
  const because = (stream: boolean) =>
    decide({
      route: asked,
      candidates: candidatesOf(asked, directory, ['openai-chat']),
      traits: traits({ stream }),
      health: (target) =>
        health(
          target.model.id === 'small' ? { firstTokenMs: 100, wholeMs: 9000 } : { firstTokenMs: 500, wholeMs: 1000 },
        ),
      scorer: null,
      seed: 7,
      warm: null,
    }).decision.because;
  assert.deepEqual(because(true), ['fastest: small first, 100 ms to the first token.']);
  assert.deepEqual(because(false), ['fastest: large first, 1000 ms to the whole answer.']);
});
