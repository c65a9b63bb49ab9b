import { useState, type ReactNode } from 'react';
import type { BranchLine } from '../../../src/protocol/web/changes-page.ts';
import { refBase, type DiffBases } from '../../model/diff-bases.ts';
import { useSelection } from '../../model/selection.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { OtherBase } from './other-base.tsx';

interface Props {
  readonly bases: DiffBases;
  /** Null where there are none to choose from. */
  readonly branches: readonly BranchLine[] | null;
}

/** What changes are compared with: a moment of the run, the user's files, or anything in the repository by its name. */
export function BaseSelect({ bases, branches }: Props): ReactNode {
  const [, select] = useSelection();
  const [isOther, setOther] = useState(false);
  const choose = (base: string): void => {
    setOther(base === OTHER);
    if (base !== OTHER)
      select({ base: base === 'start' ? undefined : base, file: undefined, line: undefined, side: undefined });
  };
  return (
    <>
      <Select
        aria-label="Compared with"
        className="max-w-48"
        value={isOther ? OTHER : bases.base.value}
        onChange={choose}
        options={optionsOf(bases, branches !== null)}
      />
      {isOther && (
        <OtherBase branches={branches ?? []} onChoose={(ref) => choose(refBase(ref))} onClose={() => setOther(false)} />
      )}
    </>
  );
}

const OTHER = 'other';

/** In front of the steps, of which there can be many. */
function optionsOf({ bases }: DiffBases, isGit: boolean): readonly SelectOption[] {
  if (!isGit) return bases;
  const other = { value: OTHER, label: 'another branch, tag or commit …', group: 'Branches' };
  const steps = bases.filter(({ group }) => group === 'Steps');
  return [...bases.filter(({ group }) => group !== 'Steps'), other, ...steps];
}
