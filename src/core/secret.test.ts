import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedSecret } from './secret.ts';

test('a masked secret tells its owner which one it is, and nobody what it is', () => {
  assert.equal(maskedSecret(`hg_live_ab${'-'.repeat(43)}wxyz`), 'hg_live_ab…wxyz');
  assert.equal(maskedSecret('password1234'), 'pas…');
  assert.equal(maskedSecret('abc'), '…');
});
