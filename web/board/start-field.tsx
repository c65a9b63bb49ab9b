import { useId, type ReactNode } from 'react';
import type { InputField } from '../../src/protocol/web/workflow-page.ts';
import { Select } from '../ui/select.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { visibleText } from '../ui/visible-text.ts';

interface Props {
  readonly field: InputField;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

export function StartField({ field, value, problem, onChange }: Props): ReactNode {
  const id = useId();
  const { name, description, isRequired, type } = field;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="flex items-baseline gap-2 font-medium">
        {visibleText(name)}
        <span className="text-sm font-normal text-muted">{isRequired ? 'needed' : type === 'string' ? '' : type}</span>
      </label>
      <Control field={field} value={value} onChange={onChange} id={id} isWrong={problem !== null} />
      <p id={`${id}-says`} className={problem === null ? 'text-sm text-muted' : 'text-sm text-bad'}>
        {problem ?? visibleText(description)}
      </p>
    </div>
  );
}

interface ControlProps extends Omit<Props, 'problem'> {
  readonly id: string;
  readonly isWrong: boolean;
}

function Control({ field, value, onChange, id, isWrong }: ControlProps): ReactNode {
  const common = {
    id,
    value,
    'data-field': field.name,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-says`,
    'aria-required': field.isRequired,
  };
  const choices = field.type === 'boolean' ? ['true', 'false'] : field.choices;
  if (choices.length > 0)
    return (
      <Select
        {...common}
        onChange={onChange}
        options={[
          ...(choices.includes(value) ? [] : [{ value: '', label: '–' }]),
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
      />
    );
  if (field.isLong) return <TextArea {...common} onChange={(event) => onChange(event.target.value)} />;
  const mode = field.type === 'number' ? 'decimal' : 'text';
  return (
    <TextField {...common} inputMode={mode} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
  );
}
