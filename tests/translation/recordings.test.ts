import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  answersIn,
  loadRecordings,
  type RecordedDialect,
  type Recording,
  replay,
} from '../../src/testing/recordings.ts';
import { isAnswer } from '../laws/recordings.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';
import { RECORDINGS } from '../support/recordings.ts';
import { clientsAt } from './clients.ts';
import { type Said, saidBy } from './said.ts';

/** Every recording of real vendors, read by the official clients through every surface. */

/**
 * Streams that bend their dialect more than the official client bears. In that dialect they pass as they came, byte for
 * byte (tests/replay), as they would without a gateway; translated, they are read like all others.
 */
const BENT: Readonly<Record<string, string>> = {
  'groq/groq-reasoning.chunks.txt': 'its reasoning has another name',
  'mistral/mistral-reasoning.chunks.txt': 'its content is a list of parts',
  'mistral/mistral-tool-call.chunks.txt': 'its tool calls have no index',
  'github-copilot-id-rotation.1.chunks.txt': 'its ids change on the way',
  'openai-apply-patch-tool.1.chunks.txt': 'it has events that the client does not know',
  'openai-shell-container.1.chunks.txt': 'its end says another text than what was streamed',
};

const lab = await startTranslationLab();
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());
const clients = clientsAt(headgate.url, headgate.key);

for (const spoken of DIALECTS) {
  const { recordings, absent } = await loadRecordings(RECORDINGS, spoken);
  const answers = recordings.filter((recording) => isAnswer(recording, spoken)).flatMap(answersIn);
  test(`recordings of ${spoken}`, (context) => {
    context.diagnostic(
      absent ? `there are none in ${RECORDINGS}` : `${answers.length} answers of ${recordings.length} recordings`,
    );
  });
  for (const surface of DIALECTS) {
    describe(`${spoken} through ${surface}`, () => {
      for (const recording of answers) {
        const skip = surface === spoken ? (BENT[recording.name] ?? false) : false;
        test(recording.name, { skip }, () => check(recording, spoken, surface));
      }
    });
  }
}

async function check(recording: Recording, spoken: RecordedDialect, surface: RecordedDialect): Promise<void> {
  vendor.forget();
  vendor.plan(replay(recording), { path: PATHS[spoken] });
  const expected = saidBy(recording, spoken);
  const asked = clients[surface](`${spoken}/m`, recording.stream);
  if (expected === null) return assert.rejects(asked, { status: recording.status });
  assertSaid(await asked, expected);
}

function assertSaid(said: Said, expected: Said): void {
  const { usage, ...rest } = expected;
  const { usage: told, ...heard } = said;
  assert.deepEqual(heard, rest);
  if (usage !== null) assert.deepEqual(told, usage);
}
