import { ChevronDown, ChevronRight, FileDiff, GitFork, GitMerge, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { forkPointOf } from '../model/fork-points.ts';
import { shownRunResult, type ShownRunResult, withListedGit } from '../model/run-result.ts';
import { useSelection } from '../model/selection.ts';
import { useTree } from '../model/use-run.ts';
import { Button, classNames } from '../ui/controls.tsx';
import { ScrollBox } from '../ui/boxes.tsx';
import { StatusMark } from '../ui/marks.tsx';
import { visibleText } from '../ui/text.tsx';
import { filesWords, headOf, inALine, isGoodOutcome, isRefused, toneOf } from './outcome-words.ts';
import { runStatusText } from './run-words.ts';
import { RetryButton } from './step/retry-button.tsx';
import { JsonView } from './transcript/json-view.tsx';
import { useRunCard } from './use-run-card.ts';
import { problemCount } from '../model/run-history.ts';
import { steeredOf } from '../model/steering-reasons.ts';

/** A step that failed is done again, as it was or with other input. */
function FailedStepActions({ step }: { readonly step: NonNullable<ShownRunResult['step']> }): ReactNode {
  const [, select] = useSelection();
  const run = useTree((tree) => tree.root);
  const at = useTree((tree) => forkPointOf(tree, step)?.at ?? null);
  return (
    <>
      {at !== null && <RetryButton action={{ kind: 'fork', run, at }} />}
      <Button onClick={() => select({ run: undefined, state: step.state, visit: step.visit, dialog: 'fork' })}>
        <GitFork size={14} aria-hidden /> Fork from this step
      </Button>
    </>
  );
}

/** The next actions for a run that is over. */
function OutcomeActions({ result }: { readonly result: ShownRunResult }): ReactNode {
  const [, select] = useSelection();
  const hasChanges = useTree((tree) => steeredOf(tree)?.hasChanges === true);
  const hasProblems = useTree((tree) => problemCount(tree) > 0);
  const { step } = result;
  const isWell = isGoodOutcome(result);
  const isOpen = isRefused(result);
  const hasTrouble = !isWell || isOpen;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {!isWell && step !== null && <FailedStepActions step={step} />}
      {hasTrouble && hasProblems && (
        <Button onClick={() => select({ tab: 'problems' })}>
          <TriangleAlert size={14} aria-hidden /> What went wrong
        </Button>
      )}
      {hasChanges && (
        <Button onClick={() => select({ tab: 'changes' })}>
          <FileDiff size={14} aria-hidden /> See the changes
        </Button>
      )}
      {hasChanges && canTake(result) && (
        <Button kind={isOpen ? 'plain' : 'primary'} onClick={() => select({ dialog: 'deliver' })}>
          <GitMerge size={14} aria-hidden /> Deliver
        </Button>
      )}
    </span>
  );
}

const canTake = (result: ShownRunResult): boolean =>
  isGoodOutcome(result) && (result.state.state === 'waiting' || result.state.state === 'refused');

/** On top of a run that is over: what came of it, and what one can do with that now. */
export function RunOutcome(): ReactNode {
  const settled = useTree(shownRunResult);
  const status = useTree(runStatusText);
  const listed = useRunCard()?.result;
  const [isOpen, setOpen] = useState(false);
  if (settled === null) return null;
  const result = withListedGit(settled, listed);
  const { line, hasMore } = inALine(result.output);
  return (
    <section aria-label="Outcome" className={classNames('shrink-0 border-b border-line', toneOf(status))}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
        <p className="min-w-0 flex-1 basis-80 wrap-anywhere">
          <span className="mr-1.5 inline-flex align-[-2px]">
            <StatusMark status={status} isShort />
          </span>
          <strong className="font-semibold">{visibleText(headOf(result, status))}</strong>
          <Facts result={result} />
          {line !== '' && <Output line={line} isOpen={isOpen} onToggle={hasMore ? () => setOpen(!isOpen) : null} />}
        </p>
        <OutcomeActions result={result} />
      </div>
      {isOpen && (
        <ScrollBox
          label="Output of the run"
          className="max-h-[40vh] overflow-auto border-t border-line bg-surface px-4 py-2"
        >
          <JsonView value={result.output} />
        </ScrollBox>
      )}
    </section>
  );
}

/** Where it failed, and what it came to. */
function Facts({ result }: { readonly result: ShownRunResult }): ReactNode {
  const { step, artifacts, state } = result;
  const isDriven = useTree((tree) => tree.isDriven);
  const waiting = filesWords(result, state.kind === 'undelivered' && isDriven !== false);
  return (
    <>
      {!isGoodOutcome(result) && step !== null && <StepLink step={step} />}
      {result.facts.length > 0 && ` · ${visibleText(result.facts.join(' · '))}`}
      {artifacts.length > 0 && <ArtifactsLink artifacts={artifacts} />}
      {waiting !== '' && (
        <>
          {' · '}
          <WithCode text={visibleText(waiting)} code={visibleText(result.where)} />
        </>
      )}
    </>
  );
}

/** A sentence with a branch or a path in it. */
function WithCode({ text, code }: { readonly text: string; readonly code: string }): ReactNode {
  const from = code === '' ? -1 : text.indexOf(code);
  if (from === -1) return text;
  return (
    <>
      {text.slice(0, from)}
      <code className="text-sm">{code}</code>
      {text.slice(from + code.length)}
    </>
  );
}

const NOTHING = { run: undefined, task: undefined, seq: undefined, agent: undefined, context: undefined };

function StepLink({ step }: { readonly step: NonNullable<ShownRunResult['step']> }): ReactNode {
  const [, select] = useSelection();
  return (
    <>
      <span className="text-muted"> in </span>
      <button
        type="button"
        className="text-accent underline"
        onClick={() => select({ ...NOTHING, state: step.state, visit: step.visit })}
      >
        {visibleText(step.name)}
      </button>
    </>
  );
}

function ArtifactsLink({ artifacts }: Pick<ShownRunResult, 'artifacts'>): ReactNode {
  const [, select] = useSelection();
  return (
    <>
      {' · '}
      <button
        type="button"
        className="text-left text-accent underline"
        onClick={() => select({ ...NOTHING, tab: 'artifacts' })}
      >
        {visibleText(artifacts.slice(0, SHOWN).map(fileName).join(', '))}
        {artifacts.length > SHOWN && ` and ${artifacts.length - SHOWN} more`}
      </button>
    </>
  );
}

const SHOWN = 4;
const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

interface OutputProps {
  readonly line: string;
  readonly isOpen: boolean;
  /** Null where the line is all of it. */
  readonly onToggle: (() => void) | null;
}

function Output({ line, isOpen, onToggle }: OutputProps): ReactNode {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      {` · ${visibleText(line)} `}
      {onToggle !== null && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="inline-flex items-center gap-0.5 align-bottom text-accent hover:underline"
          onClick={onToggle}
        >
          <Icon size={13} aria-hidden /> {isOpen ? 'Less' : 'All of it'}
        </button>
      )}
    </>
  );
}
