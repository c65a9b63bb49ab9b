import { toArray } from '../core/append-list.ts';
import type { Spent } from '../core/charge.ts';
import type { DeliveryCheck, DeliveryFact } from '../core/delivery-fact.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Message } from '../core/message.ts';
import { openQuestions } from '../core/open-questions.ts';
import type { Failure, Outcome } from '../core/outcome.ts';
import type { ProjectFiles, RedactedFile } from '../core/files-fact.ts';
import { resultState, type ResultState } from '../core/result-state.ts';
import type { Context, Hold, Snapshot } from '../core/snapshot.ts';
import { standsStill } from '../core/stand-still.ts';
import type { CostUsd, Usage } from '../core/usage.ts';
import { runTime, type WorkTime } from '../core/work-clock.ts';
import type { Limits } from '../core/workflow.ts';
import type { AgentView } from './agent-view.ts';
import type { DefinitionView } from './definition-view.ts';
import type { QuestionView } from './question-view.ts';
import { questionView } from './question-view.ts';
import type { ShownAgent, WorkflowState } from './workflow-state/workflow-state.ts';

/** A run as everyone outside sees it: what `show --json` prints. Fields are added, never renamed. */
export interface RunView {
  readonly run: string;
  readonly parent: string | null;
  readonly workflow: string;
  /** What it is about, in a line. */
  readonly title?: string;
  readonly project: string;
  readonly status: 'running' | 'waiting' | 'paused' | 'settled';
  readonly outcome: Outcome | null;
  /** Where its result is; absent while it goes on, and where there is none. */
  readonly result?: ResultState;
  readonly output: Json;
  readonly failure: Failure | null;
  readonly input: JsonObject;
  readonly data: JsonObject;
  /** The state the run is in. */
  readonly state: string;
  /** States visited, in order. */
  readonly states: readonly string[];
  readonly contexts: readonly ContextView[];
  readonly usage: Usage;
  /** null: at least one call had no known price. */
  readonly costUsd: CostUsd;
  /** A fork: what its copied history cost the runs it comes from; not part of `usage` and `costUsd`. */
  readonly inherited?: Spent;
  readonly limits: Limits;
  /** Failures on the way, also those that were mended. */
  readonly errors: readonly ErrorView[];
  readonly questions: readonly QuestionView[];
  readonly startedAt: number;
  readonly updatedAt: number;
  /** When it settled; what is noted of it afterwards does not make it longer. */
  readonly endedAt?: number;
  /** How long it worked, waited for a person, and stood still or had no process. */
  readonly time: WorkTime;
  /** Number of the newest record. */
  readonly seq: number;
  /** The folder the agents of the run work in; it is made when one of them first uses a tool. */
  readonly folder: string | null;
  readonly children: readonly string[];
  /** A live process drives the run now. */
  readonly driven: boolean;
  /** Who made it stand still, and why; absent while it moves. */
  readonly held?: Hold;
  /** The run and the record that it was forked from. */
  readonly forkedFrom?: NonNullable<Snapshot['forkedFrom']>;
  /** Runs that were forked from it. */
  readonly forks?: readonly string[];
  /** What keeps its commands in. */
  readonly sandbox?: string;
  /** The project when the run began. */
  readonly files?: ProjectFiles;
  /** Files of it and of the runs below it from which a secret was taken. */
  readonly redacted?: readonly RedactedFile[];
  /** Conversations that were made shorter to fit into a model's window, a line each. */
  readonly compacted?: readonly string[];
  /** Where its workspaces lie on this machine, that of the run first. */
  readonly folders?: readonly FolderView[];
  /** What is leased to its workspaces while it is open, by workspace and name. */
  readonly resources?: Snapshot['resources'];
  /** What each of its workspaces holds. */
  readonly workspaces?: Snapshot['workspaces'];
  /** The last change of the user's own files on the run's account. */
  readonly projectChange?: NonNullable<Snapshot['projectChange']>;
  /** A delivery that is owed: it is under way, was cut off, or failed. */
  readonly delivery?: NonNullable<Snapshot['delivery']>;
  /** The check of a result that was delivered; `handed` has that of one that waits. */
  readonly check?: DeliveryCheck;
  /** How its result waits for the user: as a branch or a patch, in conflict, or not passing its check. */
  readonly handed?: NonNullable<Snapshot['handed']>;
  /** Its agents and those of the runs below it, the ones that are programs with what else is known of them. */
  readonly agents?: readonly (AgentView | ShownAgent)[];
  /** The run in the words of the document (PH5). */
  readonly workflow_state?: WorkflowState;
  /** Of a quest: where it is written out for tools; for people beside it, as quest.md. */
  readonly questFile?: string;
  /** Which definition it has, and whether its files give another one now. */
  readonly definition?: DefinitionView;
}

