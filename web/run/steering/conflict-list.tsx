import { useId, type ReactNode } from 'react';
import { PlainText, visibleText } from '../../ui/text.tsx';
import type { ShownConflict } from '../../../src/protocol/operations/answers/delivered.ts';
import { CONFLICT_WORDS, sideText } from '../../../src/protocol/conflict-words.ts';

export type Sides = ReadonlyMap<string, 'ours' | 'theirs'>;

interface Props {
  readonly conflicts: readonly ShownConflict[];
  readonly sides: Sides;
  /** A branch is merged by git, which asks itself. */
  readonly canChoose: boolean;
  readonly onChoose: (path: string, side: 'ours' | 'theirs') => void;
}

/** Where both sides changed the same: nothing was written, and a person says whose version counts. */
export function ConflictList({ conflicts, sides, canChoose, onChoose }: Props): ReactNode {
  const id = useId();
  return (
    <section aria-label="Conflicts" className="flex flex-col gap-2">
      <p role="status" className="rounded-md bg-warn-soft px-2 py-1.5 text-warn">
        Nothing was written: {conflicts.length === 1 ? 'one file is' : `${conflicts.length} files are`} in conflict with
        yours.
        {canChoose ? ' Say whose version counts, and merge again.' : ' Merge into your files or as a patch to choose.'}
      </p>
      {conflicts.map((conflict) => (
        <fieldset key={conflict.path} className="min-w-0 rounded-md border border-line px-3 py-2">
          <legend className="px-1 font-mono text-sm">{visibleText(conflict.path)}</legend>
          <p className="text-sm text-muted">{CONFLICT_WORDS[conflict.kind] ?? conflict.kind}</p>
          {(['ours', 'theirs'] as const).map((side) => (
            <Side
              key={side}
              side={side}
              name={`${id} ${conflict.path}`}
              text={sideText(conflict[side])}
              isChosen={sides.get(conflict.path) === side}
              onChoose={canChoose ? () => onChoose(conflict.path, side) : null}
            />
          ))}
        </fieldset>
      ))}
    </section>
  );
}

interface SideProps {
  /** Of the two that exclude each other. */
  readonly name: string;
  readonly side: 'ours' | 'theirs';
  readonly text: string | null;
  readonly isChosen: boolean;
  readonly onChoose: (() => void) | null;
}

function Side({ side, name, text, isChosen, onChoose }: SideProps): ReactNode {
  const label = side === 'ours' ? 'Mine' : 'The run’s';
  return (
    <div className="mt-1">
      <label className="flex items-center gap-2">
        {onChoose !== null && (
          <input type="radio" name={name} className="accent-(--accent)" checked={isChosen} onChange={onChoose} />
        )}
        {label}
      </label>
      {text !== null && (
        <details className="pl-6 text-sm">
          <summary className="cursor-pointer text-muted">Show it</summary>
          <div className="max-h-48 overflow-auto rounded-md bg-sunken p-2">
            <PlainText text={text} />
          </div>
        </details>
      )}
    </div>
  );
}
