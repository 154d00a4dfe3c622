import type { Import } from '../../catalog/formats/format.ts';
import { readImport } from '../../catalog/formats/read.ts';
import { type CatalogDiff, formatDiff, planImport, writeCatalog } from '../../catalog/import.ts';
import { type Download, isAddress, readSource, type SourceText } from '../../catalog/source.ts';
import { makePrivateFolder } from '../../store/folder.ts';
import type { Command, CommandAnswer } from '../command.ts';
import { demandData } from '../data.ts';
import { FAILED, mendable, OperatorError } from '../failure.ts';
import { stampOf } from './stamp.ts';

export const catalogImport: Command = {
  name: 'catalog import',
  about: 'Update models and prices from a list, after showing the changes.',
  details: [
    'The list is models.dev’s api.json, LiteLLM’s model_prices_and_context_window.json, OpenRouter’s list of models, or a',
    'file with the same format. Models that are not in the list stay, and so do facts that it leaves out. The result is',
    'saved as catalog.json in the data folder and overrides the catalog that ships. A running gateway uses it after its next',
    'reload (SIGHUP) or start.',
  ].join('\n'),
  argument: { value: 'FILE|URL', about: 'Where the list is: a file, or an http or https address.', required: true },
  options: {
    replace: { value: null, about: 'Replace all models of each vendor in the list; models that it lacks are removed.' },
    yes: { value: null, about: 'Do not ask. Required to write anything without a terminal, or with --json.' },
    source: { value: 'WHO', about: 'Name of the source (default: as the file says, else models.dev).' },
    date: { value: 'DAY', about: 'Date of the prices, such as 2026-11-21 (default: as the file says, else its date).' },
  },
  examples: ['headgate catalog import https://models.dev/api.json', 'headgate catalog import ./api.json --yes'],
  async run({ argument = '', values, flags, where, json, tools, terminal }) {
    const { text, writtenAt } = await read(argument, tools.download);
    const stamp = stampOf(text, writtenAt, values);
    const setup = tools.readSetup(where);
    demandData(setup);
    const { folder } = setup;
    const { shipped, imported, path } = tools.catalogFiles(folder);
    const found = mendable(() => readImport(text, stamp));
    const { file, diff } = planImport(shipped, imported, found.file, flags.has('replace'));
    const notes = leftOut(found);
    const answer = (written: boolean, text: string, refusal?: string): CommandAnswer => ({
      text,
      json: {
        ...importJson(diff, found),
        ...stamp,
        file: path,
        written,
        ...(refusal && { error: { message: refusal } }),
      },
      notes: [...notes, ...(refusal === undefined ? [] : [refusal])],
      code: refusal === undefined ? 0 : FAILED,
    });

    if (isEmpty(diff)) return answer(false, 'Nothing differs, and nothing was written.');
    const changes = formatDiff(diff).trimEnd();
    const ask = json ? null : terminal.confirm;
    const agreed = flags.has('yes');
    if (!agreed && ask === null) return answer(false, changes, 'Nothing was written. Add --yes to write it.');
    if (!json) terminal.print(changes);
    if (!agreed && !(await ask?.(`Write this to ${path}?`))) return answer(false, '', 'Nothing was written.');
    makePrivateFolder(folder);
    await writeCatalog(path, file);
    return answer(true, `Written to ${path}. A running gateway uses it after its next reload (SIGHUP) or start.`);
  },
};

/** For a path the system's message is shown, for an address a sentence. */
async function read(source: string, download: Download): Promise<SourceText> {
  try {
    return await readSource(source, download);
  } catch (error) {
    throw isAddress(source) ? new OperatorError((error as Error).message) : error;
  }
}

function isEmpty({ added, removed, changed }: CatalogDiff): boolean {
  return added.length + removed.length + changed.length === 0;
}

function importJson({ added, removed, changed }: CatalogDiff, { unknownVendors, unknownModels, unpriced }: Import) {
  return {
    object: 'catalog_import',
    added: added.map(({ model }) => model),
    removed: removed.map(({ model }) => model),
    changed,
    unknown_vendors: unknownVendors,
    unknown_models: unknownModels,
    unpriced,
  };
}

function leftOut({ unknownVendors, unknownModels, unpriced }: Import): string[] {
  const notes = [];
  if (unknownVendors.length > 0) {
    notes.push(`Skipped: ${unknownModels} models of vendors without a preset (${unknownVendors.join(', ')}).`);
  }
  if (unpriced.length > 0) {
    notes.push(`Imported without a price, because part of it cannot be billed here: ${unpriced.join(', ')}.`);
  }
  return notes;
}
