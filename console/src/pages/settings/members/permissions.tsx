import type { Given } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';

type Permission = Given<'createRole'>['body']['permissions'][number];
type Resource = Permission extends `api.${infer Name}.${'read' | 'write'}` ? Name : never;

/** What permissions are on, in the gateway's words and in a person's: all that there are. */
const WORDS: Readonly<Record<Resource, string>> = {
  projects: 'Projects',
  members: 'Members and invitations',
  groups: 'Groups',
  roles: 'Roles',
  keys: 'API keys',
  admin_keys: 'Keys of administration',
  service_accounts: 'Service accounts',
  budgets: 'Budgets and alerts',
  limits: 'Models and rates of projects',
  usage: 'Usage and costs',
  audit_logs: 'Audit log',
  settings: 'Data and retention',
  webhooks: 'Webhooks',
  providers: 'Providers',
  routes: 'Routes',
  products: 'Products',
  prices: 'Prices of models',
  aliases: 'Other names of models',
};
const RESOURCES = Object.entries(WORDS);
const DEEDS = [
  ['read', 'See'],
  ['write', 'Change'],
] as const;

/** What a role lets people do, in words. */
export function PermissionList({ permissions }: { permissions: readonly string[] }) {
  const known = RESOURCES.flatMap(([resource]) => DEEDS.map(([deed]) => `api.${resource}.${deed}`));
  const lines = RESOURCES.flatMap(([resource, words]) => {
    const deeds = DEEDS.filter(([deed]) => permissions.includes(`api.${resource}.${deed}`)).map(([, word]) => word);
    return deeds.length === 0 ? [] : [{ words, deeds: deeds.join(' and ').toLowerCase() }];
  });
  const others = permissions.filter((each) => !known.includes(each));
  return (
    <ul className="grid text-table">
      {lines.map(({ words, deeds }) => (
        <li key={words} className="flex justify-between gap-4 border-b border-line py-1.5">
          <span>{words}</span>
          <span className="text-weak">{deeds}</span>
        </li>
      ))}
      {others.map((each) => (
        <li key={each} className="border-b border-line py-1.5 font-mono">
          {each}
        </li>
      ))}
      {permissions.length === 0 && <li className="text-weak">None.</li>}
    </ul>
  );
}

type FieldsProps = { chosen: readonly string[]; onChange: (chosen: string[]) => void };

/** A tick for each permission that the person has themselves: nobody gives more. */
export function PermissionFields({ chosen, onChange }: FieldsProps) {
  const { may } = useSession();
  return (
    <fieldset>
      <legend className="mb-1 text-table font-medium">Permissions</legend>
      <table className="w-full text-table">
        <thead>
          <tr className="border-b border-line text-left text-small text-faint">
            <th scope="col" className="py-1 font-medium">
              What
            </th>
            {DEEDS.map(([deed, word]) => (
              <th key={deed} scope="col" className="w-20 py-1 text-center font-medium">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {RESOURCES.map(([resource, words]) => (
            <tr key={resource} className="border-b border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {words}
              </th>
              {DEEDS.map(([deed, word]) => {
                const permission = `api.${resource}.${deed}`;
                return (
                  <td key={deed} className="text-center">
                    <input
                      type="checkbox"
                      aria-label={`${word} ${words.toLowerCase()}`}
                      checked={chosen.includes(permission)}
                      disabled={!may(permission)}
                      onChange={({ target }) =>
                        onChange(
                          target.checked ? [...chosen, permission] : chosen.filter((each) => each !== permission),
                        )
                      }
                      className="size-4 accent-accent align-middle"
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  );
}
