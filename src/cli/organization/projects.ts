import type { Setting } from '../../core/settings.ts';
import { utcDay } from '../../core/utc-day.ts';
import { archiveProjectTask, createProjectTask, listProjectsTask, renameProjectTask } from '../../tasks/settings.ts';
import type { Command } from '../command.ts';
import { perform } from '../perform.ts';
import { unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';
import { shownName } from './shown-name.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const PROJECT = { value: 'ID', about: 'The project’s id.', required: true } as const;

export const projectsList: Command = {
  name: 'projects list',
  about: 'List the projects of an organization.',
  options: { ...ORGANIZATION, archived: { value: null, about: 'Include archived projects.' } },
  examples: ['headgate projects list', 'headgate projects list --archived --json'],
  async run({ values: { organization = null }, flags, where, tools }) {
    const input = { organizationId: organization, archived: flags.has('archived') };
    const { answer: projects, notes } = await perform(tools, tools.readSetup(where), listProjectsTask, input);
    const columns = [
      { title: 'ID', of: ({ id }: Setting<'project'>) => id },
      { title: 'NAME', of: ({ value }: Setting<'project'>) => value.name },
      { title: 'CREATED', of: ({ createdAt }: Setting<'project'>) => utcDay(createdAt) },
      { title: 'STATE', of: stateOf },
    ];
    return {
      text: projects.length === 0 ? 'No projects yet.' : table(columns, projects),
      json: { object: 'list', data: projects.map(projectJson) },
      notes,
    };
  },
};

export const projectsCreate: Command = {
  name: 'projects create',
  about: 'Create a project with its own keys, limits and budgets.',
  argument: { value: 'NAME', about: 'Name of the project.', required: true },
  options: ORGANIZATION,
  examples: ['headgate projects create search'],
  async run({ argument = '', values: { organization = null }, where, tools }) {
    const input = { organizationId: organization, projectName: shownName('NAME', argument) };
    const { answer } = await perform(tools, tools.readSetup(where), createProjectTask, input);
    return {
      text: `Project ${answer.id} (${answer.value.name}). Create a key in it: headgate keys create --project ${answer.id} --name my-app`,
      json: projectJson(answer),
    };
  },
};

export const projectsRename: Command = {
  name: 'projects rename',
  about: 'Rename a project.',
  argument: PROJECT,
  second: { value: 'NAME', about: 'New name.', required: true },
  options: ORGANIZATION,
  examples: ['headgate projects rename proj_1 find'],
  async run({ argument = '', second = '', values: { organization = null }, where, tools }) {
    const input = { organizationId: organization, id: argument, projectName: shownName('NAME', second) };
    const { answer } = await perform(tools, tools.readSetup(where), renameProjectTask, input);
    return { text: `Project ${answer.id} is now called ${answer.value.name}.`, json: projectJson(answer) };
  },
};

export const projectsArchive: Command = {
  name: 'projects archive',
  about: 'Archive a project permanently. Its keys are revoked.',
  argument: PROJECT,
  options: ORGANIZATION,
  examples: ['headgate projects archive proj_1'],
  async run({ argument = '', values: { organization = null }, where, tools }) {
    const input = { organizationId: organization, id: argument };
    const { answer } = await perform(tools, tools.readSetup(where), archiveProjectTask, input);
    return {
      text: `Project ${answer.id} (${answer.value.name}) is archived, and its keys are revoked.`,
      json: projectJson(answer),
    };
  },
};

function stateOf({ value }: Setting<'project'>): string {
  if (value.archivedAt !== null) return `archived ${utcDay(value.archivedAt)}`;
  return value.isDefault ? 'active, the default' : 'active';
}

function projectJson({ id, createdAt, value }: Setting<'project'>) {
  return {
    id,
    name: value.name,
    created_at: unixSeconds(createdAt),
    archived_at: unixSeconds(value.archivedAt),
    is_default: value.isDefault,
  };
}
