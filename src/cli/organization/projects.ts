import { utcDay } from '../../core/utc-day.ts';
import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { shownName } from './shown-name.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const PROJECT = { value: 'ID', about: 'The project’s id.', required: true } as const;
const PROJECTS = '/v1/organization/projects';

type ShownProject = { id: string; name: string; created_at: number; archived_at: number | null; is_default: boolean };

export const projectsList: Command = {
  name: 'projects list',
  about: 'List the projects of an organization.',
  options: { ...ORGANIZATION, archived: { value: null, about: 'Include archived projects.' } },
  examples: ['headgate projects list', 'headgate projects list --archived --json'],
  async run({ flags, api }) {
    const { data } = await api.list<ShownProject>(PROJECTS, { include_archived: String(flags.has('archived')) });
    const columns = [
      { title: 'ID', of: ({ id }: ShownProject) => id },
      { title: 'NAME', of: ({ name }: ShownProject) => name },
      { title: 'CREATED', of: (each: ShownProject) => utcDay(each.created_at * 1000) },
      { title: 'STATE', of: stateOf },
    ];
    return { text: data.length === 0 ? 'No projects yet.' : table(columns, data), json: { object: 'list', data } };
  },
};

export const projectsCreate: Command = {
  name: 'projects create',
  about: 'Create a project with its own keys, limits and budgets.',
  argument: { value: 'NAME', about: 'Name of the project.', required: true },
  options: ORGANIZATION,
  examples: ['headgate projects create search'],
  async run({ argument = '', api }) {
    const json = await api.post<ShownProject>(PROJECTS, { name: shownName('NAME', argument) });
    const { id, name } = json;
    const text = `Project ${id} (${name}). Create a key in it: headgate keys create --project ${id} --name my-app`;
    return { text, json };
  },
};

export const projectsRename: Command = {
  name: 'projects rename',
  about: 'Rename a project.',
  argument: PROJECT,
  second: { value: 'NAME', about: 'New name.', required: true },
  options: ORGANIZATION,
  examples: ['headgate projects rename proj_1 find'],
  async run({ argument = '', second = '', api }) {
    const json = await api.post<ShownProject>(at`/v1/organization/projects/${argument}`, {
      name: shownName('NAME', second),
    });
    return { text: `Project ${json.id} is now called ${json.name}.`, json };
  },
};

export const projectsArchive: Command = {
  name: 'projects archive',
  about: 'Archive a project permanently. Its keys are revoked.',
  argument: PROJECT,
  options: ORGANIZATION,
  examples: ['headgate projects archive proj_1'],
  async run({ argument = '', api }) {
    const json = await api.post<ShownProject>(at`/v1/organization/projects/${argument}/archive`);
    return { text: `Project ${json.id} (${json.name}) is archived, and its keys are revoked.`, json };
  },
};

function stateOf({ archived_at: archivedAt, is_default: isDefault }: ShownProject): string {
  if (archivedAt !== null) return `archived ${utcDay(archivedAt * 1000)}`;
  return isDefault ? 'active, the default' : 'active';
}
