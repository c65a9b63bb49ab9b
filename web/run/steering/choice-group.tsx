import { useId, type ReactNode } from 'react';

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly says?: string }[];
}

/** One of a few, each with a word on what it means. */
export function ChoiceGroup<Value extends string>({ label, value, onChange, choices }: Props<Value>): ReactNode {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="flex cursor-pointer items-start gap-2">
          <input
            type="radio"
            name={name}
            className="mt-1 accent-(--accent)"
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.says !== undefined && <span className="block text-sm text-muted">{choice.says}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
