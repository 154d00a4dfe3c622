import { type FormEvent, useState } from 'react';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { ago, counted } from '../../../parts/format.ts';
import { RotateSecret } from '../../../parts/rotate-secret.tsx';
import { Notice } from '../../../parts/states.tsx';
import { PRODUCT_FIELDS, ProductFields, type ProductForm, productBody } from './product-fields.tsx';
import type { Product } from './product-sheet.tsx';

type Props = { product: Product; onClose: () => void };
const HOUR = 3_600;

export function ChangeProduct({ product, onClose }: Props) {
  const update = useChange('updateProduct', ['listProducts']);
  const now: ProductForm = {
    name: product.name,
    routes: product.routes,
    amount: product.spend_limit?.amount_decimal ?? '',
    interval: product.spend_limit?.interval ?? 'month',
  };
  const { typed, changes, set, seen } = useEdit({ now, version: product.version }, update.error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const { routes, spend_limit } = productBody(typed);
    const body = {
      ...(changes.name !== undefined && { name: changes.name.trim() || product.id }),
      ...(changes.routes !== undefined && { routes }),
      ...((changes.amount !== undefined || changes.interval !== undefined) && { spend_limit }),
      ...(seen !== null && { if_version: seen }),
    };
    update.mutate({ path: { product_id: product.id }, body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="change-product" kind="primary" isBusy={update.isPending}>
        Save product
      </Button>
    </>
  );
  return (
    <Sheet title={`Change ${product.name}`} onClose={onClose} foot={foot}>
      <form id="change-product" onSubmit={save} className="grid gap-4">
        <ProductFields form={typed} error={update.error} onChange={set} />
        <FormFailure error={update.error} fields={PRODUCT_FIELDS} />
      </form>
    </Sheet>
  );
}

/** Gives one of its keys another secret, or makes its first key. */
export function RotateProductKey({ product: { id, name, api_keys: keys }, onClose }: Props) {
  const [keyId, setKeyId] = useState(keys[0]?.id ?? '');
  const rotate = useChange('rotateProductKey', ['listProducts', ...KEY_LISTS]);
  const { data } = rotate;
  // The list is read again once there is a key, and what was done stays the first.
  const [isFirst] = useState(keys.length === 0);
  return (
    <RotateSecret
      name={name}
      done={data === undefined ? null : { secret: data.api_key.value, until: data.earlier_secret_until }}
      error={rotate.error}
      isBusy={rotate.isPending}
      isFirst={isFirst}
      onClose={onClose}
      onRotate={(overlap_seconds) =>
        rotate.mutate({
          path: { product_id: id },
          body: { ...(!isFirst && { overlap_seconds }), ...(keyId !== '' && { api_key_id: keyId }) },
        })
      }
    >
      {keys.length > 1 && (
        <SelectField
          label="Which key"
          choices={keys.map((key) => ({ value: key.id, label: `${key.name} (${key.redacted_value})` }))}
          value={keyId}
          error={faultOf(rotate.error, 'api_key_id')}
          onChange={({ target }) => setKeyId(target.value)}
        />
      )}
    </RotateSecret>
  );
}

/** Says what deleting will break, and wants the id typed where the product is in use. */
export function DeleteProduct({
  product: { id, name, api_keys: keys },
  onClose,
  ...on
}: Props & { onDeleted: () => void }) {
  const { may } = useSession();
  const seesUsage = may('api.usage.read');
  const { data, error } = useRead('listUsage', { query: { product: id, limit: 1 } }, { enabled: seesUsage });
  const remove = useChange('deleteProduct', ['listProducts', ...KEY_LISTS]);
  const usedAt = data?.data[0]?.created_at ?? null;
  const isInUse = usedAt !== null && Date.now() / 1000 - usedAt < HOUR;
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete product"
      typed={isInUse ? id : null}
      isDisabled={seesUsage && data === undefined && error === null}
      error={remove.error ?? error}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ path: { product_id: id } }, { onSuccess: on.onDeleted })}
    >
      {data && (
        <Notice tone={isInUse ? 'bad' : 'warn'}>
          {usedAt === null ? 'It has called nothing.' : `Its last call was ${ago(usedAt)}.`}
        </Notice>
      )}
      <p>
        {keys.length === 0
          ? 'It has no key.'
          : `${counted(keys.length, 'key')} of it will be refused at once, for good.`}{' '}
        What it used stays in usage and logs.
      </p>
    </Confirm>
  );
}
