import { type FormEvent, useState } from 'react';
import type { Answer, Given } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { Section } from '../../../parts/facts.tsx';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';
import { Badge, Empty } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { useAddress } from '../../../shell/address.ts';
import { PermissionFields, PermissionList } from './permissions.tsx';

export type Role = Answer<'retrieveRole'>;
type Body = Given<'createRole'>['body'];

/** The roles of the organization: those that there are everywhere, then its own. */
export function Roles() {
  const { may } = useSession();
  const [{ open, create }, change] = useAddress();
  const { items, error } = useWhole('listRoles', { query: { limit: 1000 } });
  const opened = items?.find(({ id }) => id === open);
  return (
    <>
      <Table
        label="Roles"
        columns={COLUMNS}
        rows={items}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={<Empty title="There are no roles">Make one above.</Empty>}
      />
      {opened && <RoleSheet key={opened.id} role={opened} onClose={() => change({ open: undefined })} />}
      {create && may('api.roles.write') && <EditRole of={null} onClose={() => change({ create: undefined })} />}
    </>
  );
}

const COLUMNS: readonly Column<Role>[] = [
  {
    id: 'name',
    title: 'Role',
    cell: ({ name }) => (
      <span title={name} className="block max-w-56 truncate max-md:max-w-44">
        {name}
      </span>
    ),
  },
  {
    id: 'description',
    title: 'What it is for',
    isMinor: true,
    cell: ({ description }) => <span className="line-clamp-2 max-w-96 text-weak">{description ?? '—'}</span>,
  },
  {
    id: 'kind',
    title: 'Whose',
    cell: ({ predefined_role: isEverywhere }) => <Badge>{isEverywhere ? 'Built in' : 'Your own'}</Badge>,
  },
  { id: 'permissions', title: 'Permissions', isNumber: true, cell: ({ permissions }) => permissions.length },
];

function RoleSheet({ role, onClose }: { role: Role; onClose: () => void }) {
  const { may } = useSession();
  const [does, setDoes] = useState<'edit' | 'delete' | null>(null);
  const remove = useChange('deleteRole', ['listRoles']);
  if (does === 'edit') return <EditRole of={role} onClose={() => setDoes(null)} />;
  if (does === 'delete') {
    return (
      <Confirm
        title={`Delete ${role.name}?`}
        action="Delete role"
        error={remove.error}
        isBusy={remove.isPending}
        onClose={() => setDoes(null)}
        onConfirm={() => remove.mutate({ path: { role_id: role.id } }, { onSuccess: onClose })}
      >
        <p>Whoever has this role has it no more, and may at once do no longer what it let them.</p>
      </Confirm>
    );
  }
  const foot = !role.predefined_role && may('api.roles.write') && (
    <>
      <Button kind="danger" onClick={() => setDoes('delete')}>
        Delete role
      </Button>
      <Button kind="primary" onClick={() => setDoes('edit')}>
        Change role
      </Button>
    </>
  );
  return (
    <Sheet title={role.name} onClose={onClose} foot={foot}>
      {role.description && <p className="mb-4 [overflow-wrap:anywhere]">{role.description}</p>}
      {role.predefined_role && (
        <p className="mb-4 text-weak">Every organization has this role; it cannot be changed.</p>
      )}
      <Section title="Permissions">
        <PermissionList permissions={role.permissions} />
      </Section>
    </Sheet>
  );
}

function EditRole({ of: role, onClose }: { of: Role | null; onClose: () => void }) {
  const create = useChange('createRole', ['listRoles']);
  const update = useChange('updateRole', ['listRoles', 'getSession']);
  const { error } = role === null ? create : update;
  const now = {
    role_name: role?.name ?? '',
    description: role?.description ?? '',
    permissions: (role?.permissions ?? []) as readonly string[],
  };
  const { typed, changes, set, seen } = useEdit({ now, version: role?.version ?? null }, error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    // What was touched; an empty text is none.
    const written = (form: Partial<typeof now>) =>
      ({ ...form, ...(form.description === '' && { description: null }) }) as Partial<Body>;
    if (role === null) create.mutate({ body: written(typed) as Body }, { onSuccess: onClose });
    else
      update.mutate(
        { path: { role_id: role.id }, body: { ...written(changes), ...(seen !== null && { if_version: seen }) } },
        { onSuccess: onClose },
      );
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="role" kind="primary" isBusy={create.isPending || update.isPending}>
        {role === null ? 'Create role' : 'Save role'}
      </Button>
    </>
  );
  return (
    <Sheet title={role === null ? 'Create a role' : `Change ${role.name}`} onClose={onClose} foot={foot}>
      <form id="role" onSubmit={save} className="grid gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={typed.role_name}
          error={faultOf(error, 'role_name')}
          onChange={({ target }) => set({ role_name: target.value })}
        />
        <TextField
          label="What it is for"
          maxLength={1000}
          value={typed.description}
          error={faultOf(error, 'description')}
          onChange={({ target }) => set({ description: target.value })}
        />
        <PermissionFields chosen={typed.permissions} onChange={(permissions) => set({ permissions })} />
        <FormFailure error={error} fields={['role_name', 'description']} />
      </form>
    </Sheet>
  );
}
