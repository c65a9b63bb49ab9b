import { owedDelivery } from '../../core/delivery.ts';
import { Fault, isFault } from '../../core/fault.ts';
import { isJsonObject } from '../../core/json.ts';
import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import type { Limits } from '../../core/workflow.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { refuseUnknownLevels } from '../../app/config/choose-model.ts';
import { EXIT } from '../exit-code.ts';
import { withRun } from '../files/with-run.ts';
import { flag, textOption } from '../invocation.ts';
import { checkModels } from '../../app/library/check-models.ts';
import { chooseDefinition, type ChosenDefinition } from '../session/choose-definition.ts';
import { reportRefused, reportStarted, startDetached } from '../session/detach.ts';
import { personName } from '../../app/runs/person-name.ts';
import { printAndDrive, type Driving } from '../session/driving.ts';
import { untilConsumed } from '../../app/runs/inbox-wait.ts';
import { limitsFromFlags } from '../session/limits.ts';
import { resumeOptions } from '../../app/runs/terms.ts';
import { raisesOf, refuseLower } from '../../app/runs/raise-limits.ts';
import { sendTerms, unreachable } from '../../app/runs/send-terms.ts';
import { stillWaiting } from '../session/still-waiting.ts';
import { storeHome } from '../../app/world/store.ts';

/**
 * `troupe resume RUN [--max-usd …] [--definition started|new]`: goes on from the journal, after raising the limits that were
 * given, and with the definition that was chosen where its files have changed.
 */
export async function resumeCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  if (flag(invocation, 'detach')) {
    const run = await startDetached(invocation, storeHome(terminal));
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'run.resumed', run })}\n` : `${run}\n`);
    return EXIT.ok;
  }
  try {
    return await resumeHere(invocation);
  } catch (error) {
    reportRefused(terminal, error);
    throw error;
  }
}

async function resumeHere(invocation: Invocation): Promise<number> {
  const raised = limitsFromFlags(invocation);
  return await withRun(invocation, (driving, info) => goOn(driving, info, raised), 'drive');
}

async function goOn(driving: Driving, info: RunInfo, raised: Partial<Limits>): Promise<number> {
  const { run } = info;
  if (info.status === 'settled') return await deliverOwed(driving, info);
  const chosen = await definitionFor(driving, info);
  if (chosen.kind === 'interrupted') return EXIT.interrupted;
  const changed = chosen.kind === 'new' ? chosen.definition : null;
  await checkStillUsable(driving, run, { raised, changed });
  await refuseLower(driving, run, raised);
  const isUnchanged = Object.keys(raised).length === 0 && changed === null;
  const waiting = isUnchanged ? await stillWaiting(driving, info) : null;
  if (waiting !== null) return waiting;
  const passed = info.driven ? await passOn(driving, run, raised) : 'nothing';
  if (passed !== 'taken') return await driveOn(driving, run, { raised: passed === 'kept' ? {} : raised, changed });
  reportStarted(driving.invocation.terminal, run);
  return EXIT.ok;
}

/** Where another process drives the run, that one has its definition. */
async function definitionFor(driving: Driving, { run, driven }: RunInfo): Promise<ChosenDefinition> {
  if (!driven) return await chooseDefinition(driving, run);
  if (textOption(driving.invocation, 'definition') !== 'new') return { kind: 'started' };
  throw new Fault('RUN_BUSY', `Run ${run} is being driven, and keeps its definition while it is.`, {
    hint: `Pause it first: troupe pause ${run}`,
  });
}

/** `kept`: the new limits lie in the inbox, and the process that drove the run has left; `nothing`: no limit was sent. */
type Passed = 'taken' | 'kept' | 'nothing';

async function passOn(driving: Driving, run: RunId, raised: Partial<Limits>): Promise<Passed> {
  if (flag(driving.invocation, 'web')) throw unreachable(run, ['--web']);
  const terms = await sendTerms(driving, run);
  if (terms === 'left') return 'nothing';
  if (Object.keys(raised).length > 0) return (await raiseElsewhere(driving, run, raised)) ? 'taken' : 'kept';
  const passed = await goesOnElsewhere(driving, run);
  return passed ?? (terms === 'taken' ? 'taken' : 'nothing');
}

async function driveOn(driving: Driving, run: RunId, { raised, changed }: Changes): Promise<number> {
  const { host, store, invocation } = driving;
  if (changed !== null) await host.redefine(run, { definition: changed, by: personName() });
  return await printAndDrive(driving, run, async () => {
    await host.resume(run, resumeOptions(driving, (await host.snapshot(run)).terms));
    await untilConsumed(store.journal, await raiseAll(driving, run, raised));
    reportStarted(invocation.terminal, run);
    return run;
  });
}

/**
 * Lets a paused run go on where it is driven. `nothing` when it is to be taken over here, also because its process has just
 * left; null when it is not paused.
 */
async function goesOnElsewhere({ host, store, invocation }: Driving, run: RunId): Promise<Passed | null> {
  const waiting = await store.journal.inbox(run);
  const isPaused = waiting.some(({ body }) => isJsonObject(body) && body['kind'] === 'pause');
  if (!isPaused && (await host.snapshot(run)).held === null) return null;
  try {
    await host.resume(run);
    return 'nothing';
  } catch (error) {
    if (!isFault(error) || error.code !== 'RUN_BUSY') throw error;
  }
  if (!(await untilConsumed(store.journal, [run]))) return 'nothing';
  invocation.terminal.stderr.write(`Run ${run} goes on where it is driven. Watch it:  troupe watch ${run}\n`);
  return 'taken';
}

/** Of a run that is over only the delivery of its result can be left to do. */
async function deliverOwed(driving: Driving, info: RunInfo): Promise<number> {
  const { run } = info;
  if (owedDelivery(await driving.host.snapshot(run)) !== null)
    return await driveOn(driving, run, { raised: {}, changed: null });
  throw new Fault('RUN_SETTLED', `Run ${info.run} is already settled: ${info.outcome}.`, {
    hint: `See how: troupe show ${info.run}`,
  });
}

interface Changes {
  readonly raised: Partial<Limits>;
  /** The definition it goes on with, where it is another one. */
  readonly changed: Definition | null;
}

/** The configuration may have changed since the run began, and a limit in money may be new. */
async function checkStillUsable({ host, actors }: Driving, run: RunId, { raised, changed }: Changes): Promise<void> {
  const [definition, { limits }] = await Promise.all([changed ?? host.definition(run), host.snapshot(run)]);
  refuseUnknownLevels(definition.roles, actors.config, actors.overrides);
  await checkModels(definition, actors, { ...limits, ...raised });
}

async function raiseAll({ host, store }: Driving, run: RunId, limits: Partial<Limits>): Promise<readonly RunId[]> {
  const raised = new Set<RunId>();
  for (const { of, limit, allowed } of await raisesOf(store, run, limits)) {
    await host.raise(of, limit, allowed, personName());
    raised.add(of);
  }
  return [...raised];
}

async function raiseElsewhere(driving: Driving, run: RunId, limits: Partial<Limits>): Promise<boolean> {
  const raised = await raiseAll(driving, run, limits);
  if (!(await untilConsumed(driving.store.journal, raised))) return false;
  driving.invocation.terminal.stderr.write(
    `The limit is passed on. Another process drives the run; follow it with: troupe watch ${run}\n`,
  );
  return true;
}