export interface FolderView {
  readonly workspace: string;
  readonly folder: string;
  /** `not-made`: nobody has used a tool there; `removed`: it is made again when it is needed; `pruned`: its files are not kept. */
  readonly state: 'there' | 'not-made' | 'removed' | 'pruned';
  /** The tree that an overlay lies upon: its folder holds only what is another there. */
  readonly overlay?: string;
  /** It holds changes that were not brought anywhere. */
  readonly isWaiting?: true;
  /** Who works there, by whose name commands know it. */
  readonly agent?: string;
}

export interface ContextView {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly maxLength: number;
  /** Messages trimmed away so far. */
  readonly dropped: number;
}

export interface ErrorView extends Failure {
  readonly at: number;
  readonly state: string;
}

/** What is known about a run beside its records. */
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

function forkView({ forkedFrom, inherited }: Snapshot): Partial<RunView> {
  return forkedFrom === null ? {} : { forkedFrom, ...(inherited === null ? {} : { inherited }) };
}

/** Left out where there is nothing to tell: most runs are no forks, and old ones kept no files. */
function filesView(snapshot: Snapshot): Partial<RunView> {
  const { held, sandbox, files, workspaces, resources } = snapshot;
  return {
    ...(held === null ? {} : { held }),
    ...forkView(snapshot),
    ...(sandbox === null ? {} : { sandbox }),
    ...(files === null ? {} : { files }),
    ...(Object.keys(workspaces).length === 0 ? {} : { workspaces }),
    // What was leased is given back when it settles.
    ...(Object.keys(resources).length === 0 || snapshot.status === 'settled' ? {} : { resources }),
    ...resultView(snapshot),
  };
}

/** How the result stands: taken, waiting, or still to be delivered. */
function resultView(snapshot: Snapshot): Partial<RunView> {
  const { projectChange, handed, delivery } = snapshot;
  const result = resultState(snapshot);
  return {
    ...(result === null ? {} : { result }),
    ...(projectChange === null ? {} : { projectChange }),
    ...(handed === null ? {} : { handed }),
    ...(delivery === null || delivery.status === 'finished' ? {} : { delivery }),
    ...(handed === null && delivery !== null ? checkView(delivery.fact) : {}),
  };
}

const checkView = (fact: DeliveryFact): Pick<RunView, 'check'> =>
  fact.kind === 'delivery.finished' && fact.check !== undefined ? { check: fact.check } : {};

/** With the questions of the runs below it, where somebody has looked there: a child that asks makes its parent wait. */
export function runStatus(snapshot: Snapshot, questions: readonly QuestionView[]): RunView['status'] {
  if (snapshot.status === 'settled') return 'settled';
  if (standsStill(snapshot) || questions.some(({ kind }) => kind === 'limit')) return 'paused';
  return questions.length > 0 ? 'waiting' : 'running';
}

function contextView(name: string, context: Context): ContextView {
  return { name, messages: toArray(context.messages), maxLength: context.maxLength, dropped: context.dropped };
}
