import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ModelField } from '../../parts/model-field.tsx';

const MOST_MODELS = 4;

type Props = {
  /** Those that are asked, in their places. */
  models: readonly string[];
  /** All that there are. */
  known: readonly string[];
  onChange: (models: readonly string[]) => void;
};

/** Who answers: one model, or some side by side. */
export function ModelsAsked({ models, known, onChange }: Props) {
  const other = known.find((id) => !models.includes(id));
  // A field that was emptied is made anew: it shows who is asked in its place.
  const [emptied, setEmptied] = useState(0);
  const choose = (place: number, chosen: string) => {
    if (chosen === '') setEmptied(emptied + 1);
    onChange(models.length === 0 ? [chosen] : models.map((each, index) => (index === place ? chosen : each)));
  };
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2">
      {(models.length === 0 ? [''] : models).map((model, place) => (
        <ModelField
          // biome-ignore lint/suspicious/noArrayIndexKey: a place may hold any model
          key={`${emptied} ${place}`}
          label={`Model ${place + 1}`}
          value={model}
          models={known}
          onChange={(chosen) => choose(place, chosen)}
          {...(models.length > 1 && { onRemove: () => onChange(models.filter((_, index) => index !== place)) })}
        />
      ))}
      {models.length < MOST_MODELS && (
        <Button
          kind="quiet"
          icon="plus"
          disabled={known.length === 0}
          onClick={() => onChange([...models, other ?? models[0] ?? ''])}
        >
          Compare with another
        </Button>
      )}
    </div>
  );
}
