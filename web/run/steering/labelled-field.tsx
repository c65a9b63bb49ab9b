import { useId, type ReactNode } from 'react';
import { TextField } from '../../ui/text-field.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly says?: string | undefined;
  readonly placeholder?: string | undefined;
}

/** One line of text with its name above it. */
export function LabelledField({ label, value, onChange, says, placeholder }: Props): ReactNode {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <TextField
        id={id}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      {says !== undefined && <p className="text-sm text-muted">{says}</p>}
    </div>
  );
}
