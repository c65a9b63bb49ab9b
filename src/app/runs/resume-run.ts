import { owedDelivery } from '../../core/step/delivery.ts';
import { Fault } from '../../core/model/fault.ts';
import { type RunId, runId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Limits } from '../../core/model/workflow.ts';
import type { RunInfo } from '../../journal/port.ts';
import { refuseUnknownLevels } from '../config/choose-model.ts';
import { checkModels } from '../library/check-models.ts';
import { refuseDiscarded } from '../results/discard-run.ts';
import { isPause } from '../../host/embedded/inbox.ts';
import { changedNeeds } from './fork-run.ts';
import { untilConsumed } from './inbox-wait.ts';
import { queueRun } from './queue-run.ts';
import { changedTerms, refuseUnreachable, resumeOptions, sendTerms, wishedLimits } from './terms.ts';
import type { Session } from './session.ts';
import type { Begin, GoingOn } from './going-on.ts';
import type { LimitName } from '../../core/record/limit-fact.ts';
import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import { runPicture } from './run-picture.ts';
import { limitOf } from '../../protocol/limit-of.ts';
import type { Store } from '../world/store.ts';
import { definitionMisfit } from '../../host/embedded/redefine-run.ts';
import { definitionNow, type DefinitionNow } from '../library/definition-change.ts';
import { pathInProject } from '../config/project.ts';
import { changeSentence } from '../../protocol/definition-view.ts';

export interface Raise {
  readonly of: RunId;
  readonly limit: LimitName;
  readonly allowed: number;
}

/** For the run itself, and for the child below it that met the limit. */
async function raisesOf({ journal }: Store, run: RunId, limits: Partial<Limits>): Promise<readonly Raise[]> {
  const entries = Object.entries(limits) as readonly [LimitName, number][];
  if (entries.length === 0) return [];
  const { questions } = await runPicture(journal, run, null);
  const stuckAt = (limit: LimitName): readonly RunId[] =>
    questions.filter((question) => limitOf(question) === limit).map((question) => runId(question.run));
  // The limit that holds the run back comes last: once it is raised the run goes on, perhaps to its end.
  return entries
    .toSorted(([one], [other]) => stuckAt(one).length - stuckAt(other).length)
    .flatMap(([limit, allowed]) => [...new Set([run, ...stuckAt(limit)])].map((of) => ({ of, limit, allowed })));
}

/** The engine passes over a limit that is no higher than the one that holds; a person should know. */
async function refuseLower({ host, store }: Session, run: RunId, limits: Partial<Limits>): Promise<void> {
  const raises = await raisesOf(store, run, limits);
  const present = await Promise.all(raises.map(async ({ of, limit }) => (await host.snapshot(of)).limits[limit] ?? 0));
  for (const [limit, allowed] of Object.entries(limits) as readonly [LimitName, number][]) {
    const held = present.filter((_, index) => raises[index]?.limit === limit);
    if (held.some((value) => value < allowed)) continue;
    const lowest = Math.min(...held);
    throw new Fault(
      'LIMIT_NOT_RAISED',
      `${flagOf(limit)} is ${shown(limit, lowest)} for run ${run}; ${shown(limit, allowed)} does not raise it.`,
      {
        hint: 'A limit can only be raised. Give a higher one, or none to keep it.',
        facts: { limit, present: lowest, given: allowed },
      },
    );
  }
}

const flagOf = (limit: LimitName): string => LIMIT_FLAGS[limit].split(' ')[0] ?? limit;

/** In the unit of the flag. */
const shown = (limit: LimitName, value: number): string => String(limit === 'durationMs' ? value / 1000 : value);

