import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useRead, useWhole } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable, CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { type Choice, SelectField, TextArea } from '../../parts/field.tsx';
import { firstModel } from '../../parts/first-model.ts';
import { Menu } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/states.tsx';
import { useAddress } from '../../shell/address.ts';
import { bodyOf, type Setting, type Turn } from './call.ts';
import { type Exchange, turnsOf, useConversation } from './conversation.ts';
import { Exchanges } from './exchanges.tsx';
import { ModelsAsked } from './models-asked.tsx';
import { Pictures } from './pictures.tsx';
import { SettingFields, settingIn, useSetting } from './setting.tsx';
import { snippetOf } from './snippets.ts';

const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;
type Language = keyof typeof LANGUAGES;
type Entry = Answer<'listCatalog'>['data'][number];

/** Calls models, up to four side by side. The setting is in the address, and what was said is not. */
export function Playground() {
  const [address, setAddress] = useAddress();
  const catalog = useRead('listCatalog');
  const talk = useConversation();
  const [prompt, setPrompt] = useState('');
  const [images, setImages] = useState<readonly string[]>([]);
  const [snippet, setSnippet] = useState<Language | null>(null);
  const [said, setSaid] = useState<Error | null>(null);
  const entries = (catalog.data?.data ?? []).filter(({ dimensions }) => dimensions === null);
  const models = modelsIn(address.model, entries);
  const asked = entries.filter(({ id }) => models.includes(id));
  const { setting: chosen, isInAddress, changeSetting } = useSetting(address, setAddress);
  const setting = settingIn(chosen, asked);
  const { project, choices: projects } = useProjects(address.project);

  /** Tells whether it was sent: what is typed of the setting may be wrong. */
  function send(turns: readonly Exchange[], turn: Turn): boolean {
    try {
      for (const model of models) bodyOf(model, setting, [turn]);
    } catch (error) {
      setSaid(error as Error);
      return false;
    }
    setSaid(null);
    talk.ask(models, { setting, project, turns, turn });
    return true;
  }
  function sendPrompt() {
    if (!send(talk.exchanges, { role: 'user', text: prompt, images })) return;
    setPrompt('');
    setImages([]);
  }
  const isReady = prompt.trim() !== '' && models.length > 0 && !talk.isRunning;
  const failed = said ?? catalog.error;
  return (
    <>
      <PageHead
        title="Playground"
        actions={
          <>
            <CopyButton text={() => window.location.href} title="The address has the setting, and not what is said">
              Copy link
            </CopyButton>
            <Menu
              label="Copy the call as code"
              trigger={<Button icon="copy">Copy as code</Button>}
              items={(Object.keys(LANGUAGES) as Language[]).map((language) => ({
                label: LANGUAGES[language],
                onSelect: () => setSnippet(language),
              }))}
            />
            <Button onClick={talk.clear} disabled={talk.exchanges.length === 0}>
              Clear
            </Button>
          </>
        }
      >
        Calls are yours, in a project: its budgets and limits hold.
      </PageHead>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section aria-label="Conversation" className="grid content-start gap-4">
          <ModelsAsked
            models={models}
            known={entries.map(({ id }) => id)}
            onChange={(chosen) => setAddress({ model: chosen.join(',') })}
          />
          <Exchanges
            exchanges={talk.exchanges}
            isRunning={talk.isRunning}
            onEdit={(index) => {
              const { text, images: shown = [] } = talk.exchanges[index]!.said;
              setPrompt(text);
              setImages(shown);
              talk.backTo(index);
            }}
            onAgain={(index) => send(talk.exchanges.slice(0, index), { ...talk.exchanges[index]!.said })}
          />
          <form
            className="grid gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (isReady) sendPrompt();
            }}
          >
            <TextArea
              label="What to say"
              value={prompt}
              onChange={(event) => setPrompt(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                  event.currentTarget.form?.requestSubmit();
              }}
              hint={`Ctrl-Enter sends. ${whyNoPictures(asked) ?? ''}`}
            />
            {failed && <Failure error={failed} />}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" disabled={!isReady}>
                Send
              </Button>
              {talk.isRunning && <Button onClick={talk.stop}>Stop</Button>}
              <Pictures images={images} why={whyNoPictures(asked)} onChange={setImages} />
            </div>
          </form>
        </section>
        <aside className="grid content-start gap-3">
          <SelectField
            label="Project"
            value={project}
            onChange={(event) => setAddress({ project: event.target.value })}
            choices={projects}
          />
          <SettingFields setting={setting} models={asked} isInAddress={isInAddress} onChange={changeSetting} />
        </aside>
      </div>
      {snippet && models[0] && (
        <Dialog title="The call as code" onClose={() => setSnippet(null)}>
          <Copyable
            label={LANGUAGES[snippet]}
            text={snippetText(snippet, { model: models[0], setting, prompt, images, talk: talk.exchanges })}
          />
        </Dialog>
      )}
    </>
  );
}

/** What a person has to have in a project to call in it. */
const CALLS = 'api.keys.write';

/** The project that is called in, and those that the person may call in; empty: the default one. */
function useProjects(named: string | undefined): { project: string; choices: Choice[] } {
  const { may, mayIn, projects: own } = useSession();
  const { items } = useWhole('listProjects');
  const mayEverywhere = may(CALLS);
  const first = mayEverywhere ? undefined : own.find(({ id }) => mayIn(id, CALLS))?.id;
  const project = named ?? first ?? '';
  const choices = [
    ...(mayEverywhere ? [{ value: '', label: 'Default project' }] : []),
    ...(items ?? [])
      .filter(({ id, status, is_default }) => status === 'active' && (mayEverywhere ? !is_default : mayIn(id, CALLS)))
      .map(({ id, name }) => ({ value: id, label: name ?? id })),
  ];
  const isKnown = choices.some(({ value }) => value === project);
  return { project, choices: isKnown ? choices : [...choices, { value: project, label: project }] };
}

/** Those of the address, else one to begin with. */
function modelsIn(named: string | undefined, entries: readonly Entry[]): readonly string[] {
  const models = (named ?? '').split(',').filter((name) => name !== '');
  if (models.length > 0) return models;
  const first = firstModel(entries);
  return first === null ? [] : [first];
}

function whyNoPictures(models: readonly Entry[]): string | null {
  const blind = models.find(({ modalities }) => modalities !== null && !modalities.input.includes('image'));
  return blind === undefined ? null : `${blind.id} takes no pictures.`;
}

type SnippetParts = {
  model: string;
  setting: Setting;
  prompt: string;
  images: readonly string[];
  talk: readonly Exchange[];
};

function snippetText(language: Language, { model, setting, prompt, images, talk }: SnippetParts): string {
  const turns = [...turnsOf(talk, model), ...(prompt === '' ? [] : [{ role: 'user' as const, text: prompt, images }])];
  try {
    return snippetOf(language, bodyOf(model, setting, turns));
  } catch (error) {
    return (error as Error).message;
  }
}
