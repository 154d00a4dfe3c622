import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Running, runHeadgate, startHeadgate, type UsageList } from '../support/headgate.ts';

async function say(gateway: Running, content: string): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }),
  });
  assert.equal(response.status, 200, await response.text());
}

test('usage is listed newest first as the gateway lists it, page by page, with its organization', async () => {
  await using gateway = await startHeadgate();
  for (const word of ['one', 'two', 'three']) await say(gateway, word);
  const list = async (...args: string[]) => {
    const { code, json, stderr } = await gateway.command('usage', 'list', '--json', ...args);
    assert.equal(code, 0, stderr);
    return json as UsageList;
  };
  const all = await list();
  const organizations = new Set(all.data.map(({ organization_id }) => organization_id));
  assert.equal(organizations.size, 1);
  assert.deepEqual({ ...all, data: all.data.map(({ organization_id, ...record }) => record) }, await gateway.usage());

  const first = await list('--limit', '2');
  const second = await list('--limit', '2', '--after', String(first.data[1]?.id));
  assert.deepEqual([first.has_more, second.has_more], [true, false]);
  assert.deepEqual([...first.data, ...second.data], all.data);
  assert.equal((await list('--model', 'another')).data.length, 0);
  assert.deepEqual(await list('--organization', String([...organizations][0])), all);
});

test('usage is listed by whose it is and when it was, and one call is shown whole', async () => {
  await using gateway = await startHeadgate();
  await say(gateway, 'one');
  const { key } = await gateway.createKey('--source', 'developer_tool');
  await say({ ...gateway, key }, 'two');
  const listed = async (...args: string[]) => {
    const { code, json, stderr } = await gateway.command('usage', 'list', '--json', ...args);
    assert.equal(code, 0, stderr);
    return (json as UsageList).data.map(({ source }) => source);
  };
  assert.deepEqual(await listed('--source', 'developer_tool'), ['developer_tool']);
  assert.deepEqual(await listed('--since', '7d', '--until', '2100-01-01'), ['developer_tool', 'api_key']);
  assert.deepEqual(await listed('--until', '1d'), []);
  assert.deepEqual(await listed('--product', 'helpdesk'), []);
  assert.deepEqual(await listed('--tool', 'codex', '--key', 'key_none'), []);

  const [record] = (await gateway.usage()).data;
  const shown = await gateway.command('usage', 'show', String(record?.id));
  assert.ok(
    shown.stdout.startsWith(`Record        ${record?.id}\nRequest       ${record?.request_id}\n`),
    shown.stdout,
  );
  assert.match(shown.stdout, /\nAttempts\n.*\n1 +echo +echo +default +\d+ ms +200 +succeeded\n\nIt named its model/);
  const { json } = await gateway.command('usage', 'show', String(record?.request_id), '--json');
  const { attempt_details, decision, organization_id, price_inferred_from, unpriced, error_meaning, ...more } =
    json as Record<string, unknown>;
  const { line_items, service_tier, region, cache_writes_by_life, tool_calls, ...rest } = more;
  assert.deepEqual(rest, record);
  assert.deepEqual([decision, error_meaning, (attempt_details as unknown[]).length], [null, null, 1]);
  assert.match(String(organization_id), /^org_/);
});

test('for people it is a table, and says how to go on', async () => {
  await using gateway = await startHeadgate();
  for (const word of ['one', 'two']) await say(gateway, word);
  const { stdout, stderr } = await gateway.command('usage', 'list', '--limit', '1');
  const [title, row, end] = stdout.split('\n');
  assert.match(title ?? '', /^TIME \(UTC\) +KEY +MODEL +PROVIDER +IN +OUT +COST +STATUS$/);
  assert.match(row ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +first key +echo +echo +\d+ +\d+ +\$0\.00 +succeeded$/);
  assert.equal(end, '');
  const { data } = await gateway.usage();
  assert.equal(stderr, `There are more. Add --after ${data[0]?.id}\n`);
});

