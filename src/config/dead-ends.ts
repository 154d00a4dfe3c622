import { type Route, type RouteTarget, SYSTEM_ROUTE } from '../core/route.ts';
import type { Config, ProviderConfig } from './config.ts';
import { ECHO } from './providers.ts';
import { suggestion } from './suggestion.ts';

/** Valid settings that lead to nothing known now, one notice each. `unserved`: names served only by providers that are off. */
export function deadEnds(config: Config): { notices: string[]; unserved: string[] } {
  return {
    notices: [...deadAliases(config), ...deadFacts(config), ...deadRoutes(config), ...deadProducts(config)],
    unserved: [...unservedAliases(config), ...unservedRoutes(config)],
  };
}

function deadAliases(config: Config): string[] {
  return strayAliases(config)
    .filter(([, target]) => !isOff(config, target))
    .map(([name, target]) => `Alias ${name} leads to ${target}, which no provider that is on is known to serve.`);
}

function unservedAliases(config: Config): string[] {
  return strayAliases(config).flatMap(([name, target]) => (isOff(config, target) ? [`alias ${name}`] : []));
}

function strayAliases(config: Config): [name: string, target: string][] {
  const routes = routeNames(config);
  return [...config.aliases].filter(([, target]) => !routes.includes(target) && !isServed(config, target));
}

function unservedRoutes(config: Config): string[] {
  return allRoutes(config).flatMap((route) => {
    const names = [...route.targets, ...route.fallbacks].map(({ model }) => model);
    const isLost = names.every((name) => !isServed(config, name)) && names.some((name) => isOff(config, name));
    return isLost ? [`route ${route.id}`] : [];
  });
}

function deadFacts({ models, providers }: Config): string[] {
  return [...models.keys()].flatMap((model) => {
    const id = model.slice(0, model.indexOf('/'));
    const provider = providers.find((each) => each.id === id);
    const isServed = provider !== undefined && (provider.only === null || lists(provider, model));
    return isServed ? [] : `The facts of ${model} are not used: ${whyUnused(id, provider)}.`;
  });
}

function whyUnused(id: string, provider: ProviderConfig | undefined): string {
  if (provider !== undefined) return `it is not among the models that ${id} is restricted to`;
  return id === ECHO ? 'those of the built-in models stand' : 'there is no provider of that name';
}

function deadRoutes(config: Config): string[] {
  return allRoutes(config).flatMap((route) => {
    const { targets, fallbacks, contextFallbacks, policyFallbacks } = route;
    const all = [...targets, ...fallbacks, ...contextFallbacks, ...policyFallbacks];
    const unserved = [...new Set(all.map(({ model }) => model))].filter((model) => !isServed(config, model));
    const unknown = unserved.filter((model) => !isOff(config, model));
    const said = [
      ...(unknown.length === 0 ? [] : [`names ${unknown.join(', ')}, which no provider that is on is known to serve`]),
      ...all.filter(({ model }) => !unserved.includes(model)).flatMap((target) => deadCredential(config, target) ?? []),
      ...emptyRegions(config, route),
    ];
    return [...new Set(said)].map((words) => `Route ${route.id} ${words}.`);
  });
}

/** The reason why a target's credential is unavailable, as a predicate for its route; `null` if it is available. */
function deadCredential({ providers }: Config, { model, credential }: RouteTarget): string | null {
  const on = providers.filter(({ off }) => off === null);
  const listing = on.filter((provider) => lists(provider, model));
  const names = (listing.length > 0 ? listing : on).flatMap(({ credentials }) => credentials);
  if (credential === null || names.includes(credential)) return null;
  return `asks for ${model} with the credential ${credential}, which its provider does not have${suggestion(credential, names)}`;
}

function emptyRegions({ providers }: Config, { regions }: Route): string[] {
  const known = providers.flatMap(({ region }) => region ?? []);
  return (regions ?? [])
    .filter((region) => !known.includes(region))
    .map((region) => `asks for the region ${region}, which no provider is in`);
}

function deadProducts(config: Config): string[] {
  const known = [...routeNames(config), ...config.aliases.keys()];
  return [...config.products].flatMap(([id, { routes }]) =>
    routes
      .filter((name) => !known.includes(name) && !isOff(config, name))
      .filter((name) => name === SYSTEM_ROUTE || !isServed(config, name))
      .map(
        (name) =>
          `Product ${id} may call ${name}, which is not a route of this configuration${suggestion(name, known)}.`,
      ),
  );
}

function allRoutes({ routes, system }: Config): Route[] {
  return [...routes, ...(system === null ? [] : [system])];
}

function routeNames({ routes, system }: Config): string[] {
  return [...routes.map(({ id }) => id), ...(system === null ? [] : [SYSTEM_ROUTE])];
}

/**
 * True unless a name certainly leads to no model. A preset's provider may serve any model of the catalog, and a provider
 * without configured models any model of its own list. So the answer is false only if no such provider is on, or if a
 * provider that is off lists the model.
 */
function isServed({ providers, echo }: Config, name: string): boolean {
  if (echo && (name === ECHO || name.startsWith(`${ECHO}/`))) return true;
  const on = providers.filter((provider) => provider.off === null);
  const off = providers.filter((provider) => provider.off !== null);
  if (on.some((provider) => lists(provider, name))) return true;
  const mayHaveAny = on.some(({ only, preset, models }) => only === null && (preset !== null || models.length === 0));
  return mayHaveAny && !off.some((provider) => lists(provider, name));
}

/** True if the provider that lists the model is off; a notice on the provider already says so. */
function isOff({ providers }: Config, name: string): boolean {
  return providers.some((provider) => provider.off !== null && lists(provider, name));
}

/** True if the configuration gives the provider this model. An unrestricted provider has any model by its full name. */
function lists(provider: ProviderConfig, name: string): boolean {
  const isNamed = name.startsWith(`${provider.id}/`);
  if (isNamed && provider.only === null) return true;
  return (provider.only ?? provider.models).some(({ id }) => name === id || name === `${provider.id}/${id}`);
}
