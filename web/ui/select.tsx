import type { ReactNode, SelectHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';
import { visibleText } from './visible-text.ts';

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** The browser's own: right on a phone, with a keyboard and when read aloud. */
export function Select({ options, onChange, className, ...rest }: Props): ReactNode {
  return (
    <select
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      className={classNames(
        'h-7 min-w-0 rounded-md border border-line bg-surface px-1.5 text-base text-text',
        className,
      )}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {visibleText(label)}
        </option>
      ))}
    </select>
  );
}
