import {
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { Tooltip as Base } from '@base-ui/react/tooltip';
import { visibleText } from './text.tsx';
import { keyNames } from './shortcuts.ts';

/** Class names that hold, in one string. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');

interface TooltipProps {
  /** Nothing is shown for an empty one. */
  readonly text: ReactNode;
  /** One element that can have the focus. */
  readonly children: ReactElement<Record<string, unknown>>;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}

export function Tooltip({ text, children, side = 'bottom' }: TooltipProps): ReactNode {
  // Always wrapped: wrapping it later would create a new element and lose the focus and a click under way.
  return (
    <Base.Root disabled={text === ''}>
      <Base.Trigger render={children} delay={350} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="max-w-80 rounded-md border border-line bg-raised px-2 py-1 text-sm text-text shadow-float">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Why it cannot be used now: it stays where it is and says so. */
  readonly disabledReason?: string | null | undefined;
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

const BUTTON_LOOKS = {
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
          BUTTON_LOOKS[kind],
          isOff && 'cursor-not-allowed opacity-55',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'aria-label'> {
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
}: IconButtonProps): ReactNode {
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

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  /** Those of one group, one after the other, stand under its name. */
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
}

/** The browser's own: right on a phone, with a keyboard and when read aloud. Long words end before the arrow. */
export function Select({ options, onChange, className, ...rest }: SelectProps): ReactNode {
  return (
    <select
      title={options.find(({ value }) => value === rest.value)?.label}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      className={classNames(
        'select-arrow h-7 min-w-0 rounded-md border border-line bg-surface pl-2 text-base text-text',
        className,
      )}
    >
      {[...Map.groupBy(options, ({ group }) => group ?? '')].map(([group, those]) =>
        group === '' ? (
          those.map(optionOf)
        ) : (
          <optgroup key={group} label={group}>
            {those.map(optionOf)}
          </optgroup>
        ),
      )}
    </select>
  );
}

const optionOf = ({ value, label }: SelectOption): ReactNode => (
  <option key={value} value={value}>
    {visibleText(label)}
  </option>
);

const FIELD_LOOK =
  'w-full min-w-0 rounded-md border border-line bg-surface px-2 text-base text-text placeholder:text-muted aria-invalid:border-bad';

export function TextField({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }): ReactNode {
  return <input type="text" {...rest} className={classNames(FIELD_LOOK, 'h-7', className)} />;
}

interface AreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly ref?: Ref<HTMLTextAreaElement>;
  /** As high as one line until more is written. */
  readonly isLow?: boolean;
}

/** Grows with what is written in it. */
export function TextArea({ className, isLow = false, ...rest }: AreaProps): ReactNode {
  const height = isLow ? 'min-h-7 py-[3px]' : 'min-h-20 py-1.5';
  return <textarea {...rest} className={classNames(FIELD_LOOK, 'field-sizing-content max-h-72', height, className)} />;
}

/** Keys as they are pressed: `g r`, `mod+k`. */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className="inline-flex gap-0.5">
      {keyNames(keys).map((name, index) => (
        <kbd
          // The same key may be pressed twice, and nothing moves.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className="min-w-4 rounded-sm border border-line bg-surface px-1 text-center text-2xs text-muted"
        >
          {name}
        </kbd>
      ))}
    </span>
  );
}

interface LabelledProps {
  readonly label: string;
  /** What is said below. */
  readonly says?: string | undefined;
  /** The control, with the id that its label names. */
  readonly children: (id: string) => ReactNode;
}

/** A control with its name above it. */
export function Labelled({ label, says, children }: LabelledProps): ReactNode {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(id)}
      {says !== undefined && <p className="text-sm text-muted">{says}</p>}
    </div>
  );
}

interface LabelledFieldProps extends Omit<LabelledProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
}

/** One line of text with its name above it. */
export function LabelledField({ value, onChange, placeholder, ...named }: LabelledFieldProps): ReactNode {
  return (
    <Labelled {...named}>
      {(id) => (
        <TextField
          id={id}
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

interface LabelledSelectProps extends Omit<LabelledProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly SelectOption[];
}

export function LabelledSelect({ label, says, ...rest }: LabelledSelectProps): ReactNode {
  return (
    <Labelled label={label} says={says}>
      {(id) => <Select id={id} {...rest} />}
    </Labelled>
  );
}