test('a limit, a cursor and an organization that cannot be are sentences', async () => {
  await using gateway = await startHeadgate();
  const told = async (...args: string[]) => {
    const { code, stderr } = await gateway.command('usage', 'list', ...args);
    return `${code} ${stderr}`;
  };
  assert.equal(await told('--limit', '101'), '2 --limit must be a whole number from 1 to 100.\n');
  assert.equal(await told('--limit', 'all'), '2 --limit must be a whole number from 1 to 100.\n');
  assert.equal(await told('--source', 'web'), '2 --source must be one of api_key, product, developer_tool, console.\n');
  assert.match(await told('--since', '7'), /^2 --since must be a duration such as 7d or 12h, or a date /);
  assert.match(await told('--until', 'soon'), /^2 --until must be /);
  const { code, stderr } = await gateway.command('usage', 'show', 'usage_unknown');
  assert.equal(`${code} ${stderr}`, '1 There is no usage record with this id.\n');
  assert.equal(await told('--after', 'usage_unknown'), '1 --after is not the id of a usage record.\n');
  assert.match(
    await told('--organization', 'nobody'),
    /^1 There is no organization nobody\. Organizations: org_\w+ \(Default\)\.\n$/,
  );
});

test('where nothing is kept yet, a summary has its shape all the same', async () => {
  const csv = await runHeadgate(['usage', 'summary', '--csv', '--by', 'model']);
  assert.equal(csv.code, 0, csv.stderr);
  assert.match(csv.stdout, /^model,calls,.*\n$/);
  const { json } = await runHeadgate(['usage', 'summary', '--json', '--since', '2026-11-01', '--until', '2026-11-03']);
  const [start, end] = [Date.UTC(2026, 10, 1) / 1000, Date.UTC(2026, 10, 3) / 1000];
  assert.partialDeepStrictEqual(json, {
    ...{ object: 'usage_summary', data: [], start_time: start, end_time: end },
    previous_start_time: start - 2 * 86_400,
    totals: { calls: 0, cost_usd: 0, previous: { calls: 0 } },
  });
  assert.match((await runHeadgate(['usage', 'summary'])).stdout, /^No usage yet\.\n$/);
});

test('usage is added up for people, for spreadsheets and for programs', async () => {
  await using gateway = await startHeadgate();
  for (const word of ['one', 'two']) await say(gateway, word);
  const summary = (...args: string[]) => gateway.command('usage', 'summary', ...args);
  const { stdout, stderr } = await summary('--by', 'key,model');
  assert.match(stdout, /^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\); before: \d{4}-\d\d-\d\d to /, stderr);
  assert.match(stdout, /\nKEY +MODEL +CALLS +IN +OUT +COST +BEFORE +CHANGE +NO COST\nfirst key +echo +2 +\d+ /);
  assert.match(stdout, /\nALL +2 +\d+ +\d+ +\$0\.00 +\$0\.00 +- +0\n$/);
  const csv = (await summary('--by', 'key,day', '--csv')).stdout.trim().split('\n');
  assert.match(csv[0]!, /^api_key_id,api_key_name,day,calls,failed_calls,.*,previous_calls,/);
  assert.match(csv[1]!, /^key_\w+,first key,\d{4}-\d\d-\d\d,2,0,/);
  assert.equal(csv.length, 2);
  await gateway.createKey().then(({ key }) => say({ ...gateway, key }, 'three'));
  const top = (await summary('--by', 'day,key', '--top', '1', '--csv')).stdout;
  assert.match(top, /\n[\d-]{10},key_\w+,first key,2,.*\n[\d-]{10},\(1 others\),,1,/);
  const { json } = await summary('--since', '7d', '--provider', 'echo', '--json');
  const answer = await fetch(
    `${gateway.url}/v1/usage/summary?by=model&start_time=${Math.floor(Date.now() / 1000) - 7 * 86_400}`,
    {
      headers: { authorization: `Bearer ${gateway.key}` },
    },
  );
  assert.deepEqual(json, await answer.json());
  for (const args of [
    ['--by', 'colour'],
    ['--limit', '0'],
    ['--top', '51'],
    ['--since', '5'],
    ['--until', '40d'],
    ['--csv', '--json'],
  ]) {
    const refused = await summary(...args);
    assert.equal(refused.code, 2, refused.stdout);
  }
});
