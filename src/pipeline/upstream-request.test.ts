import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { Provider, Target } from '../core/provider.ts';
import { Secret } from '../core/secret.ts';
import { echoModels, echoProvider } from '../providers/echo/echo.ts';
import { cleanError, upstreamRequestId } from './upstream-request.ts';

const KEY = 'sk-vendor-0123456789';
const [model] = echoModels();

function target(provider: Partial<Provider>): Target {
  const http: Provider = { ...echoProvider(), transport: 'http', baseUrl: 'https://api.vendor.example:8443/v1' };
  return {
    provider: { ...http, credential: new Secret(KEY), ...provider },
    model: model!,
    dialect: 'openai-chat',
    path: '',
  };
}

test('the key and the address are taken out of all that a vendor said', () => {
  const error = new GatewayError(
    'upstream_rejected',
    `Key ${KEY} is not known at https://api.vendor.example:8443/v1/chat (api.vendor.example).`,
    { status: 422, type: `${KEY}!`, code: KEY, param: 'https://api.vendor.example:8443/v1', retryAfterMs: 5 },
  );
  const { message, type, code, param, status, retryAfterMs } = cleanError(error, target({}));
  assert.equal(message, 'Key *** is not known at ***/chat (***).');
  assert.deepEqual({ type, code, param }, { type: '***!', code: '***', param: '***' });
  assert.deepEqual([status, retryAfterMs], [422, 5]);
});

test('of a vendor’s request id the first 200 characters are kept, without the key', () => {
  const { provider } = target({});
  assert.equal(upstreamRequestId({ 'x-request-id': 'a'.repeat(201) }, provider), 'a'.repeat(200));
  assert.equal(upstreamRequestId({ 'request-id': `req-${KEY}` }, provider), 'req-***');
  assert.equal(upstreamRequestId({}, provider), null);
});

test('words that have none of it stay as they are', () => {
  const error = new GatewayError('upstream_rejected', 'No such model.', { code: null });
  assert.equal(cleanError(error, target({})), error);
  assert.equal(cleanError(error, target({ credential: null })), error);
});

test('a host whose name is a word is hidden only where it stands as an address', () => {
  const there = target({ baseUrl: 'http://model:8000/v1' });
  const error = new GatewayError('upstream_rejected', 'The model `x` is not there.', {
    code: 'model_not_found',
    param: 'model',
  });
  assert.equal(cleanError(error, there), error);
  assert.equal(cleanError(error, target({ baseUrl: 'http://model/v1' })), error);
  const said = new GatewayError('upstream_rejected', 'The model at http://model:8000 (model:8000) is busy.', {
    type: 'from model:8000',
  });
  const { message, type } = cleanError(said, there);
  assert.deepEqual([message, type], ['The model at *** (***) is busy.', 'from ***']);
});
