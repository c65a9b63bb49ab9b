import { quietSince } from '../../core/fold/apply-agents.ts';
import type { Fact, JournalRecord, MessageAdded } from '../../core/record/fact.ts';
import { queueing } from '../../core/step/start.ts';
import { Fault } from '../../core/model/fault.ts';
import { applyRecord, foldRecords } from '../../core/fold/fold.ts';
import { forkRecords } from '../../core/history/fork.ts';
import { childRunId, taskId, type RunId } from '../../core/model/ids.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import type { RunForked } from '../../core/record/files-fact.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { stepEnd } from '../../core/step/step-end.ts';
import { remarkFact } from '../../core/step/turn/tell-agent.ts';
import type { NewRun, StoredRecord } from '../../journal/port.ts';
import type { ForkOptions } from '../port.ts';
import type { World } from '../world.ts';
import { batchSummary } from './batch.ts';
import type { DefinitionStore } from './definition-store.ts';
import { agentUnknown } from './find-agent.ts';

/**
 * A new run that starts at a record of another one: machine, conversations and, once they are used, files. The runs know
 * each other only by name; neither can change the other.
 */
export async function forkHostRun(world: World, definitions: DefinitionStore, fork: Fork): Promise<RunId> {
  const { journal, clock, newRunId } = world;
  const { from, options } = fork;
  const records = await journal.read(from);
  const last = lastTaken(from, records, options.at);
  const { seq } = last;
  const definition = options.definition === undefined ? undefined : await definitions.store(options.definition);
  const at = Math.max(last.at, clock.now());
  const run = newRunId();
  const own = forkRecords(records, {
    run,
    parent: null,
    seq,
    at,
    forked: {
      kind: 'run.forked',
      from: { run: from, seq },
      input: options.input ?? {},
      ...(definition === undefined ? {} : { definition }),
      ...(options.terms === undefined ? {} : { terms: options.terms }),
      ...(options.needs === undefined ? {} : { needs: options.needs }),
      by: options.by,
      ...sessionsOf(records, seq),
    },
  });
  const forked = foldRecords(own);
  if (forked.status === 'settled') throw alreadyOver(from, seq);
  const remarks = await remarkFacts(definitions, forked, options);
  const heard = await copyChildren(world, { from, to: forked, until: last.commit, by: options.by, remarks });
  const added = recordsAfter(
    forked,
    remarks.filter((remark) => !heard.includes(remark)),
  );
  const snapshot = added.reduce(applyRecord, forked);
  // Last, so that a fork exists with all its parts or not at all.
  const header = await headerOf(world, snapshot, from);
  const title = options.title ?? forkTitle(from, snapshot, header.title);
  const lease = await journal.create({ ...header, title, forkedFrom: from }, world.owner, {
    records: [...own, ...added],
    summary: batchSummary(snapshot),
  });
  await journal.release(lease);
  return run;
}

/** Includes the rest of the same step. */
function lastTaken(from: RunId, records: readonly StoredRecord[], at: number): StoredRecord {
  const last = at < 1 || at > records.length ? undefined : records[stepEnd(records, at) - 1];
  if (last === undefined) throw noSuchRecord(from, at, records.length);
  return last;
}

/** Messages to its agents are in its journal from the start. */
async function remarkFacts(
  definitions: DefinitionStore,
  snapshot: Snapshot,
  { tell = [], by }: ForkOptions,
): Promise<readonly MessageAdded[]> {
  if (tell.length === 0) return [];
  const { workflow } = await definitions.load(snapshot);
  return tell.map((remark) => {
    const fact = remarkFact(workflow, snapshot, { kind: 'agent.told', ...remark, by });
    if (fact === null) throw agentUnknown(snapshot.run, remark.agent, workflow.agents);
    return fact;
  });
}

const recordsAfter = ({ seq, at }: Snapshot, facts: readonly Fact[]): readonly JournalRecord[] =>
  facts.map((fact, index) => ({ seq: seq + 1 + index, at, fact }));

export interface Fork {
  readonly from: RunId;
  readonly options: ForkOptions;
}

/** Conversations that a client keeps are copied as they are now, so only those that did not change since are used. */
function sessionsOf(records: readonly JournalRecord[], seq: number): Pick<RunForked, 'sessions'> {
  const then = foldRecords(records.slice(0, seq));
  if (Object.keys(then.sessions).length === 0) return {};
  const sessions = quietSince(then, foldRecords(records));
  return sessions.length === 0 ? {} : { sessions };
}

interface ChildCopies {
  readonly from: RunId;
  readonly to: Snapshot;
  /** The commit number of the last record taken over. */
  readonly until: number;
  readonly by: string;
  /** Messages to agents of the run above. */
  readonly remarks: readonly MessageAdded[];
}

/**
 * Child runs in progress are copied as they were at that commit; they are forks too, and their clocks start now. Returns the messages
 * that are theirs: an agent whose turn a run below takes reads them there.
 */
async function copyChildren(
  world: World,
  { from, to, until, by, remarks }: ChildCopies,
): Promise<readonly MessageAdded[]> {
  const heard: MessageAdded[] = [];
  for (const { id, run } of openChildren(to)) {
    const original = childRunId(from, id);
    if ((await world.journal.run(original)) === undefined) continue;
    const records = await world.journal.read(original);
    const seq = records.findLast(({ commit }) => commit <= until)?.seq ?? 0;
    if (seq === 0) continue;
    const left = { run: original, seq: stepEnd(records, seq) };
    const forked: RunForked = { kind: 'run.forked', from: left, input: {}, by, ...sessionsOf(records, left.seq) };
    const own = forkRecords(records, { run, parent: to.run, seq, at: to.at, forked });
    const copied = foldRecords(own);
    const [turn] = copied.apart === null ? [] : Object.keys(copied.tasks);
    const mine = turn === undefined ? [] : remarks.filter(({ task }) => task === id);
    heard.push(...mine);
    const added = recordsAfter(
      copied,
      mine.map((fact) => ({ ...fact, task: taskId(turn ?? id) })),
    );
    const snapshot = added.reduce(applyRecord, copied);
    await copyChildren(world, { from: original, to: snapshot, until, by, remarks: [] });
    const lease = await world.journal.create(await headerOf(world, snapshot, original), world.owner, {
      records: [...own, ...added],
      summary: batchSummary(snapshot),
    });
    await world.journal.release(lease);
  }
  return heard;
}

async function headerOf(world: World, { run, parent, workflow, project, at }: Snapshot, from: RunId): Promise<NewRun> {
  const info: Partial<NewRun> = (await world.journal.run(from)) ?? {};
  return { run, parent, workflow, project, title: info.title ?? '', at, ...queueing(info) };
}

/** The title of the run comes first, so that it is what a short line shows. A fork of a fork names only the run it was made from. */
function forkTitle(from: RunId, { current: { state }, visits }: Snapshot, title: string): string {
  const about = title.replace(/ ?\(fork of \S+ at [^)]+\)$/, '');
  const visit = visits[state] ?? 1;
  return `${about} (fork of ${from} at ${state}${visit > 1 ? `#${visit}` : ''})`.trimStart();
}

function noSuchRecord(run: RunId, seq: number, last: number): Fault {
  return new Fault('STEP_UNKNOWN', `Run ${run} has no record ${seq}; it has 1 to ${last}.`, {
    hint: `See them with: troupe logs ${run} --json`,
  });
}

function alreadyOver(run: RunId, seq: number): Fault {
  return new Fault('FORK_AT_END', `Run ${run} was already over at record ${seq}: there is nothing to continue with.`, {
    hint: 'Fork it at an earlier step, such as a state it went through.',
  });
}
