import { useId, type ReactNode } from 'react';
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import { PlainText, visibleText } from '../../ui/text.tsx';
import type { ShownConflict } from '../../../src/protocol/operations/answers/delivered.ts';

export type Sides = ReadonlyMap<string, 'ours' | 'theirs'>;

interface Props {
  readonly conflicts: readonly ShownConflict[];
  readonly sides: Sides;
  /** A branch is merged by git, which asks itself. */
  readonly canChoose: boolean;
  readonly onChoose: (path: string, side: 'ours' | 'theirs') => void;
}

const WORDS: Readonly<Record<string, string>> = {
  content: 'you and the run changed the same lines',
  'both-added': 'you and the run both made it, with other content',
  'deleted-by-us': 'you deleted it, the run changed it',
  'deleted-by-them': 'the run deleted it, you changed it',
  mode: 'you and the run gave it other modes',
  link: 'it is a link, and you and the run made it lead elsewhere',
  type: 'it is a file on one side and a link on the other',
  binary: 'you and the run changed it, and it is not text',
  uncommitted: 'the change builds on work that you have not committed',
};

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
          <p className="text-sm text-muted">{WORDS[conflict.kind] ?? conflict.kind}</p>
          {(['ours', 'theirs'] as const).map((side) => (
            <Side
              key={side}
              side={side}
              name={`${id} ${conflict.path}`}
              text={textOf(conflict[side])}
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

function textOf(side: Json | undefined): string | null {
  if (side === undefined || !isJsonObject(side)) return null;
  const { text } = side;
  return typeof text === 'string' ? text : null;
}
