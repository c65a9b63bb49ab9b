import { emptyList } from '../model/append-list.ts';
import { openContext } from './context.ts';
import { tasksIn, type Draft } from './draft.ts';
import type { RunResumed, RunStarted } from '../record/fact.ts';
import type { Context, Snapshot } from './snapshot.ts';
import { NOTHING_SPENT } from './tree-cost.ts';
import { NO_USAGE } from '../model/usage.ts';
import { UNDECIDED } from '../record/undecided.ts';
import { startClock } from './work-clock.ts';

const NOTHING_USED = { usage: NO_USAGE, costUsd: 0, unreported: NOTHING_SPENT, reported: {}, inherited: null } as const;

const ITS_OWN = { rewinds: 0, forkedFrom: null, needs: null } as const;

/** One for all runs, so that what is made of them is made once. */
const NO_TERMS: Snapshot['terms'] = {};

const NOWHERE = {
  current: { state: '', entered: false, task: null, result: null, scripts: {} },
  last: null,
} as const;

const NO_WORKSPACES = { workspaces: {}, expected: {}, resources: {} } as const;

const nothingAsked = (): Pick<Snapshot, 'asked' | 'askedFor' | 'approved'> => ({
  asked: emptyList(),
  askedFor: {},
  approved: null,
});

/** The snapshot of a run after its first record. */
export function begin(fact: RunStarted, at: number): Snapshot {
  const contexts = fact.contexts.map((context): [string, Context] => [context.name, openContext(context)]);
  return {
    run: fact.run,
    parent: fact.parent,
    workflow: fact.workflow,
    definition: fact.definition,
    project: fact.project,
    input: fact.input,
    status: 'running',
    seq: 1,
    startedAt: at,
    at,
    data: fact.data,
    ...NOWHERE,
    path: emptyList(),
    contexts: Object.fromEntries(contexts),
    windows: {},
    agents: {},
    lastAgent: null,
    childResult: null,
    tasks: tasksIn({}),
    taskCount: 0,
    limits: fact.limits,
    paused: null,
    held: null,
    ...slotOf(fact),
    isOnWorkers: fact.isOffered === true,
    ...apartOf(fact),
    clock: startClock(at),
    stopping: null,
    rollingBack: null,
    ...projectOf(fact),
    workspace: fact.workspace ?? 'main',
    ...NO_WORKSPACES,
    ...nothingAsked(),
    projectChange: null,
    handed: null,
    terms: fact.terms ?? NO_TERMS,
    delivery: null,
    ...UNDECIDED,
    ...ITS_OWN,
    sandbox: fact.sandbox ?? null,
    brief: fact.brief ?? null,
    ...toolsOf(fact),
    ...NOTHING_USED,
    result: null,
    failures: emptyList(),
  };
}

/** Another process drives the run from here on. */
export function takeUp(now: Draft, { sandbox, tools, worker }: RunResumed): void {
  now.isOnWorkers = worker !== undefined;
  if (sandbox !== undefined) now.sandbox = sandbox;
  if (tools !== undefined) now.tools = tools;
}

/** A turn that a run below takes begins with what its agent had. */
function apartOf({ apart }: RunStarted): Pick<Snapshot, 'apart' | 'sessions' | 'permits' | 'visits'> {
  if (apart === undefined) return { apart: null, sessions: {}, permits: [], visits: {} };
  const { state, visit, work, session, permits = [] } = apart;
  const sessions = session === undefined ? {} : { [work.agent]: session };
  return { apart: { ...apart, models: [], left: null }, sessions, permits, visits: { [state]: visit - 1 } };
}

const projectOf = ({ files, origin }: RunStarted): Pick<Snapshot, 'files' | 'origin'> => ({
  files: files ?? null,
  origin: origin ?? null,
});

const slotOf = ({ slot }: RunStarted): Pick<Snapshot, 'slot' | 'slotless'> => ({ slot: slot ?? null, slotless: {} });

const toolsOf = ({ tools, unusable }: RunStarted): Pick<Snapshot, 'tools' | 'unusable'> => ({
  tools: tools ?? null,
  unusable: unusable ?? [],
});
