import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';
import { callerOf } from './rounds/callers.ts';
import { type Spoken, TALK } from './rounds/talk.ts';
import { answerOf } from './rounds/vendors.ts';

/**
 * A conversation of ten turns, carried on by a caller of each dialect with vendors of each: what the vendor is sent each
 * time is exactly what the golden files of `rounds/golden` say. `HEADGATE_GOLDEN=write` writes them anew, to be read
 * before they are kept.
 *
 * A golden turn has the fields that differ from those of the turn before (`without`: those that are gone), and the
 * messages (or items) behind those that are the same: `same` is their number. `dropped` is what the caller is told.
 */
const GOLDEN = fileURLToPath(new URL('./rounds/golden', import.meta.url));
const WRITES = process.env.HEADGATE_GOLDEN === 'write';

const SHORT = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
} as const satisfies Record<string, RecordedDialect>;
type Short = keyof typeof SHORT;
const NAMES = Object.keys(SHORT) as Short[];

/** Providers of one dialect, by name. `other-`: one that cannot open what its like has sealed. */
const MODELS = { chat: 'glm-5', responses: 'gpt-5.1', messages: 'claude-sonnet-4-5' } as const;
type ProviderName = Short | `other-${Short}`;
const PROVIDERS: readonly ProviderName[] = [...NAMES, ...NAMES.map((name) => `other-${name}` as const)];

const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:\n${PROVIDERS.map(providerLine).join('')}`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

/** A conversation leaves its first vendor between calls of tools and their results. */
const MOVES = [
  ['chat', 'messages'],
  ['messages', 'responses'],
  ['responses', 'chat'],
  ['chat', 'other-chat'],
  ['messages', 'other-messages'],
  ['responses', 'other-responses'],
] as const satisfies [Short, ProviderName][];

/** Who is asked at each turn. */
type Course = readonly ProviderName[];

for (const caller of NAMES) {
  for (const upstream of NAMES) {
    test(`${caller} to ${upstream}: every turn is sent as it should be`, async () => {
      const course = TALK.map(() => upstream);
      const sent = await check(`${caller}-${upstream}`, caller, course);
      assertSeals(sent, course);
    });
  }
  for (const [home, away] of MOVES) {
    test(`${caller} from ${home} to ${away} and back: each gets its own seals, and no other's`, async () => {
      const course = TALK.map((_, turn) => (turn < 5 || turn > 7 ? home : away));
      const sent = await check(`${caller}-${home}-${away}`, caller, course);
      assertSeals(sent, course);
    });
  }
}

type Sent = { provider: ProviderName; dropped: string; body: Record<string, unknown> };

async function check(name: string, caller: Short, course: Course): Promise<readonly Sent[]> {
  const sent = await converse(caller, course);
  const turns = sent.map((one, index) => goldenTurn(one, sent[index - 1]));
  const found = withoutChance(`${JSON.stringify(turns, null, 2)}\n`);
  const file = `${GOLDEN}/${name}.json`;
  if (WRITES) {
    await mkdir(GOLDEN, { recursive: true });
    await writeFile(file, found);
  }
  assert.equal(found, await readFile(file, 'utf8'));
  return sent;
}

/** Whole and streamed answers by turns. */
async function converse(caller: Short, course: Course): Promise<readonly Sent[]> {
  const say = callerOf(SHORT[caller], headgate.url, headgate.key);
  const sent: Sent[] = [];
  for (const [index, { asked, spoken }] of TALK.entries()) {
    const provider = course[index]!;
    const dialect = dialectOf(provider);
    vendor.forget();
    vendor.plan(answerOf(SHORT[dialect], sealedBy(provider, spoken), `t${index + 1}`), { path: PATHS[SHORT[dialect]] });
    const { said, dropped } = await say(`${provider}/m`, asked, index % 2 === 1);
    assert.equal(said.text, spoken.text, `the words of turn ${index + 1}`);
    assert.deepEqual(
      said.toolCalls,
      spoken.calls.map(({ name, input }) => ({ name, input: JSON.parse(input) as unknown })),
    );
    sent.push({ provider, dropped, body: vendor.requests.at(-1)?.json as Record<string, unknown> });
  }
  return sent;
}

/** Ids that the gateway made up, as numbers in the order in which they come: each stays the same wherever it comes again. */
function withoutChance(text: string): string {
  const met: string[] = [];
  return text.replaceAll(/_[0-9a-f]{32}\b/g, (id) => {
    if (!met.includes(id)) met.push(id);
    return `_made${met.indexOf(id) + 1}`;
  });
}

/** Seals name who made them, so that they can be told in what others are sent. */
function sealedBy(provider: ProviderName, spoken: Spoken): Spoken {
  return { ...spoken, thoughts: spoken.thoughts.map((each) => ({ ...each, seal: `${provider}.${each.seal}` })) };
}

function goldenTurn({ provider, dropped, body }: Sent, before: Sent | undefined): unknown {
  const list = listOf(body);
  const earlier = before?.provider === provider ? listOf(before.body) : [];
  const differs = list.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(earlier[index]));
  const same = differs < 0 ? list.length : differs;
  const fields = Object.entries(body).filter(
    ([name, value]) => value !== list && JSON.stringify(value) !== JSON.stringify(field(before?.body, name)),
  );
  const gone = Object.keys(before?.body ?? {}).filter((name) => !(name in body));
  const without = gone.length === 0 ? {} : { without: gone };
  return { provider, dropped, ...Object.fromEntries(fields), ...without, same, further: list.slice(same) };
}

/** The conversation in a body. */
function listOf(body: unknown): readonly unknown[] {
  return (field(body, 'messages') ?? field(body, 'input')) as readonly unknown[];
}

/** Each seal goes back to who made it, byte for byte, as often as it was made; to nobody else. */
function assertSeals(sent: readonly Sent[], course: Course): void {
  for (const [turn, { provider, body, dropped }] of sent.entries()) {
    const made = (by: ProviderName) =>
      TALK.slice(0, turn).flatMap(({ spoken }, index) =>
        course[index] === by ? sealedBy(by, spoken).thoughts.map(({ seal }) => seal) : [],
      );
    const text = JSON.stringify(body);
    const others = new Set(course.filter((each) => each !== provider));
    const foreign = [...others].flatMap(made);
    for (const seal of foreign) assert.ok(!text.includes(`"${seal}"`), `turn ${turn + 1} has ${seal}`);
    assert.equal(dropped.split(', ').includes('seal'), foreign.length > 0, `turn ${turn + 1} tells of ${dropped}`);
    for (const seal of made(provider)) assert.ok(text.includes(`"${seal}"`), `turn ${turn + 1} lacks ${seal}`);
    assert.ok(!text.includes('headgate-seal'), `turn ${turn + 1} shows a seal of ours to a vendor`);
  }
}

function providerLine(name: ProviderName): string {
  const dialect = dialectOf(name);
  const models = `[{ id: m, upstream: ${MODELS[dialect]} }]`;
  return `  ${name}: { base_url: "${vendor.url}", dialects: [${SHORT[dialect]}], only: ${models} }\n`;
}

function dialectOf(provider: ProviderName): Short {
  return provider.replace('other-', '') as Short;
}
