import { owedDelivery } from '../../core/delivery.ts';
import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Definition } from '../../core/role.ts';
import type { Limits } from '../../core/workflow.ts';
import type { RunInfo } from '../../journal/port.ts';
import { refuseUnknownLevels } from '../config/choose-model.ts';
import { checkModels } from '../library/check-models.ts';
import { refuseDiscarded } from '../results/refuse-open.ts';
import { untilConsumed } from './inbox-wait.ts';
import { raisesOf, refuseLower } from './raise-limits.ts';
import { sendTerms } from './send-terms.ts';
import type { Session } from './session.ts';
import type { Begin, GoingOn } from './going-on.ts';
import { resumeOptions } from './terms.ts';
import { wishedLimits } from './wishes.ts';

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
  if (passed === 'taken') return { kind: 'elsewhere' };
  return takeUp(session, run, { raised: passed === 'kept' ? {} : limits, changed });
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
  const isPaused = waiting.some(({ body }) => isJsonObject(body) && body['kind'] === 'pause');
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
