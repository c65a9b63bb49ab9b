import { type ReactNode, useState } from 'react';
import type { Action, DeliverTo } from '../../../src/protocol/web/action.ts';
import { type ResultRefusal, resultRefusal } from '../../model/run-result.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { LabelledField, LabelledSelect } from '../../ui/controls.tsx';
import {
  areSameChoices,
  chosenWorkspace,
  type WorkspaceChoice,
  workspaceChoices,
} from '../changes/workspace-choices.ts';
import { ActDialog, ChoiceGroup, type SteeringState, useSteering } from './act-dialog.tsx';
import { ConflictList, type Sides } from './conflict-list.tsx';
import { MergeOutcomeView } from './merge-outcome.tsx';
import type { SteeringDialogProps } from './dialog-props.ts';
import { isRefusedResult } from '../../../src/core/step/delivery.ts';
import { lastLines } from '../../../src/core/look/last-lines.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { ShownConflict } from '../../../src/protocol/operations/answers/delivered.ts';
import { asMerge, type MergeEnd } from './answers.ts';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { ScrollBox } from '../../ui/boxes.tsx';

type Merge = Extract<Action, { kind: 'deliver' }>;

interface Filled extends Required<Pick<Merge, 'run' | 'to' | 'verify' | 'allow'>> {
  readonly workspace: string | null;
  readonly sides: Sides;
}

/** Leaves out empty fields, and the check of files that are taken unverified. */
const mergeAction = ({ run, workspace, to, verify, allow, sides }: Filled): Merge => ({
  kind: 'deliver',
  run,
  ...(workspace === null ? {} : { workspace }),
  to,
  ...(verify === '' || allow.includes('unverified') ? {} : { verify }),
  ...sidesOf(sides, to),
  ...(allow.length === 0 ? {} : { allow }),
});

function sidesOf(sides: Sides, { kind }: DeliverTo): Pick<Merge, 'ours' | 'theirs'> {
  if (kind === 'branch') return {};
  const of = (wanted: 'ours' | 'theirs'): readonly string[] =>
    [...sides].flatMap(([path, side]) => (side === wanted ? [path] : []));
  const [ours, theirs] = [of('ours'), of('theirs')];
  return { ...(ours.length === 0 ? {} : { ours }), ...(theirs.length === 0 ? {} : { theirs }) };
}

interface Props {
  readonly refusal: ResultRefusal;
  readonly isTaken: boolean;
  readonly onTake: (isTaken: boolean) => void;
}

/** The reason stands at the end; Problems has more of it. */
const SHOWN_LINES = 8;

/** Why a result was refused, what its check printed, and the choice to take it anyway. */
function RefusalChoice({ refusal: { code, why, printed }, isTaken, onTake }: Props): ReactNode {
  const isConflict = code === 'RESULT_IN_CONFLICT';
  return (
    <section aria-label="Refused result" className="flex flex-col gap-2">
      <p role="status" className="rounded-md bg-bad-soft px-2 py-1.5 wrap-anywhere text-bad">
        {isConflict ? 'The result has open conflicts.' : 'The result is not verified.'} {visibleText(why)}
      </p>
      {printed !== '' && (
        <ScrollBox label="What the check printed" className="max-h-48 overflow-auto rounded-md bg-sunken p-2">
          <PlainText text={printed.split('\n').slice(-SHOWN_LINES).join('\n')} />
        </ScrollBox>
      )}
      <label className="flex cursor-pointer items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 accent-(--accent)"
          checked={isTaken}
          onChange={(event) => onTake(event.target.checked)}
        />
        <span>
          {isConflict ? 'Take both sides with their conflict markers' : 'Take it although it is not verified'}
          <span className="block text-sm text-muted">
            {isConflict
              ? 'As a branch or a patch. The result stays marked.'
              : 'The result stays marked as not verified, and the run records that you took it so.'}
          </span>
        </span>
      </label>
    </section>
  );
}

interface Taking {
  readonly refusal: ResultRefusal | null;
  readonly target: DeliverTo;
  /** Another check has to pass first. */
  readonly isChecked: boolean;
}

/** Files that were refused are taken only when the user says so, which leaves the check out, or when another check passes. */
function useTaking({ refusal, target, isChecked }: Taking): {
  readonly allow: readonly ('unverified' | 'conflicts')[];
  readonly reason: string | null;
  readonly choice: ReactNode;
} {
  const [isTaken, setTaken] = useState(false);
  if (refusal === null) return { allow: [], reason: null, choice: null };
  const choice = <RefusalChoice refusal={refusal} isTaken={isTaken} onTake={setTaken} />;
  if (refusal.code === 'RESULT_IN_CONFLICT')
    return { allow: isTaken ? ['conflicts'] : [], reason: conflictReason(isTaken, target), choice };
  if (isTaken) return { allow: ['unverified'], reason: null, choice };
  const reason = isChecked ? null : 'Give another check, or take the result although it is not verified.';
  return { allow: [], reason, choice };
}

