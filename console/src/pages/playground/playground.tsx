import { useRef, useState } from 'react';
import { useRead, useWhole } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FilterSelect, SelectField, TextArea } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/states.tsx';
import { useAddress } from '../../shell/address.ts';
import { AnswerOf } from './answer.tsx';
import { bodyOf, type Run, run, type Setting, type Turn } from './call.ts';
import { SettingFields, settingIn } from './setting.tsx';
import { snippetOf } from './snippets.ts';

const MOST_MODELS = 4;
const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;
type Language = keyof typeof LANGUAGES;

/** A turn of the conversation: what was said, and what each model answered to it. */
type Exchange = { said: Turn; runs: Readonly<Record<string, Run>> };

/** Calls models, up to four side by side. The setting is in the address, and what was said is not. */
export function Playground() {
  const [address, setAddress] = useAddress();
  const catalog = useRead('listCatalog');
  const projects = useWhole('listProjects');
  const talk = useConversation();
  const [prompt, setPrompt] = useState('');
  const [images, setImages] = useState<readonly string[]>([]);
  const [snippet, setSnippet] = useState<Language | null>(null);
  const entries = (catalog.data?.data ?? []).filter(({ dimensions }) => dimensions === null);
  const named = (address.model ?? '').split(',').filter((name) => name !== '');
  const models = named.length > 0 ? named : entries.slice(0, 1).map(({ id }) => id);
  const setting = settingIn(address);
  const project = address.project ?? '';
  const [said, setSaid] = useState<Error | null>(null);

  function send(turns: readonly Exchange[], turn: Turn) {
    try {
      for (const model of models) bodyOf(model, setting, [turn]);
    } catch (error) {
      return setSaid(error as Error);
    }
    setSaid(null);
    talk.ask(models, { setting, project, turns, turn });
    setPrompt('');
    setImages([]);
  }
  const setModel = (place: number, model: string) =>
    setAddress({ model: models.map((each, index) => (index === place ? model : each)).join(',') });
  const isReady = prompt.trim() !== '' && models.length > 0 && !talk.isRunning;
  return (
    <>
      <PageHead
        title="Playground"
        actions={
          <>
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
        Calls are yours, in a project: its budgets and limits hold. The address holds the setting, not what is said.
      </PageHead>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section aria-label="Conversation" className="grid content-start gap-4">
          <div className="flex min-h-8 flex-wrap items-center gap-2">
            {models.map((model, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a place may hold any model
              <span key={place} className="flex items-center">
                <FilterSelect
                  label={`Model ${place + 1}`}
                  value={model}
                  onChange={(chosen) => setModel(place, chosen)}
                  choices={choicesWith(
                    entries.map(({ id }) => id),
                    model,
                  )}
                />
                {models.length > 1 && (
                  <Button
                    kind="quiet"
                    aria-label={`Remove ${model}`}
                    icon="close"
                    onClick={() => setAddress({ model: models.filter((_, index) => index !== place).join(',') })}
                  />
                )}
              </span>
            ))}
            {models.length < MOST_MODELS && entries.length > 0 && (
              <Button
                kind="quiet"
                icon="plus"
                onClick={() =>
                  setAddress({
                    model: [...models, entries.find(({ id }) => !models.includes(id))?.id ?? models[0]].join(','),
                  })
                }
              >
                Compare with another
              </Button>
            )}
          </div>
          {talk.exchanges.map((exchange, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns of a conversation stay where they are
            <article key={index} className="grid gap-3 border-t border-line pt-3">
              <div className="flex items-start gap-2">
                <p className="min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {exchange.said.text}
                </p>
                <Button
                  kind="quiet"
                  disabled={talk.isRunning}
                  onClick={() => {
                    setPrompt(exchange.said.text);
                    setImages(exchange.said.images ?? []);
                    talk.backTo(index);
                  }}
                >
                  Edit
                </Button>
              </div>
              <div className={`grid gap-4 ${models.length > 1 ? 'md:grid-cols-2' : ''}`}>
                {Object.entries(exchange.runs).map(([model, each]) => (
                  <section key={model} aria-label={`Answer of ${model}`} className="min-w-0">
                    <h2 className="mb-1 truncate text-small font-medium text-faint">{model}</h2>
                    <AnswerOf run={each} />
                  </section>
                ))}
              </div>
            </article>
          ))}
          <form
            className="grid gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (isReady) send(talk.exchanges, { role: 'user', text: prompt, images });
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
              hint={images.length > 0 ? `${images.length} picture(s) go with it.` : 'Ctrl-Enter sends.'}
            />
            {(said ?? catalog.error) && <Failure error={(said ?? catalog.error)!} />}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" disabled={!isReady}>
                Send
              </Button>
              {talk.isRunning && <Button onClick={talk.stop}>Stop</Button>}
              <Pictures onPick={setImages} />
            </div>
          </form>
        </section>
        <aside className="grid content-start gap-3">
          <SelectField
            label="Project"
            value={project}
            onChange={(event) => setAddress({ project: event.target.value })}
            choices={[
              { value: '', label: 'Default project' },
              ...(projects.items ?? [])
                .filter((each) => each.status === 'active' && !each.is_default)
                .map(({ id, name }) => ({ value: id, label: name ?? id })),
            ]}
          />
          <SettingFields
            setting={setting}
            models={entries.filter(({ id }) => models.includes(id))}
            onChange={setAddress}
          />
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

function choicesWith(ids: readonly string[], chosen: string) {
  const all = ids.includes(chosen) ? ids : [chosen, ...ids];
  return all.map((id) => ({ value: id, label: id }));
}

/** A conversation as one model knows it: what was said, and what it answered itself. */
function turnsOf(exchanges: readonly Exchange[], model: string): Turn[] {
  return exchanges.flatMap(({ said, runs }) => {
    const answer = runs[model]?.text ?? '';
    return [said, ...(answer === '' ? [] : [{ role: 'assistant' as const, text: answer }])];
  });
}

function Pictures({ onPick }: { onPick: (images: readonly string[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Pictures"
        onChange={async (event) => onPick(await Promise.all([...(event.target.files ?? [])].map(asData)))}
      />
      <Button kind="quiet" icon="plus" onClick={() => input.current?.click()}>
        Add pictures
      </Button>
    </>
  );
}

function asData(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

type Asked = { setting: Setting; project: string; turns: readonly Exchange[]; turn: Turn };

/** What was said and answered, and the calls under way. */
function useConversation() {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const stopping = useRef<AbortController | null>(null);
  const runs = Object.values(exchanges.at(-1)?.runs ?? {});
  return {
    exchanges,
    isRunning: runs.some(({ state }) => state === 'running'),
    stop: () => stopping.current?.abort(),
    clear: () => {
      stopping.current?.abort();
      setExchanges([]);
    },
    backTo: (index: number) => setExchanges((before) => before.slice(0, index)),
    ask(models: readonly string[], { setting, project, turns, turn }: Asked) {
      const controller = new AbortController();
      stopping.current = controller;
      setExchanges([...turns, { said: turn, runs: {} }]);
      for (const model of new Set(models)) {
        const tell = (each: Run) =>
          setExchanges((before) =>
            before.map((exchange, index) =>
              index === turns.length && exchange.said === turn
                ? { ...exchange, runs: { ...exchange.runs, [model]: each } }
                : exchange,
            ),
          );
        void run(bodyOf(model, setting, [...turnsOf(turns, model), turn]), project, {
          tell,
          signal: controller.signal,
        });
      }
    },
  };
}
