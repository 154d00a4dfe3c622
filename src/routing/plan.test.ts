import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import {
  type CatalogEntry,
  type DialectId,
  type Directory,
  type Model,
  type Provider,
  type Target,
  UNKNOWN_MODEL,
} from '../core/provider.ts';
import { buildDirectory } from './directory.ts';
import { findEntry, type RequestedModel, targetsOf, wrongSurface } from './plan.ts';

const LAB: Provider = {
  id: 'lab',
  label: 'Lab',
  baseUrl: 'http://lab.invalid/v1',
  speaks: [{ dialect: 'openai-chat', path: '/chat/completions' }],
  credential: null,
  credentialName: 'default',
  authorization: { header: 'authorization', prefix: 'Bearer ' },
  headers: {},
  quirks: {},
  region: null,
  concurrency: null,
  transport: 'http',
};

const SMALL: Model = {
  ...UNKNOWN_MODEL,
  id: 'small',
  upstreamId: 'small-2026',
  name: 'Small',
  dialects: ['openai-chat'],
};

const directory = buildDirectory(
  [
    {
      provider: LAB,
      models: [
        SMALL,
        { ...SMALL, id: 'vectors', dialects: ['openai-embeddings'] },
        { ...SMALL, id: 'both', dialects: ['openai-chat', 'openai-embeddings'] },
      ],
    },
  ],
  { aliases: new Map([['default', 'small']]) },
);

type Change = Partial<RequestedModel> & { dialects?: readonly DialectId[]; allowedModels?: readonly string[] };

function wanted({ allowedModels, ...more }: Change): RequestedModel {
  const key = { allowedModels: allowedModels ?? null, product: null, access: 'models' as const, admin: false };
  const { dialects: _dialects, ...rest } = more;
  return { model: 'small', label: 'chat completions', key, ...rest };
}

/** Where a call goes that is a vendor's model. */
function plan(change: Change, from: Directory): { entry: CatalogEntry; targets: Target[] } {
  const asked = wanted(change);
  const entry = findEntry(asked, from);
  const targets = entry.origin === 'vendor' ? targetsOf(entry, change.dialects ?? ['openai-chat']) : [];
  if (targets.length === 0) throw wrongSurface(asked);
  return { entry, targets };
}

function refused(more: Change, kind: ErrorKind, message: RegExp, from: Directory = directory): GatewayError {
  let refusal: unknown;
  try {
    plan(more, from);
  } catch (error) {
    refusal = error;
  }
  assert.ok(refusal instanceof GatewayError);
  assert.equal(refusal.kind, kind);
  assert.match(refusal.message, message);
  assert.equal(refusal.param, 'model');
  return refusal;
}

test('every name of a model leads to the same place', () => {
  for (const model of ['small', 'lab/small', 'default']) {
    const { entry, targets } = plan({ model }, directory);
    assert.equal(entry.id, 'small');
    assert.deepEqual(targets, [{ provider: LAB, model: SMALL, dialect: 'openai-chat', path: '/chat/completions' }]);
  }
});

test('an unknown model is a 404 with the nearest names', () => {
  refused({ model: 'smal' }, 'model_not_found', /^The model `smal` does not exist here\. Nearest: `small`/);
  refused({ model: 'smal' }, 'model_not_found', /does not exist here\.$/, buildDirectory([]));
});

test('the nearest names are only such as the key may use', () => {
  refused({ model: 'bth', allowedModels: ['both'] }, 'model_not_found', /Nearest: `both`\.$/);
  refused({ model: 'defalt', allowedModels: ['default'] }, 'model_not_found', /Nearest: `default`\.$/);
  refused(
    { model: 'smal', allowedModels: ['gone'] },
    'model_not_found',
    /No name that this API key may use is near it\.$/,
  );
});

test('a name of any length is quoted in part', () => {
  assert.ok(
    refused({ model: 'x'.repeat(1_000_000) }, 'model_not_found', /^The model `x{200}` does/).message.length < 500,
  );
});

test('a key that names its models may use them under every name, and no others', () => {
  for (const model of ['small', 'lab/small', 'default']) {
    assert.equal(plan({ model, allowedModels: ['small'] }, directory).entry.id, 'small');
    assert.equal(plan({ model, allowedModels: ['lab/small'] }, directory).entry.id, 'small');
    refused({ model, allowedModels: ['both'] }, 'model_not_allowed', /may not use the model/);
  }
  assert.equal(plan({ model: 'default', allowedModels: ['default'] }, directory).entry.id, 'small');
  refused({ model: 'small', allowedModels: ['default'] }, 'model_not_allowed', /may not use/);
  refused({ allowedModels: [] }, 'model_not_allowed', /may not use/);
});

test('a model that does not serve the surface is a 400 that says so', () => {
  const refusal = refused({ model: 'vectors' }, 'invalid_request', /`vectors` does not serve chat completions/);
  assert.equal(refusal.code, 'unsupported_model');
  const embeddings = { dialects: ['openai-embeddings'], label: 'embeddings' } as const;
  refused({ ...embeddings, model: 'small' }, 'invalid_request', /does not serve embeddings/);
  // The model would, but its provider has no path for it.
  refused({ ...embeddings, model: 'both' }, 'invalid_request', /does not serve embeddings/);
});
