const DAYS_OF_CALL = `organization_id = old.organization_id and shape in (0, 1, 2, 3) and day = old.created_at / 86400000
      and group_number in (
        select old.usage_group
        union all select by_caller from usage_groups where number = old.usage_group
        union all select by_server from usage_groups where number = old.usage_group
        union all select by_tool from usage_groups where number = old.usage_group
      )`;

/** The two highest digits of a wait in ms, as `store/sqlite/first-tokens.ts` counts it. */
function counted(ms: string): string {
  const steps = [10, 100, 1_000, 10_000, 100_000].map(
    (step) => `when ${ms} < ${step * 100} then ${ms} / ${step} * ${step}`,
  );
  return `case when ${ms} < 100 then max(${ms}, 0) ${steps.join(' ')} else 9900000 end`;
}

/**
 * Usage by day tells, too, how many calls took more than one attempt, and how long callers waited for the first token of their
 * streams: by organization and day, calls by their wait in ms, of which the two highest digits are kept. Calls that are added up
 * already are counted here and now; a call that is deleted is taken out again.
 */
export const firstTokens = `
  alter table usage_days add column retried integer not null default 0;

  create temp table retried_calls as
    select usage_group as leaf, created_at / 86400000 as day, count(*) as calls from calls
    where usage_group is not null and attempts > 1 group by 1, 2;
  create temp table retried_groups as
    select leaf as number, day, calls from retried_calls
    union all select by_caller, day, calls from retried_calls join usage_groups on number = leaf
    union all select by_server, day, calls from retried_calls join usage_groups on number = leaf
    union all select by_tool, day, calls from retried_calls join usage_groups on number = leaf;
  update usage_days set retried = found.calls
    from (select number, day, sum(calls) as calls from retried_groups group by 1, 2) as found
    where found.number = usage_days.group_number and found.day = usage_days.day;
  drop table retried_groups;
  drop table retried_calls;

  create table first_tokens (
    organization_id text not null,
    day integer not null,
    ms integer not null,
    calls integer not null,
    primary key (organization_id, day, ms)
  ) strict, without rowid;
  insert into first_tokens
    select organization_id, created_at / 86400000, ${counted('time_to_first_token_ms')}, count(*) from calls
    where usage_group is not null and time_to_first_token_ms is not null group by 1, 2, 3;

  create trigger usage_days_lose_retried after delete on calls when old.usage_group is not null and old.attempts > 1 begin
    update usage_days set retried = retried - 1 where ${DAYS_OF_CALL};
  end;

  create trigger first_tokens_lose_calls after delete on calls
  when old.usage_group is not null and old.time_to_first_token_ms is not null begin
    update first_tokens set calls = calls - 1 where organization_id = old.organization_id
      and day = old.created_at / 86400000 and ms = ${counted('old.time_to_first_token_ms')};
    delete from first_tokens where organization_id = old.organization_id
      and day = old.created_at / 86400000 and ms = ${counted('old.time_to_first_token_ms')} and calls = 0;
  end;
`;
