import { toArray } from '../core/model/append-list.ts';
import type { DeliveryFact } from '../core/record/delivery-fact.ts';
import { openQuestions } from '../core/look/open-questions.ts';
import { resultState } from '../core/look/result-state.ts';
import type { Context, Snapshot } from '../core/fold/snapshot.ts';
import { isRunPaused } from '../core/step/paused.ts';
import { runTime } from '../core/fold/work-clock.ts';
import type { AgentView } from './agent-view.ts';
import type { QuestionView } from './question-view.ts';
import { questionView } from './question-view.ts';
import type { RunView, ContextView } from './operations/answers/run.ts';

export type { RunView, FolderView } from './operations/answers/run.ts';

/** Facts about a run that its records do not contain. */
export interface RunSurroundings {
  readonly folder: string | null;
  readonly children: readonly string[];
  readonly driven: boolean;
  readonly forks?: readonly string[];
  readonly title?: string;
  readonly agents?: readonly AgentView[];
}

export const NO_SURROUNDINGS: RunSurroundings = { folder: null, children: [], driven: false };

export function runView(snapshot: Snapshot, surroundings: RunSurroundings = NO_SURROUNDINGS): RunView {
  const questions = openQuestions(snapshot).map((question) => questionView(snapshot.run, question));
  return {
    kind: 'run',
    run: snapshot.run,
    parent: snapshot.parent,
    workflow: snapshot.workflow,
    project: snapshot.project,
    status: runStatus(snapshot, questions),
    outcome: snapshot.result?.outcome ?? null,
    output: snapshot.result?.output ?? null,
    failure: snapshot.result?.failure ?? null,
    input: snapshot.input,
    data: snapshot.data,
    state: snapshot.current.state,
    states: toArray(snapshot.path),
    contexts: Object.entries(snapshot.contexts).map(([name, context]) => contextView(name, context)),
    usage: snapshot.usage,
    costUsd: snapshot.costUsd,
    limits: snapshot.limits,
    errors: toArray(snapshot.failures).map(({ at, state, failure }) => ({ at, state, ...failure })),
    questions,
    startedAt: snapshot.startedAt,
    updatedAt: snapshot.at,
    ...(snapshot.clock.endedAt === null ? {} : { endedAt: snapshot.clock.endedAt }),
    time: runTime(snapshot.clock, snapshot.at),
    seq: snapshot.seq,
    ...surroundings,
    ...filesView(snapshot),
  };
}

/** Its origin. A fork keeps the terms of the other run, but no schedule began it. */
function originView({ forkedFrom, inherited, terms: { schedule } }: Snapshot): Partial<RunView> {
  if (forkedFrom === null) return schedule === undefined ? {} : { schedule };
  return { forkedFrom, ...(inherited === null ? {} : { inherited }) };
}

/** Empty for most runs: few are forks, and old ones kept no files. */
function filesView(snapshot: Snapshot): Partial<RunView> & Pick<RunView, 'result'> {
  const { held, sandbox, files, workspaces, resources } = snapshot;
  return {
    ...(held === null ? {} : { held }),
    ...originView(snapshot),
    ...(sandbox === null ? {} : { sandbox }),
    ...(files === null ? {} : { files }),
    ...(Object.keys(workspaces).length === 0 ? {} : { workspaces }),
    // Leased resources are returned when the run settles.
    ...(Object.keys(resources).length === 0 || snapshot.status === 'settled' ? {} : { resources }),
    ...resultView(snapshot),
  };
}

/** How the result stands: taken, waiting, or still to be delivered. */
function resultView(snapshot: Snapshot): Pick<RunView, 'result'> & Partial<RunView> {
  const { projectChange, handed, delivery, discardedBy, archivedBy } = snapshot;
  return {
    result: resultState(snapshot),
    ...(discardedBy === null ? {} : { discardedBy }),
    ...(archivedBy === null ? {} : { archivedBy }),
    ...(projectChange === null ? {} : { projectChange }),
    ...(handed === null || handed.isRemoved === true ? {} : { handed }),
    ...openDelivery(snapshot),
    ...(handed === null && delivery !== null ? checkView(delivery.fact) : {}),
  };
}

function openDelivery({ delivery, asking, seq }: Snapshot): Pick<RunView, 'delivery'> {
  if (asking !== null) return { delivery: { status: 'started', fact: asking, seq } };
  return delivery === null || delivery.status === 'finished' ? {} : { delivery };
}

const checkView = (fact: DeliveryFact): Pick<RunView, 'check'> =>
  fact.kind === 'delivery.finished' && fact.check !== undefined ? { check: fact.check } : {};

/** Includes the known questions of the runs below it: a child that asks makes its parent wait. */
export function runStatus(snapshot: Snapshot, questions: readonly QuestionView[]): RunView['status'] {
  if (snapshot.status === 'settled') return 'settled';
  if (isRunPaused(snapshot) || questions.some(({ kind }) => kind === 'limit')) return 'paused';
  return questions.length > 0 ? 'waiting' : 'running';
}

function contextView(name: string, context: Context): ContextView {
  return { name, messages: toArray(context.messages), maxLength: context.maxLength, dropped: context.dropped };
}
