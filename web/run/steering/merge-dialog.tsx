import { useId, useState, type ReactNode } from 'react';
import type { MergeTarget } from '../../../src/protocol/web/action.ts';
import type { ResultRefusal } from '../../model/result-refusal.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Select } from '../../ui/select.tsx';
import { areSameChoices, chosenWorkspace, workspaceChoices } from '../changes/workspace-choices.ts';
import { ActDialog } from './act-dialog.tsx';
import { ChoiceGroup } from './choice-group.tsx';
import { ConflictList, type Sides } from './conflict-list.tsx';
import { LabelledField } from './labelled-field.tsx';
import { mergeAction } from './merge-action.ts';
import { MergeOutcomeView } from './merge-outcome.tsx';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { takingEnd, isSameRefusal, refusalIn, useTaking, withoutRefusal } from './taking.tsx';
import { useSteering } from './use-steering.ts';

/** Brings what the run made to the user: a branch, a patch, or into the files. */
export function MergeDialog({ reason }: SteeringDialogProps): ReactNode {
  const run = useTree((tree) => tree.root);
  const steering = useSteering();
  const { target, allow, fields } = useTarget(run);
  const [verify, setVerify] = useState('');
  const [sides, setSides] = useState<Sides>(new Map());
  const { workspace, select, recorded } = useWorkspace();
  const { conflicts, refusal, came } = takingEnd(steering.state, recorded);
  const taking = useTaking({ refusal, target, isChecked: verify.trim() !== '' });
  const allowed = [...allow, ...taking.allow];
  const action = mergeAction({ run, workspace, to: target, verify: verify.trim(), allow: allowed, sides });
  return (
    <ActDialog
      title="Deliver the result"
      verb={conflicts === null ? 'Deliver' : 'Deliver again'}
      action={action}
      reason={reason ?? taking.reason}
      steering={{ ...steering, state: withoutRefusal(steering.state) }}
      outcome={came === null ? null : <MergeOutcomeView answer={came} run={run} />}
    >
      {select}
      {taking.choice}
      {fields}
      <LabelledField
        label={refusal === null ? 'Check' : 'Another check'}
        placeholder="npm test"
        says={`A command that the merged files must pass before anything is changed${refusal === null ? '; may be left empty.' : '.'}`}
        value={verify}
        onChange={setVerify}
      />
      {conflicts !== null && (
        <ConflictList
          conflicts={conflicts}
          sides={sides}
          canChoose={target.kind !== 'branch'}
          onChoose={(path, side) => setSides(new Map(sides).set(path, side))}
        />
      )}
    </ActDialog>
  );
}

type Kind = MergeTarget['kind'] | 'steering';

type Allow = readonly 'steering'[];

function useTarget(run: string): { readonly target: MergeTarget; readonly allow: Allow; readonly fields: ReactNode } {
  const project = useTree((tree) => tree.runs.get(tree.root)?.snapshot.project ?? '');
  const isGit = useTree((tree) => tree.runs.get(tree.root)?.snapshot.files?.source === 'git');
  const held = useTree((tree) => tree.runs.get(tree.root)?.snapshot.handed?.held?.join(', ') ?? '');
  const [kind, setKind] = useState<Kind>(held !== '' ? 'steering' : isGit ? 'branch' : 'apply');
  const [name, setName] = useState('');
  const [file, setFile] = useState('');
  const branch = {
    value: 'branch' as const,
    label: 'As a branch',
    says: 'Your files stay as they are; git merges it when you want.',
  };
  const fields = (
    <>
      <ChoiceGroup<Kind>
        label="How"
        value={kind}
        onChange={setKind}
        choices={[
          ...(isGit ? [branch] : []),
          { value: 'apply', label: 'Into my files', says: `Written into ${project}. A rollback takes it out again.` },
          ...(held === ''
            ? []
            : [{ value: 'steering' as const, label: 'Into my files, with those held back', says: held }]),
          { value: 'patch', label: 'As a patch file' },
        ]}
      />
      {kind === 'branch' && (
        <LabelledField label="Name of the branch" placeholder={`troupe/${run}`} value={name} onChange={setName} />
      )}
      {kind === 'patch' && (
        <LabelledField
          label="File"
          placeholder={`${run}.patch`}
          says="From the project's folder, or a whole path."
          value={file}
          onChange={setFile}
        />
      )}
    </>
  );
  const target = targetOf(kind, { name, file: file.trim() === '' ? `${run}.patch` : file.trim() });
  return { target, allow: kind === 'steering' ? ['steering'] : [], fields };
}

function targetOf(kind: Kind, { name, file }: { readonly name: string; readonly file: string }): MergeTarget {
  if (kind === 'apply' || kind === 'steering') return { kind: 'apply' };
  if (kind === 'patch') return { kind, file };
  return { kind, ...(name.trim() === '' ? {} : { name: name.trim() }) };
}

/** Only where there is a choice. */
function useWorkspace(): {
  readonly workspace: string | null;
  readonly select: ReactNode;
  /** Why the chosen files are handed over only by name. */
  readonly recorded: ResultRefusal | null;
} {
  const id = useId();
  const choices = useTree(workspaceChoices, areSameChoices);
  const [selection, setSelection] = useSelection();
  const chosen = chosenWorkspace(choices, selection);
  const recorded = useTree((tree) => refusalIn(tree, chosen), isSameRefusal);
  if (choices.length < 2 || chosen === null) return { workspace: null, select: null, recorded };
  const select = (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        Whose files
      </label>
      <Select
        id={id}
        value={chosen.workspace}
        onChange={(workspace) => setSelection({ workspace })}
        options={choices.map(({ workspace, label }) => ({ value: workspace, label }))}
      />
    </div>
  );
  return { workspace: chosen.workspace, select, recorded };
}
