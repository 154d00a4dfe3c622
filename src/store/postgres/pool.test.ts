import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { temporaryPool, WITH_POSTGRES } from './database.test.ts';
import { diskReason, isGone, isValueFault, mayDoAgain, POSTGRES, sqlState } from './errors.ts';

test('values come back as the other engine gives them', WITH_POSTGRES, async (t) => {
  const pool = await temporaryPool(t);
  const { rows } = await pool.query(
    `select $1::bigint as big, 1 as four, 2::smallint as two, sum(x) as sum, count(*), $2::double precision as double,
       $3::bytea as bytes, $4::text as text, null::bigint as none, true as yes
     from (values (9223372036854775807), (1::bigint)) as v (x)`,
    [9_007_199_254_740_993n, 0.1, Buffer.from([0, 255]), 'ä'],
  );
  const value = {
    big: 9_007_199_254_740_993n,
    four: 1n,
    two: 2n,
    sum: 9_223_372_036_854_775_808n,
    count: 2n,
    double: 0.1,
    bytes: new Uint8Array([0, 255]),
    text: 'ä',
    none: null,
    yes: true,
  };
  assert.deepEqual({ ...rows[0] }, value);
  assert.equal(pg.types.getTypeParser(pg.types.builtins.INT8)('1'), '1', "the driver's own parsers are untouched");
});

test('a transaction is done completely or not at all', WITH_POSTGRES, async (t) => {
  const pool = await temporaryPool(t);
  const create = (id: string) => `insert into headgate.organizations values ('${id}', 'A', 1)`;
  await pool.transaction('serializable', async (query) => {
    await query(create('org_1'));
  });
  const failing = pool.transaction('serializable', async (query) => {
    await query(create('org_2'));
    await query(create('org_1'));
  });
  await assert.rejects(failing, (error) => {
    assert.equal(sqlState(error), POSTGRES.uniqueViolation);
    assert.deepEqual([isValueFault(error), mayDoAgain(error), isGone(error)], [true, false, false]);
    return true;
  });
  const { rows } = await pool.query('select id from headgate.organizations');
  assert.deepEqual(rows, [{ id: 'org_1' }]);
});

test('of two who read and write the same, one is told to do it again', WITH_POSTGRES, async (t) => {
  const pool = await temporaryPool(t);
  const both = Promise.withResolvers<void>();
  let reading = 0;
  const attempt = () =>
    pool.transaction('serializable', async (query) => {
      await query('select value from headgate.counters');
      reading += 1;
      if (reading === 2) both.resolve();
      await both.promise;
      await query("update headgate.counters set value = value + 1 where name = 'checks'");
    });
  const results = await Promise.allSettled([attempt(), attempt()]);
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  assert.equal(failed.length, 1);
  assert.deepEqual([mayDoAgain(failed[0]), isValueFault(failed[0]), isGone(failed[0])], [true, false, false]);
});

test(
  'a connection that ends in the middle is told as such, and the next statement has another',
  WITH_POSTGRES,
  async (t) => {
    const pool = await temporaryPool(t);
    const cut = pool.transaction('read committed', async (query) => {
      await query('select pg_terminate_backend(pg_backend_pid())');
    });
    await assert.rejects(cut, (error) => {
      assert.deepEqual([isGone(error), isValueFault(error), mayDoAgain(error)], [true, false, false]);
      return true;
    });
    assert.equal((await pool.query('select 1 as one')).rows[0]?.one, 1n);
  },
);

test(
  'no text has NUL or half a character, no number is out of range, and a disk may be full',
  WITH_POSTGRES,
  async (t) => {
    const pool = await temporaryPool(t);
    const { rows } = await pool.query('select $1::text as text', ['a\0b\ud800']);
    assert.deepEqual(rows, [{ text: 'a\ufffdb\ufffd' }]);
    await assert.rejects(
      pool.query('select $1::bigint', [2n ** 63n]),
      (error) => isValueFault(error) && !isGone(error),
    );
    await assert.rejects(
      pool.transaction('read committed', async (query) => {
        await query('set transaction read only');
        await query("update headgate.counters set value = 1 where name = 'checks'");
      }),
      (error) => diskReason(error) === 'read_only' && !isValueFault(error),
    );
  },
);
