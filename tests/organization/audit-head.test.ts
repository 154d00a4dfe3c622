import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import OpenAI from 'openai';
import { startHeadgate } from '../support/headgate.ts';

const CHANGES = 60;

test('changes that several processes make at once are all made, and the head of the audit log is its last entry', async () => {
  await using headgate = await startHeadgate({ config: 'server: { workers: 3 }' });
  const { organization } = new OpenAI({
    adminAPIKey: headgate.key,
    baseURL: `${headgate.url}/v1`,
    maxRetries: 0,
    apiKey: null,
  }).admin;
  const made = await Promise.all(
    Array.from({ length: CHANGES }, (_, number) => organization.projects.create({ name: `project ${number}` })),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, CHANGES);
  const { json: verified } = await headgate.command('audit', 'verify', '--json');
  const head = JSON.parse(readFileSync(join(headgate.data, 'audit-head.json'), 'utf8')) as { entries: number };
  assert.deepEqual(verified, { entries: head.entries, fault: null });
  assert.ok(head.entries >= CHANGES);
});
