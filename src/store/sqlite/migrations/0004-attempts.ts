/**
 * The last attempt of a call stands in the call's own row, since nearly all have one only, and a second insert would cost
 * as much as the first. `earlier_attempts` holds what came before it; the view `attempts` shows them all.
 */
export const attempts = `
  alter table attempts rename to earlier_attempts;
  alter table calls add column attempts integer not null default 0;
  alter table calls add column upstream_status integer;
  alter table calls add column upstream_request_id text;
  alter table calls add column attempted_at integer;

  update calls set (attempts, upstream_status, upstream_request_id, attempted_at) = (
    select number, http_status, upstream_request_id, started_at from earlier_attempts
    where call_id = calls.id order by number desc limit 1
  ) where id in (select call_id from earlier_attempts);
  delete from earlier_attempts where (call_id, number) in (select id, attempts from calls);

  create view attempts as
    select * from earlier_attempts
    union all
    select id, attempts, provider, upstream_model, status, upstream_status, error_kind, upstream_request_id,
      attempted_at, settled_at, usage_source
    from calls where attempts > 0;
`;