/** Of a run that is over only the delivery of its result can be left to do. */
export async function deliverOwed(session: Session, { run, outcome }: RunInfo): Promise<Begin> {
  const snapshot = await session.host.snapshot(run);
  if (owedDelivery(snapshot) !== null) return takeUp(session, run, NOTHING);
  refuseDiscarded(snapshot);
  throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${outcome}.`, {
    hint: `See how: troupe show ${run}. Bring its result elsewhere: troupe deliver ${run}`,
  });
}

/** Refuses what could not go on: settings that have changed since the run began, a limit that raises nothing. */
export async function checkResumable(session: Session, run: RunId, changed: Definition | null): Promise<void> {
  const { host, actors, wishes } = session;
  const [definition, { limits }] = await Promise.all([changed ?? host.definition(run), host.snapshot(run)]);
  refuseUnknownLevels(definition.roles, actors.config, actors.overrides);
  await checkModels(definition, actors, { ...limits, ...wishedLimits(wishes) });
  await refuseLower(session, run, wishedLimits(wishes));
}

/** Goes on from the journal, after raising the limits that are wished for, with the definition that was chosen. */
export async function resumeRun(session: Session, info: RunInfo, changed: Definition | null): Promise<GoingOn> {
  const { run } = info;
  const limits = wishedLimits(session.wishes);
  const passed = info.driven ? await passOn(session, run, limits) : 'nothing';
  if (passed === 'taken')
    return session.isLeftToWorkers
      ? { kind: 'queued', run, begin: () => Promise.resolve(null) }
      : { kind: 'elsewhere' };
  const changes = { raised: passed === 'kept' ? {} : limits, changed };
  return session.isLeftToWorkers ? leaveToWorkers(session, run, changes) : takeUp(session, run, changes);
}

/** Leaves the changes in the inboxes for the worker that takes the run. */
function leaveToWorkers(session: Session, run: RunId, { raised, changed }: Changes): Begin {
  const { host, by } = session;
  refuseUnreachable({ ...session.wishes, setup: undefined }, run);
  const begin = async (): Promise<null> => {
    const needs = await changedNeeds(session, run, changed);
    if (changed !== null) await host.redefine(run, { definition: changed, by, ...needs });
    const terms = changedTerms(session, (await host.snapshot(run)).terms);
    if (terms !== undefined) await host.changeTerms(run, terms, by);
    await raiseAll(session, run, raised);
    await host.unpause(run, by);
    await queueRun(session, run);
    return null;
  };
  return { kind: 'queued', run, begin };
}

interface Changes {
  readonly raised: Partial<Limits>;
  /** The definition it goes on with, where it is a different one. */
  readonly changed: Definition | null;
}

const NOTHING: Changes = { raised: {}, changed: null };

/** `kept`: the new limits lie in the inbox, and the process that drove the run has left; `nothing`: no limit was sent. */
type Passed = 'taken' | 'kept' | 'nothing';

async function passOn(session: Session, run: RunId, raised: Partial<Limits>): Promise<Passed> {
  const terms = await sendTerms(session, run);
  if (terms === 'left') return 'nothing';
  if (Object.keys(raised).length > 0) {
    const runs = await raiseAll(session, run, raised);
    return (await untilConsumed(session.store.journal, runs)) ? 'taken' : 'kept';
  }
  const passed = await goesOnElsewhere(session, run);
  return passed ?? (terms === 'taken' ? 'taken' : 'nothing');
}

/**
 * Lets a paused run go on where it is driven. `nothing` when it is to be taken over here, also because its process has just
 * left; null when it is not paused.
 */
async function goesOnElsewhere({ host, store, by }: Session, run: RunId): Promise<Passed | null> {
  const waiting = await store.journal.inbox(run);
  const isPaused = waiting.some(({ body }) => isPause(body));
  if (!isPaused && (await host.snapshot(run)).held === null) return null;
  await host.unpause(run, by);
  return (await untilConsumed(store.journal, [run])) ? 'taken' : 'nothing';
}

function takeUp(session: Session, run: RunId, { raised, changed }: Changes): Begin {
  const { host, store, by } = session;
  const begin = async (): Promise<null> => {
    if (changed !== null) await host.redefine(run, { definition: changed, by });
    await host.resume(run, resumeOptions(session, (await host.snapshot(run)).terms));
    await untilConsumed(store.journal, await raiseAll(session, run, raised));
    return null;
  };
  return { kind: 'here', run, begin };
}

async function raiseAll({ host, store, by }: Session, run: RunId, limits: Partial<Limits>): Promise<readonly RunId[]> {
  const raised = new Set<RunId>();
  for (const { of, limit, allowed } of await raisesOf(store, run, limits)) {
    await host.raise(of, limit, allowed, by);
    raised.add(of);
  }
  return [...raised];
}

/** A run keeps the definition it began with; its files give a different one now. */
export interface DefinitionChoice {
  readonly run: RunId;
  readonly now: DefinitionNow;
  /** Why the run cannot take the new one. */
  readonly misfits: readonly string[];
}

export type WantedDefinition = 'started' | 'new';

/** Null where there is nothing to choose. A new definition that cannot be had is refused: DEFINITION_UNUSABLE, DEFINITION_MISFIT. */
export async function definitionChoice(
  { host, project, caller }: Session,
  { run, driven }: RunInfo,
  wanted: WantedDefinition | undefined,
): Promise<DefinitionChoice | null> {
  if (driven) return refuseNew(run, wanted);
  const loads = wanted === 'new' ? 'any' : 'known';
  const now = await definitionNow(await host.definition(run), { project, caller }, loads);
  if (now.state === 'same') return null;
  const misfits = now.definition === undefined ? [] : await host.misfits(run, now.definition);
  const choice = { run, now, misfits };
  if (wanted === 'new') refuseUnusable(choice, caller.folder);
  return choice;
}

/** The process that drives a run has its definition. */
function refuseNew(run: RunId, wanted: WantedDefinition | undefined): null {
  if (wanted !== 'new') return null;
  throw new Fault('RUN_BUSY', `Run ${run} is being driven, and keeps its definition while it is.`, {
    hint: `Pause it first: troupe pause ${run}`,
  });
}

function refuseUnusable({ run, now, misfits }: DefinitionChoice, folder: string): void {
  if (misfits.length > 0) throw definitionMisfit(run, misfits);
  if (now.definition !== undefined) return;
  const { fault } = now;
  const what = changeSentence(now, (path) => pathInProject(path, folder));
  throw new Fault('DEFINITION_UNUSABLE', `There is no new definition for run ${run}: ${what}.`, {
    problems: fault?.problems ?? [],
    hint: `Correct it, or continue as it began: troupe resume ${run} --definition started`,
    ...(fault === undefined ? {} : { cause: fault }),
  });
}
