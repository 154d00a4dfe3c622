/**
 * Numbers of `docs/threat-model.md` that no setting moves: what the document says, and the line that makes it so. Where one of
 * both is changed, the other has to be.
 */
export const CONSTANTS: readonly (readonly [phrase: string, file: string, source: string])[] = [
  ['about 50 ms of one wait for a body of 4 MB', 'bench/loop-holds.ts', 'const LEAST_ALLOWED_MS = 50;'],
  ['10 ms for each further megabyte', 'bench/loop-holds.ts', 'const ALLOWED_MS_PER_MB = 10;'],
  ['a record under 6 KB', 'tests/attacks/record-size.test.ts', 'const MAX_RECORD_BYTES = 6_000;'],
  ['4 KB of it `dropped`', 'tests/attacks/record-size.test.ts', 'const MAX_LIST_BYTES = 4_096;'],
  ['`service-dropped` 1 KB', 'src/http/header-values.ts', 'const MAX_VALUE = 1024;'],
  ['100 on a connection', 'src/http/caller-connections.ts', 'const MAX_PIPELINED = 100;'],
  ['to the vendor in 10 s', 'src/health/credential-evidence.ts', 'export const CHECK_EVERY_MS = 10_000;'],
  ['1,000 entries in memory', 'src/routing/unlisted-models.ts', 'const MAX_KEPT = 1000;'],
  ['1,000 targets', 'src/health/health.ts', 'const MAX_UNLISTED = 1_000;'],
  ['up to 50 ms late', 'src/upstream/connections.ts', 'export const REST_MS = 50;'],
  ['once an hour', 'src/upstream/connections.ts', 'export const UNTRUSTED_MS = 3_600_000;'],
  ['if no byte came within a second', 'src/upstream/connections.ts', 'export const RESEND_WITHIN_MS = 1_000;'],
  ['parts of 8 characters', 'src/pipeline/redactor.ts', 'export const LEAST_PART = 8;'],
  [
    '8 MB, 5,000 names, 5 s',
    'src/catalog/vendor-models.ts',
    'timeoutMs: 5_000, maxBytes: 8 * 1024 * 1024, maxModels: 5_000',
  ],
  [
    '300,000 values and 100,000 members',
    'src/pipeline/vendor-answer.ts',
    '{ maxValues: 300_000, maxMembers: 100_000 }',
  ],
  ['4,096 parts', 'src/pipeline/translation/translated.ts', 'export const MAX_PARTS = 4096;'],
  ['20 events a second', 'src/surfaces/live/watcher.ts', 'export const MAX_EVENTS_A_SECOND = 20;'],
  ['100 calls wait', 'src/surfaces/live/watcher.ts', 'export const MAX_WAITING = 100;'],
  ['takes nothing for 10 s', 'src/surfaces/live/watcher.ts', 'export const MAX_STALL_MS = 10_000;'],
  ['200 ms of a processor each at most', 'src/store/sqlite/threaded-storage.ts', 'const REPORT_MS = 200;'],
  ['a summary or usage in buckets 2 s', 'src/store/usage-summary.ts', 'const TIME_SHARE = 10;'],
  ['a summary or usage in buckets 2 s', 'src/store/usage-buckets.ts', 'const TIME_SHARE = 10;'],
  ['64 KB in 10 s', 'src/store/disk-state.ts', 'export const WRITE_CHECK_BYTES = 64 * 1024;'],
  ['64 KB in 10 s', 'src/store/disk-state.ts', 'export const WRITE_CHECK_MS = 10_000;'],
  ['a read a second', 'src/runtime/storage-watch.ts', 'export const LOOK_EVERY_MS = 1_000;'],
  [
    'of 500 of each (10,000 in a nightly run) none is accepted',
    'tests/sign-in/refused.test.ts',
    'const MANY = IS_NIGHTLY ? 10_000 : 500;',
  ],
  ['256 random bits', 'src/organization/sign-in/secrets.ts', '/** 256 random bits in base64url'],
  [
    'twice as many may come from a /56, four times as many from a /48',
    'src/organization/sign-in/sign-in.ts',
    'const WIDER_NETWORKS = [1, 2, 4];',
  ],
  ['of IPv6 a network is a /64', 'src/core/ip-address.ts', '::/64`,'],
  ['two of them are worked at', 'src/api/caller-turns.ts', 'AT_WORK = 2;'],
  ['two checks at once', 'src/organization/sign-in/passwords.ts', 'const MAX_AT_ONCE = 2;'],
  ['50 wait', 'src/organization/sign-in/passwords.ts', 'const MAX_WAITING = 50;'],
  ['not from the last 10 where', 'src/organization/sign-in/sessions.ts', 'const MAX_KNOWN_NETWORKS = 10;'],
  ['signed in within 90 days', 'src/organization/sign-in/sessions.ts', 'const NETWORK_KNOWN_MS = 90 * 86_400_000;'],
  ['5 earlier secrets', 'src/keys/keys.ts', 'export const MAX_EARLIER_SECRETS = 5;'],
  ['for 90 days at most', 'src/keys/keys.ts', 'export const MAX_OVERLAP_MS = 90 * DAY_MS;'],
  ['500 hostile strings', 'tests/console/hostile-strings.test.ts', "test('500 hostile strings"],
  ['up to 100,000 records wait', 'src/store/journal/ledger.ts', 'export const MAX_QUEUED_WRITES = 100_000;'],
  ['its mode is 600', 'src/http/operator-socket.ts', 'chmodSync(path, 0o600);'],
  ['for 5 s; then nobody listens', 'src/http/layers.ts', 'const REFUSE_MS = 5_000;'],
];

/** What was measured, and what a test alone holds. */
export const MEASURED: readonly string[] = ['some shapes of 4 MB still hold the others for up to 70 ms'];

/** The same of `SECURITY.md`. */
export const OF_SECURITY: typeof CONSTANTS = [
  ['256 random bits, written as 43 characters', 'src/keys/format.ts', '43 characters hold the 32 bytes'],
  ['of any eight characters of the key in a row', 'src/pipeline/redactor.ts', 'export const LEAST_PART = 8;'],
  ['works at two at once', 'src/api/caller-turns.ts', 'AT_WORK = 2;'],
];
