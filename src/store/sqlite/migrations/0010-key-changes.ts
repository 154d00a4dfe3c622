/**
 * What can be changed of a key: it is off from a time on (`disabled_at`) until it is on again, and a secret that was replaced
 * goes on until `earlier_until` of the change, as do those before it, or less long. `usage_scope` says whose records a key
 * sees. That a key changed is counted where the key itself is. `key_use` tells when a key's last call began; what is
 * deleted changes nothing of it.
 */
export const keyChanges = `
  alter table api_keys add column usage_scope text not null default 'organization';
  alter table api_keys add column disabled_at integer;
  alter table api_keys add column earlier_until integer;

  create table earlier_secrets (
    hash blob primary key,
    key_id text not null references api_keys (id),
    ends_at integer not null
  ) strict, without rowid;
  create index earlier_secrets_by_key on earlier_secrets (key_id);

  create table key_use (
    key_id text primary key,
    last_used_at integer not null
  ) strict, without rowid;

  create trigger api_keys_keep_earlier_secrets after update of hash on api_keys begin
    update earlier_secrets set ends_at = min(ends_at, new.earlier_until) where key_id = new.id;
    insert into earlier_secrets values (old.hash, old.id, new.earlier_until);
  end;
`;
