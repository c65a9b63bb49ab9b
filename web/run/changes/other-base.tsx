import { useEffect, useId, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { BranchLine } from '../../../src/protocol/web/changes-page.ts';
import { Button } from '../../ui/button.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { TextField } from '../../ui/text-field.tsx';

interface Props {
  readonly branches: readonly BranchLine[];
  readonly onChoose: (ref: string) => void;
  readonly onClose: () => void;
}

/** Any name that git knows; the branches are found while one types. */
export function OtherBase({ branches, onChoose, onClose }: Props): ReactNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [ref, setRef] = useState('');
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ref.trim() !== '') onChoose(ref.trim());
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1">
      <TextField
        ref={field}
        aria-label="Branch, tag or commit"
        placeholder="main, v1.2, 4f0c1a…"
        className="w-44"
        list={id}
        autoComplete="off"
        spellCheck={false}
        value={ref}
        onChange={(event) => setRef(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <datalist id={id}>
        {branches.map(({ name }) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </datalist>
      <Button type="submit" disabledReason={ref.trim() === '' ? 'Name a branch, tag or commit first' : null}>
        Compare
      </Button>
    </form>
  );
}
