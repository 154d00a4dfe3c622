import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaPart, mediaTypeOf, readFileData, readUrl, soundPart } from './media.ts';

const JPEG = '/9j/4AAQ';
const PNG = 'iVBORw0KGgoAAAA';
const PDF = 'JVBERi0xLjQK';

test('a media type gets its usual name, and the bytes decide where it says nothing', () => {
  const types: readonly (readonly [string, string, string])[] = [
    ['image/jpg', JPEG, 'image/jpeg'],
    ['image/pjpeg', 'AAAA', 'image/jpeg'],
    ['image/JPEG', JPEG, 'image/jpeg'],
    ['Application/PDF; name=a.pdf', PDF, 'application/pdf'],
    ['', JPEG, 'image/jpeg'],
    ['', 'AAAA', 'application/octet-stream'],
    ['application/octet-stream', PNG, 'image/png'],
    ['image/*', 'R0lGODlh', 'image/gif'],
    ['image/x-unknown', 'UklGRiQAAABXRUJQVlA4', 'image/webp'],
    ['application/octet-stream', 'UklGRiQAAABXQVZFZm10', 'audio/wav'],
    ['image/png', JPEG, 'image/jpeg'],
    ['image/png', PDF, 'application/pdf'],
    ['text/plain', PDF, 'text/plain'],
    ['application/zip', JPEG, 'application/zip'],
  ];
  for (const [named, data, expected] of types) assert.equal(mediaTypeOf(named, data), expected, named);
});

test('the media type decides what a part is, whatever it is called', () => {
  const source = (mediaType: string, data = 'AAAA') => ({ kind: 'data', mediaType, data }) as const;
  assert.equal(mediaPart('image', source('application/pdf'), {}).kind, 'file');
  assert.equal(mediaPart('image', source('text/csv'), {}).kind, 'file');
  assert.equal(mediaPart('file', source('image/png'), {}).kind, 'image');
  assert.equal(mediaPart('file', source('', PNG), {}).kind, 'image');
  assert.deepEqual(mediaPart('file', source('audio/x-wav'), {}), { kind: 'audio', data: 'AAAA', format: 'wav' });
  assert.deepEqual(mediaPart('image', source('audio/mp3'), {}), { kind: 'audio', data: 'AAAA', format: 'mp3' });
  assert.equal(mediaPart('image', source('', 'AAAA'), {}).kind, 'image');
  assert.equal(mediaPart('image', { kind: 'url', url: 'https://a.invalid/a.pdf' }, {}).kind, 'image');
});

test('what a part says beside its bytes goes with it', () => {
  const cache = { ttl: '5m' } as const;
  const beside = { detail: 'high', filename: 'a', cache };
  const pdf = { kind: 'data', mediaType: 'application/pdf', data: PDF } as const;
  assert.deepEqual(mediaPart('image', pdf, beside), { kind: 'file', source: pdf, filename: 'a', cache });
  const png = { kind: 'data', mediaType: 'image/png', data: PNG } as const;
  assert.deepEqual(mediaPart('file', png, beside), { kind: 'image', source: png, detail: 'high', cache });
});

test('data URLs are read in every form', () => {
  const png = { kind: 'data', mediaType: 'image/png', data: PNG };
  assert.deepEqual(readUrl(`data:image/png;base64,${PNG}`), png);
  assert.deepEqual(readUrl(`DATA:image/PNG;name=a;base64,${PNG}`), png);
  assert.deepEqual(readUrl('data:text/csv,a%2Cb'), { kind: 'data', mediaType: 'text/csv', data: 'YSxi' });
  assert.deepEqual(readUrl('data:,hi'), { kind: 'data', mediaType: 'text/plain', data: 'aGk=' });
  assert.deepEqual(readUrl(PNG), png);
  assert.deepEqual(readUrl('https://a.invalid/a'), { kind: 'url', url: 'https://a.invalid/a' });
  assert.deepEqual(readUrl('data:text/plain,%zz'), { kind: 'url', url: 'data:text/plain,%zz' });
});

test('bare base64 is what its bytes show, else what it is taken for', () => {
  assert.deepEqual(readFileData(PNG, 'application/pdf'), { kind: 'data', mediaType: 'image/png', data: PNG });
  assert.deepEqual(readFileData('AAAA', 'application/pdf'), {
    kind: 'data',
    mediaType: 'application/pdf',
    data: 'AAAA',
  });
  assert.deepEqual(readFileData('https://a.invalid/a', 'application/pdf').kind, 'url');
});

test('sound in a data URL is as its media type says', () => {
  assert.deepEqual(soundPart('AAAA', 'wav'), { kind: 'audio', data: 'AAAA', format: 'wav' });
  assert.deepEqual(soundPart('data:audio/mpeg;base64,AAAA', 'wav'), { kind: 'audio', data: 'AAAA', format: 'mp3' });
});
