import type { ConfigSetting } from '../core/config-setting.ts';
import { withShownAddresses } from '../core/shown-address.ts';
import type { ConfigDocument } from './document.ts';
import type { Overrides } from './environment.ts';
import { configSchema } from './schema.ts';

/** The sections whose members are settings of the gateway itself. Providers, routes and the like have operations of their own. */
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

/** What may hold a secret, or tells where things lie on the machine. */
const NOT_SHOWN: readonly string[] = ['server.metrics_token', 'server.data', 'mail.smtp_url'];

/** The settings that the environment may say too; it wins. */
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
 * The settings that are in force, and who says so: in the words of the file, in which variables stand by their names, so that
 * no secret of the environment is shown; nor is one that stands in an address.
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
      return { ...shown, value: withShownAddresses(said), from: 'file' as const };
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
