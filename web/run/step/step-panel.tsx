import { type ReactNode, useMemo, useState } from 'react';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import { addCost } from '../../../src/core/model/usage.ts';
import { namedRun } from '../../../src/protocol/named-run.ts';
import { stepName } from '../../model/fork-points.ts';
import { historyOf, runName, visitTime } from '../../model/run-history.ts';
import { haltedAt, type RunNode } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty, ScrollBox } from '../../ui/boxes.tsx';
import { Money, Tokens, Worked } from '../../ui/figures.tsx';
import { Button } from '../../ui/controls.tsx';
import { Badge, StatusMark } from '../../ui/marks.tsx';
import { visibleText } from '../../ui/text.tsx';
import { JsonView } from '../transcript/json-view.tsx';
import { chosenStep } from './chosen-step.ts';
import { StepActions } from './step-actions.tsx';
import { type StepWay, stepWay } from './step-way.ts';
import { type StepWork, stepWorks } from './step-work.ts';
import { WorkCard } from './work-card.tsx';

/** All about one step: what it was given, what it answered, what it cost, and which way the run took after it. */
export function StepPanel(): ReactNode {
  const [selection] = useSelection();
  const root = useTree((tree) => tree.root);
  const run = useTree((tree) => tree.runs.get(selection.run ?? tree.root) ?? null);
  const visit = run === null ? null : chosenStep(run, selection);
  if (run === null || visit === null)
    return (
      <Empty
        title="No step"
        why={
          selection.state === undefined
            ? 'Choose a step in the graph or on the timeline.'
            : `${visibleText(selection.state)} has not begun yet.`
        }
      />
    );
  return <Step key={`${run.run} ${visit.seq}`} run={run} visit={visit} root={root} />;
}

interface StepProps {
  readonly run: RunNode;
  readonly visit: Visit;
  readonly root: string;
}

function Step({ run, visit, root }: StepProps): ReactNode {
  const [{ task }] = useSelection();
  const works = useMemo(() => stepWorks(run, visit), [run, visit]);
  const way = useMemo(() => stepWay(run, visit), [run, visit]);
  const shown = works.filter((work) => task === undefined || work.task === task);
  return (
    <ScrollBox label="The step" className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 py-3">
      <StepHead run={run} visit={visit} works={works} root={root} />
      <StepFailure visit={visit} root={root} />
      <WorkCards works={shown.length > 0 ? shown : works} visit={visit} root={root} />
      {works.length === 0 && <p className="text-muted">This step only chooses what comes next.</p>}
      <Way way={way} isLast={visit.leftAt !== null} />
    </ScrollBox>
  );
}

/** So many pieces of work are drawn at first, and more with each press: a pool may have 100,000 units. */
const MORE = 40;

type WorkCardsProps = Pick<StepProps, 'visit' | 'root'> & { readonly works: readonly StepWork[] };

function WorkCards({ works, visit, root }: WorkCardsProps): ReactNode {
  const [most, setMost] = useState(MORE);
  return (
    <>
      {works.slice(0, most).map((work) => (
        <WorkCard key={work.task} visit={visit} root={root} work={work} />
      ))}
      {works.length > most && (
        <Button className="self-start" onClick={() => setMost(most + MORE)}>
          {works.length - most} more
        </Button>
      )}
    </>
  );
}

function StepHead({ run, visit, works, root }: StepProps & { readonly works: readonly StepWork[] }): ReactNode {
  const halted = useTree(haltedAt);
  const below = useTree((tree) => runName(tree, run.run));
  const { leftAt, outcome, isUndone } = visit;
  const tokens = works.reduce((sum, work) => sum + work.tokens, 0);
  const costUsd = works.reduce<StepWork['costUsd']>((sum, work) => addCost(sum, work.costUsd), 0);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">
        {visibleText(stepName(visit, historyOf(run).visits.list))}
      </h2>
      <StatusMark status={leftAt === null && halted === null ? 'running' : (outcome ?? 'stopped')} />
      {isUndone && <Badge tone="warn">undone</Badge>}
      {below !== '' && <span className="text-sm text-muted">{visibleText(below)}</span>}
      <span className="flex gap-3 text-sm text-muted">
        <Worked timeAt={(at) => visitTime(run, visit, at)} until={leftAt ?? halted} />
        {tokens > 0 && (
          <span>
            <Tokens count={tokens} /> tok
          </span>
        )}
        {tokens > 0 && <Money usd={costUsd} />}
      </span>
      <StepActions run={run} visit={visit} root={root} />
    </header>
  );
}

/** Why it failed, with the hint that the terminal prints. */
function StepFailure({ visit: { failure, outcome }, root }: Pick<StepProps, 'visit' | 'root'>): ReactNode {
  if (failure === null || outcome === 'ok') return null;
  const { code, message, hint = '' } = failure;
  return (
    <div role="status" className="flex flex-col gap-1 rounded-md bg-bad-soft px-3 py-2 wrap-anywhere">
      <p className="font-medium text-bad">{visibleText(message)}</p>
      {hint !== '' && <p>{visibleText(namedRun(hint, root))}</p>}
      <code className="text-xs text-muted">{code}</code>
    </div>
  );
}

interface WayProps {
  readonly way: StepWay | null;
  readonly isLast: boolean;
}

/** The transition that was taken, and the values that its condition saw. */
function Way({ way, isLast }: WayProps): ReactNode {
  if (way === null)
    return (
      <p className="text-sm text-muted">{isLast ? 'The run ended here.' : 'What comes next is not decided yet.'}</p>
    );
  const { to, outcome, label, condition, values } = way;
  return (
    <section aria-label="Next step" className="flex flex-col gap-1.5 border-t border-line pt-3">
      <h3 className="font-semibold">
        Next: {visibleText(to)}
        {label !== null && <span className="font-normal text-muted"> · {visibleText(label)}</span>}
        {outcome !== 'ok' && <span className="font-normal text-muted"> · after {outcome}</span>}
      </h3>
      {condition !== null && <code className="text-sm wrap-anywhere">{visibleText(condition)}</code>}
      {values.length > 0 && (
        <div className="text-sm">
          <JsonView value={Object.fromEntries(values.map(({ name, value }) => [name, value]))} />
        </div>
      )}
    </section>
  );
}
