import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { Filters } from '../shell/address.ts';
import { Icon, type IconName } from './icon.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

const KINDS: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong',
  plain: 'bg-raised text-text border-line-strong hover:bg-sunken',
  quiet: 'text-weak border-transparent hover:bg-sunken hover:text-text',
  danger: 'bg-raised text-bad border-line-strong hover:bg-bad-soft',
};
const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-55 select-none';
const SIZE = 'px-3 h-8 text-body';
/** Of a button in a row of a table or list, which it makes no taller. */
const SMALL = 'px-1.5 h-6 -my-0.5 text-table';

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  kind?: Kind;
  icon?: IconName;
  isBusy?: boolean;
  isSmall?: boolean;
};

/** What it does stands on it: "Revoke key". While it is done it cannot be pressed again. */
export function Button({ kind = 'plain', icon, isBusy = false, isSmall = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy}
      className={`${SHAPE} ${isSmall ? SMALL : SIZE} ${KINDS[kind]}`}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button of a sign alone; `label` says what it does. */
export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & { icon: IconName; label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex items-center justify-center rounded-md size-8 text-weak hover:bg-sunken hover:text-text disabled:opacity-50"
    >
      <Icon name={icon} />
    </button>
  );
}

type LinkProps = { to: string; search?: Filters; children: ReactNode };

/** A link that looks like a button, since it leads somewhere. */
export function ButtonLink({
  to,
  search,
  kind = 'plain',
  icon,
  children,
}: LinkProps & { kind?: Kind; icon?: IconName }) {
  return (
    <Link to={to} search={search as never} className={`${SHAPE} ${SIZE} ${KINDS[kind]}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** A link within text and tables. */
export function TextLink({ to, search, children }: LinkProps) {
  return (
    <Link
      to={to}
      search={search as never}
      className="text-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
