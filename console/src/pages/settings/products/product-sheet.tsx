import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { Button, TextLink } from '../../../parts/button.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Lines } from '../../../parts/lines.tsx';
import { setInText } from '../../../parts/set-in.ts';
import { Notice } from '../../../parts/states.tsx';
import { Money, Time } from '../../../parts/values.tsx';
import { intervalInWords } from '../keys/project-keys.ts';
import { ChangeProduct, DeleteProduct, RotateProductKey } from './change-product.tsx';

export type Product = Answer<'retrieveProduct'>;
type Props = { product: Product; onClose: () => void };

const KEY_STATES = { active: 'on', disabled: 'turned off', expired: 'ended' } as const;

/** A product: what it may call and spend, and its keys. */
export function ProductSheet({ product, onClose }: Props) {
  const { may } = useSession();
  const [does, setDoes] = useState<'change' | 'rotate' | 'delete' | null>(null);
  const done = () => setDoes(null);
  if (does === 'change') return <ChangeProduct product={product} onClose={done} />;
  if (does === 'rotate') return <RotateProductKey product={product} onClose={done} />;
  if (does === 'delete') return <DeleteProduct product={product} onClose={done} onDeleted={onClose} />;
  const isOurs = product.origin === 'settings';
  const foot = may('api.products.write') && (
    <>
      {isOurs && (
        <Button kind="danger" onClick={() => setDoes('delete')}>
          Delete product
        </Button>
      )}
      <Button onClick={() => setDoes('rotate')}>
        {product.api_keys.length === 0 ? 'Make its first key' : 'Rotate secret'}
      </Button>
      {isOurs && (
        <Button kind="primary" onClick={() => setDoes('change')}>
          Change product
        </Button>
      )}
    </>
  );
  return (
    <Sheet title={product.name} onClose={onClose} foot={foot}>
      {product.off !== null && <Notice tone="bad">{product.off}</Notice>}
      {product.unserved.length > 0 && (
        <Notice tone="warn">It may call what leads nowhere now: {product.unserved.join(', ')}.</Notice>
      )}
      <Section title="Product">
        <Facts
          facts={[
            ['Name', product.name],
            ['Id', <Id key="id" id={product.id} />],
            ['May call', product.routes.join(', ')],
            ['Spent', <Spent key="spent" of={product} />],
            product.created_at === null ? null : ['Made', <Time key="made" at={product.created_at} />],
            isOurs ? null : ['Set', setInText(product.set_in) ?? 'In the configuration file'],
          ]}
        />
      </Section>
      <Section
        title="Keys"
        actions={
          may('api.usage.read') && (
            <TextLink to="/logs" search={{ product: product.id }}>
              Its calls
            </TextLink>
          )
        }
      >
        <Lines
          none="It has none, and calls nothing."
          lines={product.api_keys.map(({ id, name, redacted_value: value, status }) => ({
            id,
            name: may('api.keys.read') ? (
              <TextLink to="/settings/keys" search={{ open: id }}>
                {name}
              </TextLink>
            ) : (
              name
            ),
            about: `${value}, ${KEY_STATES[status]}`,
          }))}
        />
      </Section>
    </Sheet>
  );
}

function Spent({ of: { spent_usd: spent, spend_limit: limit, spend_resets_at: resetsAt } }: { of: Product }) {
  return (
    <>
      <Money usd={spent} />
      {limit !== null && (
        <>
          {' '}
          of <Money usd={limit.amount_usd} /> {intervalInWords(limit.interval)}
        </>
      )}
      {resetsAt !== null && (
        <>
          ; it begins anew <Time at={resetsAt} />
        </>
      )}
    </>
  );
}
