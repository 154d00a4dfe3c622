import { useRef } from 'react';
import { Button } from '../../parts/button.tsx';

type Props = {
  images: readonly string[];
  /** Why there can be none; `null`: there can. */
  why: string | null;
  onChange: (images: readonly string[]) => void;
};

/** Pictures that go with what is said. */
export function Pictures({ images, why, onChange }: Props) {
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
        onChange={async ({ target }) => {
          const added = await Promise.all([...(target.files ?? [])].map(asData));
          // The same file can be chosen again.
          target.value = '';
          onChange([...images, ...added]);
        }}
      />
      <Button
        kind="quiet"
        icon="plus"
        disabled={why !== null}
        title={why ?? undefined}
        onClick={() => input.current?.click()}
      >
        Add pictures
      </Button>
      {images.length > 0 && (
        <Shown images={images} onRemove={(place) => onChange(images.filter((_, index) => index !== place))} />
      )}
    </>
  );
}

/** Pictures, small; those that can still be taken away with a button for that. */
export function Shown({ images, onRemove }: { images: readonly string[]; onRemove?: (place: number) => void }) {
  return (
    <ul className="flex w-full flex-wrap gap-2">
      {images.map((image, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice
        <li key={place} className="relative">
          <img
            src={image}
            alt={`${place + 1} of ${images.length}`}
            className="size-16 rounded-md border border-line object-cover"
          />
          {onRemove && (
            <span className="absolute -top-2 -right-2 rounded-md bg-raised">
              <Button
                kind="quiet"
                isSmall
                icon="close"
                aria-label={`Remove picture ${place + 1}`}
                onClick={() => onRemove(place)}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
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