function conflictReason(isTaken: boolean, { kind }: DeliverTo): string | null {
  if (kind === 'apply') return 'Files with open conflicts go to a branch or a patch only.';
  return isTaken ? null : 'Choose to take both sides with their markers.';
}

interface Ended {
  readonly conflicts: readonly ShownConflict[] | null;
  readonly refusal: ResultRefusal | null;
  readonly mergeEnd: MergeEnd | null;
}

/** Conflicts and a failed check are not an end: the user continues from there. */
function takingEnd(state: SteeringState, recorded: ResultRefusal | null): Ended {
  const answer = state.kind === 'done' ? asMerge(state.answer) : null;
  const none = { conflicts: null, refusal: null, mergeEnd: null };
  if (answer?.kind === 'result.conflict') return { ...none, refusal: recorded, conflicts: answer.conflicts };
  if (answer?.kind === 'result.not-verified') {
    const why = `The merged files did not pass \`${answer.command}\`. ${answer.reason} Nothing was changed.`;
    return { ...none, refusal: { code: 'RESULT_NOT_VERIFIED', why, printed: lastLines(answer.output) } };
  }
  if (state.kind === 'refused' && isRefusedResult(state.code))
    return { ...none, refusal: { printed: '', ...recorded, code: state.code, why: state.message } };
  return { ...none, refusal: recorded, mergeEnd: answer };
}

/** It is said beside the choice. */
const withoutRefusal = (state: SteeringState): SteeringState =>
  state.kind === 'refused' && isRefusedResult(state.code) ? { kind: 'open' } : state;

function refusalIn(tree: RunTree, chosen: WorkspaceChoice | null): ResultRefusal | null {
  const snapshot = tree.runs.get(tree.root)?.snapshot;
  if (snapshot === undefined || chosen === null) return null;
  const agents = chosen.agents.map(({ agent }) => agent);
  return resultRefusal(snapshot, { workspace: chosen.workspace, files: chosen.files, agents });
}

const isSameRefusal = (a: ResultRefusal | null, b: ResultRefusal | null): boolean =>
  a?.code === b?.code && a?.why === b?.why && a?.printed === b?.printed;

/** Brings what the run made to the user: a branch, a patch, or into the files. */
export function MergeDialog({ reason }: SteeringDialogProps): ReactNode {
  const run = useTree((tree) => tree.root);
  const steering = useSteering();
  const [verify, setVerify] = useState('');
  const [sides, setSides] = useState<Sides>(new Map());
  const { workspace, select, recorded } = useWorkspace();
  const { target, allow, fields } = useTarget(run, recorded !== null);
  const { conflicts, refusal, mergeEnd } = takingEnd(steering.state, recorded);
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
      outcome={mergeEnd === null ? null : <MergeOutcomeView answer={mergeEnd} run={run} />}
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

type Kind = DeliverTo['kind'] | 'steering';

type Allow = readonly 'steering'[];

/** Into the files, unless the result was refused: then it first goes where it can be looked at. */
function useTarget(
  run: string,
  isRefused: boolean,
): { readonly target: DeliverTo; readonly allow: Allow; readonly fields: ReactNode } {
  const project = useTree((tree) => tree.runs.get(tree.root)?.snapshot.project ?? '');
  const isGit = useTree((tree) => tree.runs.get(tree.root)?.snapshot.files?.source === 'git');
  const held = useTree((tree) => tree.runs.get(tree.root)?.snapshot.handed?.held?.join(', ') ?? '');
  const [kind, setKind] = useState<Kind>(held !== '' ? 'steering' : isRefused && isGit ? 'branch' : 'apply');
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
          { value: 'apply', label: 'Into my files', says: `Written into ${project}. A rollback takes it out again.` },
          ...(held === ''
            ? []
            : [{ value: 'steering' as const, label: 'Into my files, with those held back', says: held }]),
          ...(isGit ? [branch] : []),
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

function targetOf(kind: Kind, { name, file }: { readonly name: string; readonly file: string }): DeliverTo {
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
  const choices = useTree(workspaceChoices, areSameChoices);
  const [selection, setSelection] = useSelection();
  const chosen = chosenWorkspace(choices, selection);
  const recorded = useTree((tree) => refusalIn(tree, chosen), isSameRefusal);
  if (choices.length < 2 || chosen === null) return { workspace: null, select: null, recorded };
  const select = (
    <LabelledSelect
      label="Whose files"
      value={chosen.workspace}
      onChange={(workspace) => setSelection({ workspace })}
      options={choices.map(({ workspace, label }) => ({ value: workspace, label }))}
    />
  );
  return { workspace: chosen.workspace, select, recorded };
}
