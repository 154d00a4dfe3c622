/**
 * A share of a route's calls may go by another definition (`canary`, JSON). Routes that were stored before get the settings
 * that they are administered by, in the first organization: one version, which is in force.
 */
export const routeVersions = `
  alter table routes add column canary text;

  insert into settings
    select (select id from organizations order by created_at, id limit 1), 'route_version', routes.id, 'rtv_0', 1,
      routes.updated_at,
      json_object('number', 1, 'version', route_versions.version, 'definition', routes.definition, 'yaml', null,
        'note', null, 'by', null)
    from routes join route_versions on route_versions.definition = routes.definition
    where routes.origin = 'store' and exists (select 1 from organizations);
  insert into settings
    select organization_id, 'route', '', parent_id, 1, created_at,
      json_object('inForce', id, 'before', null, 'canary', null, 'updatedAt', created_at)
    from settings where kind = 'route_version';
`;
