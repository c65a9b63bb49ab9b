import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { FamilyTrouble, hasFamilyTrouble } from '../../formats/panels.ts';
import { historyOf, treeProblems, type TreeProblem } from '../../model/run-history.ts';
import { useRuns, useTree } from '../../model/use-run.ts';
import { Empty, ScrollBox } from '../../ui/boxes.tsx';
import { Ban, Flag, Gauge, PackageX, Wrench, X } from 'lucide-react';
import type { RunProblem } from '../../model/problems-fold.ts';
import { type SelectionChange, useSelection } from '../../model/selection.ts';
import { AgentName, Badge } from '../../ui/marks.tsx';
import { Button, classNames } from '../../ui/controls.tsx';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { Time } from '../../ui/figures.tsx';
import { namedRun } from '../../../src/protocol/named-run.ts';
import { useQuery } from '@tanstack/react-query';
import type { Shown } from '../../../src/protocol/operations/views.ts';
import { api, runPath } from '../../api/client.ts';

/** The hint of a problem, or the usual one for its kind. */
function hintFor({ run, hint, kind, standing, client }: TreeProblem): string {
  if (hint !== null && hint !== '') return namedRun(hint, run);
  if (standing !== 'open') return '';
  if (client !== null) return 'The output of its process is below. Fix it, then fork from this step or resume the run.';
  return HINTS[kind];
}

const HINTS: Readonly<Record<RunProblem['kind'], string>> = {
  failure: 'Read what led to it, then fork the run from this step with what it needs.',
  tool: '',
  refused: 'Let the role use the tool, or fork from this step with a different message.',
  limit: 'Raise it when you resume the run.',
  result: 'Look at the changes and merge them by hand.',
};

interface TaskLogsProps {
  readonly run: string;
  readonly task: string;
  readonly isOpen?: boolean;
}

/** The raw output of a client in a turn, with its stderr and exit at the end. */
function TaskLogs({ run, task, isOpen: isOpenAtFirst = false }: TaskLogsProps): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { data, error, isFetching } = useQuery({
    queryKey: ['logs', run, task],
    queryFn: ({ signal }) => api.get<Shown<'rawLogs'>>(runPath(run, '/logs'), { task }, { signal }),
    enabled: isOpen,
    retry: false,
  });
  const text = (data?.items ?? []).map(({ line }) => line).join('\n');
  return (
    <details className="pl-5 text-sm" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-default text-muted">What its process printed ({task})</summary>
      {isFetching && data === undefined && <p className="text-muted">Reading …</p>}
      {error !== null && <p className="text-muted">{error.message}</p>}
      {data !== undefined && (
        <ScrollBox className="max-h-80 overflow-auto rounded-md bg-sunken p-2" label="What its process printed">
          {text === '' ? <span className="text-muted">Nothing of it is kept.</span> : <PlainText text={text} />}
        </ScrollBox>
      )}
    </details>
  );
}

const ICONS: Readonly<Record<RunProblem['kind'], typeof X>> = {
  failure: X,
  tool: Wrench,
  refused: Ban,
  limit: Gauge,
  result: PackageX,
};

interface ProblemItemProps {
  readonly problem: TreeProblem;
  readonly root: string;
}

/** One problem: what, where, what to do; with what was printed. */
function ProblemItem({ problem, root }: ProblemItemProps): ReactNode {
  const { kind, code, text, detail, standing, isEnd, client } = problem;
  const Icon = ICONS[kind];
  const hint = hintFor(problem);
  const isOpen = standing === 'open';
  return (
    <li className="flex flex-col gap-1 border-b border-line px-4 py-2">
      <p className={classNames('flex items-start gap-1.5', isOpen && 'text-bad')}>
        <Icon size={14} aria-label={kind} className="mt-[3px] shrink-0" />
        <span className="min-w-0 font-medium wrap-anywhere">{visibleText(text)}</span>
        <code className="ml-auto shrink-0 pt-0.5 text-xs text-muted">{code}</code>
      </p>
      <Place problem={problem} root={root} />
      {hint !== '' && <p className="pl-5 text-sm">{visibleText(hint)}</p>}
      {detail !== '' && <Printed text={detail} isOpen={isEnd || isOpen} />}
      {client !== null && <TaskLogs {...client} isOpen={isOpen} />}
      {isOpen && <Ways problem={problem} root={root} />}
    </li>
  );
}

const placeOf = ({ run, state, visit, task }: RunProblem, root: string): SelectionChange => ({
  run: run === root ? undefined : run,
  state,
  visit,
  task: task ?? undefined,
  seq: undefined,
});

const STANDINGS = {
  fixed: (kind: RunProblem['kind']): string =>
    kind === 'tool' || kind === 'refused' ? 'the agent continued' : 'fixed',
  undone: (): string => 'undone',
};

