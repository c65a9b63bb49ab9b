import type { ReactNode, SelectHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';
import { visibleText } from './visible-text.ts';

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
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
export function Select({ options, onChange, className, ...rest }: Props): ReactNode {
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
