import { resolve } from 'node:path';
import type { DeliveryStarted } from '../../core/record/delivery-fact.ts';
import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { DeliveryOrder, DeliveryTarget } from '../../core/model/run-terms.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { deliverAs, type Delivered } from '../../host/deliver/deliver-as.ts';
import { deliveryFact } from '../../host/deliver/delivery-fact-of.ts';
import { findFiles, treeOf } from '../../host/deliver/find-files.ts';
import { refuseDriven, type RunResult } from '../../host/deliver/run-result.ts';
import { requireApproved } from '../../host/perform/files/run-delivery.ts';
import type { HeldRun, Host, PersonalFact } from '../../host/port.ts';
import { toFailure } from '../../host/perform/failed-event.ts';
import { isJournalFault } from '../../host/perform/journal-fault.ts';
import type { ImmediateAct } from '../../protocol/operations/acts.ts';
import { given } from '../config/setting-values.ts';
import { canApprove, type Session } from '../runs/session.ts';
import { namedWorkspace } from './named-workspace.ts';
import { refuseDiscarded } from './discard-run.ts';
import type { DeliveryContext } from '../../host/deliver/delivery-context.ts';
import { worldOf } from '../../host/embedded/worlds.ts';

/**
 * Brings a result to the user from this process, on this person's account. A check runs in the run's sandbox; only a wish
 * for this one chooses a different one, and the record of the delivery names both.
 */
async function deliveryContext(
  { world, host, wishes, by }: Session,
  run: RunId,
  note: DeliveryContext['note'],
): Promise<DeliveryContext> {
  const snapshot = await host.snapshot(run);
  return {
    world: wishes.sandbox !== undefined ? world : await worldOf(world, snapshot),
    runSandbox: snapshot.sandbox,
    by,
    note,
  };
}

type Asked = Extract<ImmediateAct, { readonly kind: 'deliver' }>;
export type DeliverRequest = Omit<Asked, 'kind' | 'run'>;

export interface DeliveredRun extends Delivered {
  /** The command that the merged files had to pass. */
  readonly verify: string | null;
}

/**
 * Brings the result of a run to the user because a person asks for it, or says why not. The intent stands in the journal before
 * anything changes: if this process dies, `troupe resume` finishes what it began. From the intent to the end no other process may
 * resume, deliver or discard the run. A request that is refused before leaves no record.
 */
export async function deliverRun(
  session: Session,
  run: RunId,
  { request, signal }: { readonly request: DeliverRequest; readonly signal: AbortSignal },
): Promise<DeliveredRun> {
  const { host, store } = session;
  const seen = await host.snapshot(run);
  refuseDiscarded(seen);
  await refuseDriven(store.journal, run);
  const intent = await intentOf(session, run, request);
  const records = new DeliveryRecords(host, intent, seen);
  try {
    const context = await deliveryContext(session, run, (_run, fact) => records.note(fact));
    const check = canApprove(session) ? {} : { check: (result: RunResult) => requireApproved(seen, result) };
    const delivered = await deliverAs(context, { run, intent, signal, begin: () => records.begin(), ...check });
    const { result, outcome } = delivered;
    // A check that was interrupted says nothing about the files.
    if (signal.aborted && outcome.kind === 'result.not-verified') await records.fail(INTERRUPTED);
    else await records.note(deliveryFact(result, outcome, intent.by));
    return { ...delivered, verify: intent.verify ?? null };
  } catch (error) {
    await records.fail(error);
    throw error;
  } finally {
    await records.close();
  }
}

/** The records of one delivery, which begin with it. */
class DeliveryRecords {
  readonly #host: Host;
  readonly #intent: DeliveryStarted;
  readonly #seen: Snapshot;
  #held: HeldRun | null = null;

  constructor(host: Host, intent: DeliveryStarted, seen: Snapshot) {
    this.#host = host;
    this.#intent = intent;
    this.#seen = seen;
  }

  async begin(): Promise<void> {
    const { run, seq } = this.#seen;
    this.#held = await this.#host.hold(run, seq);
    await this.#held.note(this.#intent);
  }

  async note(fact: PersonalFact): Promise<void> {
    await this.#held?.note(fact);
  }

  async fail(error: unknown): Promise<void> {
    if (isJournalFault(error)) return;
    const { workspace, tree } = this.#intent;
    await this.note({ kind: 'delivery.failed', workspace, tree, failure: toFailure(error) });
  }

  async close(): Promise<void> {
    await this.#held?.release();
  }
}

const INTERRUPTED = new Fault('INTERRUPTED', 'A person stopped the check of the merged files.');

async function intentOf(
  { host, store, caller, by }: Session,
  run: RunId,
  request: DeliverRequest,
): Promise<DeliveryStarted> {
  const files = await findFiles(store.journal, run);
  const workspace = await namedWorkspace(request, store.journal, { run, files });
  const { terms } = await host.snapshot(run);
  const about = { kind: 'delivery.started', workspace, tree: treeOf(files, workspace), by, isAsked: true } as const;
  const { to, verify, allow, ours, theirs } = request;
  const isOwn = to === undefined && workspace === MAIN_WORKSPACE && allow?.includes('conflicts') !== true;
  return {
    ...about,
    ...(isOwn && terms.delivery !== undefined
      ? changedOrder(terms.delivery, allow)
      : { to: targetOf(to, caller.folder), ...(allow === undefined ? {} : { allow }) }),
    ...given({ verify, ours, theirs }),
  };
}

/** Uses the run's own target if the request names none. Files taken as unverified are not checked again. */
function changedOrder(
  { to, verify, copyTo, allowsSteering }: DeliveryOrder,
  allow: DeliverRequest['allow'] = [],
): Pick<DeliveryStarted, 'to' | 'verify' | 'copyTo' | 'allow'> {
  const allowed = new Set([...(allowsSteering === true ? (['steering'] as const) : []), ...allow]);
  return {
    to,
    ...(verify === undefined || allowed.has('unverified') ? {} : { verify }),
    ...(copyTo === undefined ? {} : { copyTo }),
    ...(allowed.size === 0 ? {} : { allow: [...allowed] }),
  };
}

/** Files are found from the folder of the caller. */
function targetOf(to: DeliverRequest['to'], folder: string): DeliveryTarget {
  if (to?.kind === 'patch') return { kind: 'patch', file: resolve(folder, to.file) };
  if (to?.kind === 'branch') return to.name === undefined ? { kind: 'own' } : { kind: 'branch', name: to.name };
  return to ?? { kind: 'own' };
}
