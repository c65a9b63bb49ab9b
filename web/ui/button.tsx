import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Why it cannot be used now: it stays where it is and says so. */
  readonly disabledReason?: string | null | undefined;
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

const LOOK = {
  primary: 'bg-accent text-on-accent border-transparent hover:brightness-110',
  plain: 'bg-surface text-text border-line hover:bg-hover',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-text',
};

export function Button(props: ButtonProps): ReactNode {
  const { kind = 'plain', disabledReason, isBusy = false, className, onClick, children, ...rest } = props;
  const isOff = isBusy || (disabledReason ?? '') !== '';
  return (
    <Tooltip text={disabledReason ?? ''}>
      <button
        type="button"
        {...rest}
        aria-disabled={isOff || undefined}
        aria-busy={isBusy || undefined}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
        className={classNames(
          'inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 text-base font-medium whitespace-nowrap select-none',
          LOOK[kind],
          isOff && 'cursor-not-allowed opacity-55',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  );
}
