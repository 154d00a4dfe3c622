import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { SAID } from './said.ts';

test('each example of the README is known here', () => {
  assert.equal(globSync('example-*.ts').length, SAID.length);
});

for (const [index, said] of SAID.entries()) {
  test(`example ${index + 1} runs as it stands`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [`example-${index + 1}.ts`]);
    assert.match(stdout, said);
  });
}
