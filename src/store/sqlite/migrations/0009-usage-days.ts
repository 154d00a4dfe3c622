/** What is added up, of the calls of one day: amounts in nano-dollars, those that are not known counted beside them. */
const SUMS: readonly (readonly [column: string, ofCall: string])[] = [
  ['calls', '1'],
  ['failed', "(old.status = 'failed')"],
  ['estimated', "(old.usage_source = 'estimated')"],
  ['input_tokens', 'old.input_tokens'],
  ['cached_tokens', 'old.cache_read_tokens'],
  ['output_tokens', 'old.output_tokens'],
  ['cost_nano', 'coalesce(old.cost_nano, 0)'],
  ['without_cost', '(old.cost_nano is null)'],
  [
    'vendor_cost_nano',
    'coalesce(case when old.charged_otherwise is null then old.cost_nano else old.vendor_cost_nano end, 0)',
  ],
  [
    'without_vendor_cost',
    '((case when old.charged_otherwise is null then old.cost_nano else old.vendor_cost_nano end) is null)',
  ],
];

/**
 * Usage by UTC day (days since 1970), so that a bill of a million calls is read from few rows. A settled call is counted in
 * one group of what it can be told apart by, and its row says in which (`usage_group`; null: in none yet); the same call is
 * counted in three groups of less, which are fewer: by who called, by who served, and by tool. `shape` says which of the
 * four a row is: 0 is all. Where a group has no product, tool or route, the text is empty. `is_rest` are groups of what a
 * key called beyond as many names a day as are told apart. A call that is deleted is taken out again.
 *
 * Calls of before are counted in the background (`store/sqlite/sum-old-calls.ts`): of an organization named in
 * `unsummed_calls`, those up to an id may still be in no group.
 */
export const usageDays = `
  alter table calls add column route text;
  alter table calls add column usage_group integer;

  create table usage_groups (
    number integer primary key,
    organization_id text not null,
    shape integer not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    route text not null,
    provider text not null,
    is_rest integer not null,
    by_caller integer,
    by_server integer,
    by_tool integer,
    unique (organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest)
  ) strict;

  create table usage_days (
    organization_id text not null,
    shape integer not null,
    day integer not null,
    group_number integer not null,
    ${SUMS.map(([column]) => `${column} integer not null`).join(',\n    ')},
    primary key (organization_id, shape, day, group_number)
  ) strict, without rowid;

  create table unsummed_calls (
    organization_id text primary key,
    up_to text not null
  ) strict, without rowid;
  insert into unsummed_calls
    select id, (select max(calls.id) from calls where organization_id = organizations.id) from organizations
    where exists (select 1 from calls where organization_id = organizations.id);

  create trigger usage_days_lose_calls after delete on calls when old.usage_group is not null begin
    update usage_days set ${SUMS.map(([column, ofCall]) => `${column} = ${column} - ${ofCall}`).join(', ')}
    where organization_id = old.organization_id and shape in (0, 1, 2, 3) and day = old.created_at / 86400000
      and group_number in (
        select old.usage_group
        union all select by_caller from usage_groups where number = old.usage_group
        union all select by_server from usage_groups where number = old.usage_group
        union all select by_tool from usage_groups where number = old.usage_group
      );
    delete from usage_days
    where organization_id = old.organization_id and shape in (0, 1, 2, 3) and day = old.created_at / 86400000
      and group_number in (
        select old.usage_group
        union all select by_caller from usage_groups where number = old.usage_group
        union all select by_server from usage_groups where number = old.usage_group
        union all select by_tool from usage_groups where number = old.usage_group
      ) and calls = 0;
  end;
`;
