/**
 * What a call holds of the limits of its key and product while it is open; what it took of them, where that is not its
 * cost; and what a vendor reported, where that was not believed (`store/usage-json.ts`). Most calls have none of these to tell.
 *
 * Names that translation left out were once kept at any length: lists of more than 4 KB become what `core/losses.ts`
 * makes of them now, its first names and the count of the others.
 */
export const boundedRecords = `
  alter table calls add column held_nano integer;
  alter table calls add column counted_nano integer;
  alter table calls add column reported_usage text;

  update calls set dropped = (
    with told as (
      select key, case when length(value) <= 129 then value else substr(value, 1, 128) || '…' end as name
      from json_each(calls.dropped)
    ),
    summed as (select key, name, sum(octet_length(json_quote(name)) + 1) over (order by key) as bytes from told),
    kept as (select key, name from summed where bytes <= 3072)
    select json_group_array(name) from (
      select key, name from kept
      union all
      select count(*), '+' || (json_array_length(calls.dropped) - count(*)) || ' more' from kept
      having json_array_length(calls.dropped) > count(*)
      order by key
    )
  ) where octet_length(dropped) > 4096;
`;
