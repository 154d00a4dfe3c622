import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GatewayError } from '../../core/errors.ts';
import { DIALECTS } from '../built.ts';
import type { Dialect, WriteOptions } from '../dialect.ts';

/**
 * One file a case, in `cases/` of each dialect, in three parts with a line of dashes between: how usage is asked for and
 * the vendor's name of the model; a caller's body; the body that goes to the vendor, byte for byte, or the refusal
 * (status, code, param).
 */
const SEPARATOR = /^-{5,}\n/m;
const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };

for (const dialect of DIALECTS) {
  const folder = fileURLToPath(new URL(`../${dialect.id}/cases/`, import.meta.url));
  for (const file of readdirSync(folder).sort()) {
    test(`${dialect.id}: ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
      const parts = readFileSync(`${folder}${file}`, 'utf8').split(SEPARATOR);
      assert.equal(parts.length, 3, 'a case has three parts');
      const [options = '', sent = '', expected = ''] = parts.map((part) => part.replace(/\n$/, ''));
      assert.equal(written(dialect, options, sent), expected);
    });
  }
}

function written(dialect: Dialect, options: string, sent: string): string {
  const [streamUsage, upstreamModel = ''] = options.split(' ');
  try {
    const call = dialect.inbound.readCall(Buffer.from(sent), LIMITS);
    return dialect.outbound
      .writeCall(call, { upstreamModel, streamUsage: streamUsage as WriteOptions['streamUsage'] })
      .toString();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `${error.status} ${error.code} ${error.param}`;
  }
}
