/** Routes with every definition they had, and what smart routes have learned. `canary` is JSON. */
export const routesTables = `
  create table routes (
    id text primary key,
    definition text not null,
    origin text not null,
    updated_at integer not null,
    canary text
  ) strict, without rowid;

  create table route_versions (
    version text primary key,
    definition text not null
  ) strict, without rowid;

  create table route_models (
    number integer primary key,
    id text not null unique,
    route_id text not null,
    created_at integer not null,
    source text not null,
    rows integer not null,
    evaluation text not null,
    weights blob not null
  ) strict;
  create index route_models_by_route on route_models (route_id, created_at);

  create table live_route_models (
    route_id text primary key,
    model_id text not null references route_models (id)
  ) strict, without rowid;

  create table route_rows (
    number integer primary key,
    route_id text not null,
    id text not null,
    origin text not null,
    at integer not null,
    features text not null,
    scores text not null,
    propensity real not null,
    unique (route_id, id)
  ) strict;
`;
