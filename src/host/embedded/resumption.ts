import { taskToLookAt } from '../../core/step/approval.ts';
import { owedDelivery } from '../../core/step/delivery.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import type { Fact, RunResumed } from '../../core/record/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Unbegun } from '../../core/record/files-fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import { openEffects, recover } from '../../core/step/recover.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import type { Batch, InboxMessage, Lease, RunInfo } from '../../journal/port.ts';
import type { ResumeOptions } from '../port.ts';
import type { World } from '../world.ts';
import { batchOf } from './batch.ts';
import { eventOf } from './inbox.ts';
import { outgoing } from './outgoing.ts';
import { redacted, redactedStep } from './redacted-step.ts';
import { recordTools } from './run-tools.ts';
import { isUnbegun } from './unbegun.ts';

export interface Resumption {
  readonly batch: Batch;
  readonly snapshot: Snapshot;
  /** An approval waits until its files can be read. */
  readonly hasApproval: boolean;
  /** It was taken over asleep without messages, as by a process whose clock is ahead: it is not released again for that sleep. */
  readonly keptUntil: number | undefined;
  readonly effects: readonly { readonly effect: Effect; readonly isRepeat: boolean }[];
}

/**
 * How a run continues after a takeover. Waiting messages are taken first: a run that was cancelled meanwhile must not start
 * work before it learns of that. Announced work that is still open is marked as repeated, except work known not to have
 * begun.
 */
export async function resumption(world: World, lease: Lease, run: TakenOver): Promise<Resumption> {
  const { definition, snapshot: before } = run;
  const at = Math.max(before.at, world.clock.now());
  const facts: Fact[] = [];
  const consumed: string[] = [];
  const ordered: Effect[] = [];
  let snapshot = before;
  let hasApproval = false;
  const messages = inOrder(before, await world.journal.inbox(lease.run));
  for (const message of messages) {
    const event = eventOf(message.body);
    if (event === null) continue;
    if (mustSeeFiles(world, snapshot, event)) {
      hasApproval = true;
      continue;
    }
    const heard = redactedStep(world.secrets, definition, { snapshot, event, at });
    facts.push(...heard.facts);
    ordered.push(...heard.effects);
    consumed.push(message.id);
    snapshot = heard.snapshot;
  }
  const unbegun = [...run.unbegun, ...(before.held?.unbegun ?? [])];
  const announced = new Set(openEffects(definition, before).map((effect) => JSON.stringify(effect)));
  const again = recover(definition, snapshot, {
    epoch: lease.epoch,
    worker: world.worker,
    at,
    downMs: await downMs(world, before, at),
    ...(await sandboxOf(world, run)),
    tools: await toolsHere(world, run),
    terms: run.options?.terms && redacted(world.secrets, run.options.terms),
    by: run.options?.by,
    leavesDelivery: world.workspaces.isElsewhere,
  });
  facts.push(...again.facts);
  const after = again.snapshot;
  // Open work is ordered again; a message to a child run is not.
  const effects = [...ordered, ...again.effects];
  const sends = outgoing({ before, after, facts, effects, isTakenOver: true });
  return {
    batch: batchOf(facts, { after: before.seq, snapshot: after, consumed, sends }),
    snapshot: after,
    hasApproval,
    keptUntil: keptUntil(run, messages),
    effects: again.effects.map((effect) => ({
      effect,
      isRepeat: !run.isUntouched && announced.has(JSON.stringify(effect)) && !isUnbegun(effect, unbegun),
    })),
  };
}

/**
 * The end of a sub-agent is taken last: if its turn was stopped meanwhile, its cost is noted, and if not, its tool call is
 * made again and finds it.
 */
function inOrder(before: Snapshot, messages: readonly InboxMessage[]): readonly InboxMessage[] {
  const subAgents = new Set<unknown>(
    openChildren(before).flatMap(({ id, toolCall }) => (toolCall === undefined ? [] : [id])),
  );
  const isLast = ({ body }: InboxMessage): boolean =>
    isJsonObject(body) && body['kind'] === 'child.settled' && subAgents.has(body['child']);
  return [...messages.filter((message) => !isLast(message)), ...messages.filter(isLast)];
}

const mustSeeFiles = ({ workspaces }: World, snapshot: Snapshot, event: Event): boolean =>
  event.kind === 'question.answered' && workspaces.keepsFiles && taskToLookAt(snapshot, event) !== null;

const keptUntil = ({ info }: TakenOver, messages: readonly InboxMessage[]): number | undefined =>
  messages.length === 0 ? info?.wakesAt : undefined;

/** How long there was work but no process: since it slept, and since the newest record of the run and of those below it. */
async function downMs({ journal }: World, before: Snapshot, at: number): Promise<number> {
  if (before.status === 'settled' || isAtRest(before.clock)) return 0;
  const { wakesAt = 0 } = (await journal.run(before.run)) ?? {};
  return Math.max(0, at - Math.max(wakesAt, before.at, await newestBelow(journal, before.run)));
}

async function newestBelow(journal: World['journal'], run: RunId): Promise<number> {
  const open = (await journal.runs({ parent: run })).filter(({ status }) => status !== 'settled');
  const below = await Promise.all(open.map((child) => newestBelow(journal, child.run)));
  return Math.max(0, ...below, ...open.map(({ updatedAt }) => updatedAt));
}

interface TakenOver {
  readonly info: RunInfo | undefined;
  readonly definition: Definition;
  readonly snapshot: Snapshot;
  readonly options?: ResumeOptions;
  readonly unbegun: readonly Unbegun[];
  readonly isUntouched: boolean;
}

/** The run's sandbox, unless a person chose another. SANDBOX_UNAVAILABLE if it does not work here. */
async function sandboxOf(
  world: World,
  { snapshot, options, isUntouched }: TakenOver,
): Promise<Pick<RunResumed, 'sandbox' | 'changed'>> {
  const from = snapshot.sandbox;
  const sandbox = from === null ? undefined : await world.sandbox?.();
  if (from === null || sandbox === undefined) return {};
  // A requested sandbox has become a level.
  return sandbox === from || isUntouched ? { sandbox } : { sandbox, changed: { from, by: options?.by ?? 'troupe' } };
}

/** The machine that began the run may lack what workers have, such as MCP servers. */
async function toolsHere(world: World, { snapshot, isUntouched }: TakenOver): Promise<RunResumed['tools']> {
  if (!isUntouched || snapshot.parent !== null) return undefined;
  const tools = await recordTools(world);
  return tools === snapshot.tools ? undefined : tools;
}

/** A settled run can only owe its delivery, by a process that has the user's files. */
export function refuseDone({ workspaces }: World, snapshot: Snapshot): void {
  const { run, status, result } = snapshot;
  if (status !== 'settled' || (owedDelivery(snapshot) !== null && workspaces.isElsewhere !== true)) return;
  throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${result?.outcome}.`, {
    hint: 'There is nothing to resume. Start it again with `troupe run`.',
  });
}
