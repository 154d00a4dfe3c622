import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startMailServer, type TestMailServer } from '../../src/testing/mail-server.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const DAY_MS = 86_400_000;
/** A call costs a dollar. */
const OUTPUT = 100;
const folder = mkdtempSync(join(tmpdir(), 'headgate-clock-'));
const clockFile = join(folder, 'clock');
const clock = new URL('../support/jumping-clock.ts', import.meta.url);

let vendor: FakeProvider;
let mail: TestMailServer;
let receiver: WebhookReceiver;

before(async () => {
  [vendor, mail, receiver] = await Promise.all([startFakeProvider(), startMailServer(), startReceiver()]);
  vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } }));
});
after(async () => {
  await Promise.all([vendor.close(), mail.close(), receiver.close()]);
  rmSync(folder, { recursive: true });
});

function start(workers: number): Promise<Running> {
  writeFileSync(clockFile, '0');
  return startHeadgate({
    env: { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clock}`, SMTP_URL: mail.url },
    config: `
server: { workers: ${workers}, webhook_hosts: [127.0.0.1] }
mail: { smtp_url: "\${SMTP_URL}", from: gate@example.com }
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: priced, price: { input_per_1m: 0, output_per_1m: 10000 } }] }
`,
  });
}

for (const workers of [1, 2]) {
  test(`an alert is told once in a month, by webhook and by mail, across restarts (${workers} processes)`, async () => {
    await using headgate = await start(workers);
    const client = () =>
      new OpenAI({ adminAPIKey: headgate.key, apiKey: headgate.key, baseURL: `${headgate.url}/v1`, maxRetries: 0 });
    const call = async () => {
      const body = { model: 'priced', max_tokens: OUTPUT, messages: [{ role: 'user', content: 'hi' }] };
      const { status, text } = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
      assert.equal(status, 200, text);
    };
    /** Calls beyond all that there is, until one is refused: from then on the limit holds. */
    const refusedOnce = async () => {
      const body = { model: 'priced', max_tokens: 1_000 * OUTPUT, messages: [{ role: 'user', content: 'hi' }] };
      const ended = performance.now() + WAIT_MS;
      for (;;) {
        assert.ok(performance.now() < ended, 'no call is refused');
        vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: 0 } }), { times: 1 });
        const { status } = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
        if (status === 429) return;
      }
    };
    const { organization } = client().admin;
    const endpoint = await client().webhooks.create({
      name: 'ours',
      url: receiver.url,
      event_types: ['spend_alert.triggered', 'spend_limit.reached'] as never,
    });
    const money = (threshold_amount: number, recipient: string) => ({
      currency: 'USD' as const,
      interval: 'month' as const,
      threshold_amount,
      notification_channel: { type: 'email' as const, recipients: [recipient], subject_prefix: '[Acme]' },
    });
    const [project] = (await organization.projects.list()).data;
    const ofProject = await organization.projects.spendAlerts.create(project!.id, money(200, 'team@example.com'));
    const ofAll = await organization.spendAlerts.create(money(300, 'cfo@example.com'));
    const [begun, mailed] = [receiver.received.length, mail.mails.length];
    const told = () =>
      receiver.received.slice(begun).map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);

    await call();
    await call();
    await receiver.until(() => told().includes(ofProject.id), 'the alert of the project');
    await mail.received(mailed + 1);
    const { body, headers } = receiver.received[begun]!;
    const event = (await client().webhooks.unwrap(body, headers, endpoint.signing_secret)) as unknown as {
      type: string;
      data: Record<string, unknown>;
    };
    assert.equal(event.type, 'spend_alert.triggered');
    assert.deepEqual([event.data.threshold_amount, event.data.project_id, event.data.spent_usd], [200, project!.id, 2]);
    const received = mail.mails[mailed]!;
    assert.deepEqual(received.to, ['team@example.com']);
    assert.equal(received.headers.subject, '[Acme] The project "Default project" has spent $2.00');
    assert.match(received.text, /has spent \$2\.00, more than its alert at \$2\.00/);

    await headgate.restart();
    await call();
    await receiver.until(() => told().includes(ofAll.id), 'the alert of the organization');
    await mail.received(mailed + 2);
    assert.deepEqual(told(), [ofProject.id, ofAll.id]);

    const { spendLimit } = client().admin.organization;
    await spendLimit.update({ currency: 'USD', interval: 'month', threshold_amount: 320 });
    await refusedOnce();
    await receiver.until(() => told().length >= 3, 'the end of the limit');
    const { type, data } = JSON.parse(receiver.received.at(-1)!.body) as typeof event;
    assert.deepEqual([type, data.threshold_amount, data.spent_usd], ['spend_limit.reached', 320, 3]);
    await spendLimit.delete();
    receiver.received.splice(-1);

    writeFileSync(clockFile, String(40 * DAY_MS));
    // The first gets the answer that was planned for the call that was refused.
    await call();
    await call();
    await call();
    await receiver.until(() => told().length >= 3, 'the alert of the project, in another month');
    await mail.received(mailed + 3);
    assert.deepEqual(told(), [ofProject.id, ofAll.id, ofProject.id]);
    assert.deepEqual(
      mail.mails.slice(mailed).map(({ to }) => to[0]),
      ['team@example.com', 'cfo@example.com', 'team@example.com'],
    );
  });
}

test('mail that cannot be sent is tried again, and holds up no webhook; an invitation says that it failed', async () => {
  await using headgate = await start(1);
  const { organization } = new OpenAI({ adminAPIKey: headgate.key, apiKey: null, baseURL: `${headgate.url}/v1` }).admin;
  const invite = async (email: string) =>
    (await organization.invites.create({ email, role: 'reader' })) as unknown as Record<string, string>;
  const mailed = mail.mails.length;
  mail.refuseWith('451 later');
  assert.equal((await invite('late@example.com')).mail, 'failed');
  await headgate.waitForLine(/Mail could not be sent/);
  mail.refuseWith(null);
  const sent = await invite('ada@example.com');
  assert.equal(sent.mail, 'sent');
  await mail.received(mailed + 1);
  assert.deepEqual(mail.mails[mailed]?.to, ['ada@example.com']);
  assert.ok(mail.mails[mailed]?.text.includes(sent.invite_link!), mail.mails[mailed]?.text);
});
