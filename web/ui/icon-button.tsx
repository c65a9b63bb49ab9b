import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'aria-label'> {
  /** What it does: read aloud and shown when pointed at. */
  readonly label: string;
  readonly disabledReason?: string | null | undefined;
  readonly isPressed?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  disabledReason,
  isPressed,
  className,
  onClick,
  children,
  ...rest
}: Props): ReactNode {
  const isOff = (disabledReason ?? '') !== '';
  return (
    <Tooltip text={isOff ? `${label}: ${disabledReason}` : label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={isOff || undefined}
        aria-pressed={isPressed}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
        className={classNames(
          'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text',
          isPressed === true && 'bg-accent-soft text-accent',
          isOff && 'cursor-not-allowed opacity-50',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  );
}
