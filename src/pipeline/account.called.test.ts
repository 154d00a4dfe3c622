import assert from 'node:assert/strict';
import { test } from 'node:test';
import { model, served } from '../testing/routes.ts';
import { answers, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

test('limits are told the name that a call gives its model beside the id', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [answers(completion())];
  await lab.call({ ...SMALL_CHAT, model: 'lab/small' });
  const { model: id, called } = lab.held[0]!.request;
  assert.deepEqual([id, called?.sent, called?.entry.id], ['small', 'lab/small', 'small']);
});