function Place({ problem, root }: ProblemItemProps): ReactNode {
  const { isEnd, standing, kind, agent, state, visit, seq, at } = problem;
  const [, select] = useSelection();
  const place = placeOf(problem, root);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 pl-5 text-sm text-muted">
      {isEnd && (
        <Badge tone="bad">
          <Flag size={11} aria-hidden /> the run ended with it
        </Badge>
      )}
      {standing !== 'open' && <Badge tone={kind === 'failure' ? 'ok' : 'neutral'}>{STANDINGS[standing](kind)}</Badge>}
      {agent !== null && <AgentName agent={agent} />}
      {state !== '' && (
        <button type="button" className="text-accent underline" onClick={() => select(place)}>
          {visibleText(state)}
          {visit > 1 && ` #${visit}`}
        </button>
      )}
      <button
        type="button"
        className="num hover:text-accent hover:underline"
        onClick={() => select({ ...place, tab: 'events', seq })}
      >
        record {seq}
      </button>
      <Time at={at} />
    </p>
  );
}

function Printed({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }): ReactNode {
  return (
    <details className="pl-5 text-sm" open={isOpen}>
      <summary className="cursor-default text-muted">What was printed</summary>
      <ScrollBox label="What was printed" className="max-h-72 overflow-auto rounded-md bg-sunken p-2">
        <PlainText text={text} />
      </ScrollBox>
    </details>
  );
}

function Ways({ problem, root }: ProblemItemProps): ReactNode {
  const [, select] = useSelection();
  const { state, agent } = problem;
  const place = placeOf(problem, root);
  if (state === '') return null;
  return (
    <p className="flex flex-wrap gap-2 pt-0.5 pl-5">
      <Button onClick={() => select({ ...place, dialog: 'fork' })}>Fork from this step</Button>
      {agent !== null && (
        <Button kind="quiet" onClick={() => select({ ...place, tab: 'transcript', agent, context: undefined })}>
          Read what led to it
        </Button>
      )}
    </p>
  );
}

interface ClientTurns {
  readonly run: string;
  readonly agent: string;
  readonly actor: string;
  readonly tasks: readonly string[];
}

/** Agents that are separate programs, with the output of each turn: always available, also where nothing failed. */
function ProcessLogs(): ReactNode {
  const clients = useTree(
    (tree) =>
      [...tree.runs.values()].flatMap((run) =>
        historyOf(run).agents.flatMap(({ agent, actor, tasks }): readonly ClientTurns[] =>
          actor === null ? [] : [{ run: run.run, agent, actor, tasks }],
        ),
      ),
    (a, b) => a.length === b.length && a.every(({ tasks }, place) => tasks === b[place]?.tasks),
  );
  if (clients.length === 0) return null;
  return (
    <section aria-label="Processes of agents">
      <h2 className="px-4 pt-3 pb-1 text-xs font-medium text-muted">What the processes of agents printed</h2>
      <ul>
        {clients.map(({ run, agent, actor, tasks }) => (
          <li key={`${run} ${agent}`} className="border-b border-line px-4 py-1.5">
            <p className="flex items-center gap-2">
              <AgentName agent={agent} /> <span className="text-sm text-muted">{visibleText(actor)}</span>
            </p>
            {tasks.map((task) => (
              <TaskLogs key={task} run={run} task={task} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All that went wrong on the way: where, what to do about it, and whether it was fixed. */
export function ProblemsPanel(): ReactNode {
  const tree = useRuns();
  const problems = useMemo(() => treeProblems(tree), [tree]);
  const hasTrouble = useTree(hasFamilyTrouble);
  const standing = problems.filter((one) => one.standing === 'open');
  const rest = problems.filter((one) => one.standing !== 'open');
  return (
    <ScrollBox className="min-h-0 flex-1 overflow-y-auto" label="Problems">
      {hasTrouble && (
        <Suspense fallback={null}>
          <FamilyTrouble />
        </Suspense>
      )}
      {problems.length === 0 && !hasTrouble && (
        <Empty
          title="Nothing went wrong so far"
          why="This panel lists failures, refused tools, limits and the stderr output of agent processes."
        />
      )}
      {problems.length === 0 && hasTrouble && (
        <p className="px-4 py-3 text-muted">No call failed, no tool was refused and no limit was met.</p>
      )}
      {standing.length > 0 && <List title="Stands" problems={standing} root={tree.root} />}
      {rest.length > 0 && <List title="On the way" problems={rest} root={tree.root} />}
      <ProcessLogs />
    </ScrollBox>
  );
}

function List({
  title,
  problems,
  root,
}: {
  readonly title: string;
  readonly problems: ReturnType<typeof treeProblems>;
  readonly root: string;
}): ReactNode {
  return (
    <section aria-label={title}>
      <h2 className="num px-4 pt-3 pb-1 text-xs font-medium text-muted">
        {title} ({problems.length})
      </h2>
      <ul>
        {problems.slice(0, MOST).map((problem) => (
          <ProblemItem key={problem.key} problem={problem} root={root} />
        ))}
      </ul>
      {problems.length > MOST && (
        <p className="px-4 py-1 text-sm text-muted">{problems.length - MOST} more are listed under Events.</p>
      )}
    </section>
  );
}

const MOST = 300;
