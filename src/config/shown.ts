import { redactAddressesIn } from '../core/address-redaction.ts';
import type { ConfigSetting } from '../core/config-setting.ts';
import type { ConfigDocument } from './document.ts';
import type { Overrides } from './environment.ts';
import { configSchema } from './schema.ts';

/** The sections with settings of the gateway itself. Providers, routes and the like have their own operations. */
const SECTIONS = [
  'server',
  'limits',
  'timeouts',
  'retries',
  'breaker',
  'routing',
  'retention',
  'sign_in',
  'catalog',
  'mail',
] as const;

/** Settings that may hold a secret or reveal paths of the machine. */
const NOT_SHOWN: readonly string[] = ['server.metrics_token', 'server.data', 'mail.smtp_url'];

/** The settings that the environment may override. */
const BY_ENVIRONMENT: Readonly<Record<string, keyof Overrides>> = {
  'server.host': 'HEADGATE_HOST',
  'server.port': 'HEADGATE_PORT',
  'server.log_level': 'HEADGATE_LOG_LEVEL',
  'server.http_layer': 'HEADGATE_HTTP_LAYER',
  'server.workers': 'HEADGATE_WORKERS',
  'catalog.discovery': 'HEADGATE_DISCOVERY',
};

type SchemaNode = {
  properties?: Record<string, SchemaNode>;
  anyOf?: readonly SchemaNode[];
  default?: unknown;
  description?: string;
};

/**
 * The effective settings and their origin, as written in the file. Variables are shown by name, so that no secret of the
 * environment is shown; secrets in addresses are masked.
 */
export function shownSettings({ tree, lineOf }: ConfigDocument, overrides: Overrides): ConfigSetting[] {
  const { properties: sections = {} } = configSchema() as SchemaNode;
  return SECTIONS.flatMap((section) =>
    Object.entries(propertiesOf(sections[section])).flatMap(([member, { default: usual = null, description = '' }]) => {
      const name = `${section}.${member}`;
      if (NOT_SHOWN.includes(name)) return [];
      const shown = { name, line: lineOf([section, member]), description };
      const variable = BY_ENVIRONMENT[name];
      const override = variable === undefined ? undefined : overrides[variable];
      if (override !== undefined) return { ...shown, value: override, from: 'environment' as const };
      const said = memberOf(memberOf(tree, section), member);
      if (said === undefined) return { ...shown, value: usual, from: 'default' as const };
      return { ...shown, value: redactAddressesIn(said), from: 'file' as const };
    }),
  );
}

function propertiesOf(node: SchemaNode | undefined): Record<string, SchemaNode> {
  return node?.properties ?? node?.anyOf?.find(({ properties }) => properties !== undefined)?.properties ?? {};
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
