import fc from 'fast-check';
import { chargeOf, type Charge } from '../../../src/core/record/charge.ts';
import type { Fact, JournalRecord } from '../../../src/core/record/fact.ts';
import type { StoredRecord } from '../../../src/core/record/stored-record.ts';
import { applyRecord, foldRecords } from '../../../src/core/fold/fold.ts';
import { forkRecords } from '../../../src/core/history/fork.ts';
import { childRunId, runId, taskId, type RunId } from '../../../src/core/model/ids.ts';
import { openChildren, SUB_AGENT_TOOL } from '../../../src/core/fold/open-children.ts';
import { rewoundState } from '../../../src/core/history/rewind.ts';
import type { Snapshot } from '../../../src/core/fold/snapshot.ts';
import { unreportedCost } from '../../../src/core/fold/tree-cost.ts';
import { NO_USAGE } from '../../../src/core/model/usage.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';

const ROOT = runId('r');
const FORK = runId('f');
const FAILURE = { code: 'ENDPOINT_FAILED', message: 'No.', class: 'server' } as const;

const ANSWER = { author: 'ada', role: 'assistant', content: '' } as const;
const GOOD = { outcome: 'ok', output: null, failure: null } as const;

/** Some prices are unknown. */
const spentOn = (tokens: number) => ({
  usage: { ...NO_USAGE, inputTokens: tokens, calls: 1 },
  costUsd: tokens % 97 === 0 ? null : tokens,
  model: `m${tokens % 3}`,
});

/** Journals of a run and its children, written as the engine writes them. */
export class RandomHistory {
  readonly journals = new Map<RunId, StoredRecord[]>();
  readonly snapshots = new Map<RunId, Snapshot>();
  #at = Date.UTC(2026, 0, 1);
  #commit = 0;
  #tasks = 0;
  #root = ROOT;

  constructor() {
    this.#begin(ROOT);
  }

  get root(): RunId {
    return this.#root;
  }

  readonly find = (run: RunId): Snapshot | undefined => this.snapshots.get(run);

  /** The runs of the present root's tree that are under way. */
  open(run: RunId = this.#root): readonly RunId[] {
    const below = openChildren(this.#snapshot(run)).filter((child) => this.snapshots.has(child.run));
    return [run, ...below.flatMap((child) => this.open(child.run))];
  }

  call(run: RunId, how: 'answered' | 'failed' | 'noted', tokens: number): void {
    const task = this.#turn(run, tokens);
    const spent = spentOn(tokens);
    const place = { task, call: 1, attempt: 1 };
    if (how === 'answered') this.#add(run, { kind: 'call.answered', ...place, message: ANSWER, ms: 1, ...spent });
    else if (how === 'failed') {
      this.#add(run, { kind: 'call.failed', ...place, failure: FAILURE, retryAt: null, spent });
    } else this.#add(run, { kind: 'usage.noted', task, ...spent });
    this.#add(run, { kind: 'task.ended', task, outcome: 'ok', output: null, failure: null });
  }

  startChild(run: RunId): void {
    this.#begin(childRunId(run, this.#task(run, { kind: 'call', workflow: 'w', input: {} })));
  }

  startSubAgent(run: RunId, tokens: number): void {
    const task = this.#turn(run, tokens);
    const message = { ...ANSWER, toolCalls: [{ id: 'asked', name: SUB_AGENT_TOOL, arguments: {} }] };
    this.#add(run, { kind: 'call.answered', task, call: 1, attempt: 1, message, ms: 1, ...spentOn(tokens) });
    for (const child of openChildren(this.#snapshot(run))) if (child.task === task) this.#begin(child.run);
  }

  endChild(child: RunId): void {
    const place = child.lastIndexOf('/');
    if (place === -1 || openChildren(this.#snapshot(child)).length > 0) return;
    const parent = runId(child.slice(0, place));
    const open = openChildren(this.#snapshot(parent)).find(({ run }) => run === child);
    if (open === undefined) return;
    this.#add(child, { kind: 'run.settled', ...GOOD });
    const { task, toolCall } = open;
    const spent = this.#snapshot(child).unreported;
    if (toolCall === undefined) this.#add(parent, { kind: 'task.ended', task, ...GOOD, ...spent });
    else {
      this.#add(parent, { kind: 'tool.finished', task, toolCall, content: '', isError: false, ms: 1, spent });
      this.#add(parent, { kind: 'task.ended', task, ...GOOD });
    }
  }

  settle(): void {
    for (const child of this.open().toReversed()) this.endChild(child);
    this.#add(this.#root, { kind: 'run.settled', ...GOOD });
  }

  /** What is written while a run that has ended is opened again, without any work. */
  reopen(downMs: number): void {
    this.#add(this.#root, { kind: 'run.resumed', epoch: 2, downMs });
  }

  get isSettled(): boolean {
    return this.#snapshot(this.#root).status === 'settled';
  }

  rewind(run: RunId, to: number): void {
    const records = this.journals.get(run) ?? [];
    // Past its own fork a run has nothing to go back to.
    const first = records.findLast(({ fact }) => fact.kind === 'run.forked')?.seq ?? 1;
    const then = foldRecords(records.slice(0, Math.max(first, Math.min(records.length, to))));
    const until = records[then.seq - 1]?.commit ?? 0;
    this.#noteChildren(run);
    this.#add(run, { kind: 'run.rewound', to: then.seq, by: 'ada', state: rewoundState(then, this.#at) });
    for (const { run: child } of openChildren(then)) this.#rewindChild(child, until);
  }

  #rewindChild(child: RunId, until: number): void {
    const own = this.journals.get(child) ?? [];
    if (own.length > 0) this.rewind(child, own.findLast(({ commit }) => commit <= until)?.seq ?? 1);
  }

  /** Undone children were paid for. */
  #noteChildren(run: RunId): void {
    for (const { task, run: child } of openChildren(this.#snapshot(run))) {
      const snapshot = this.find(child);
      if (snapshot === undefined) continue;
      this.#add(run, { kind: 'usage.noted', task, ...unreportedCost(snapshot, this.find), isOfChild: true });
    }
  }

  fork(): void {
    if (this.#root === FORK) return;
    this.#copy(ROOT, FORK, null);
    this.#root = FORK;
  }

  #copy(from: RunId, run: RunId, parent: RunId | null): void {
    const records = this.journals.get(from) ?? [];
    const forked = { kind: 'run.forked', from: { run: from, seq: records.length }, input: {}, by: 'ada' } as const;
    const own = forkRecords(records, { run, parent, seq: records.length, at: (this.#at += 1000), forked });
    this.#commit += 1;
    this.journals.set(
      run,
      own.map((record) => ({ commit: this.#commit, ...record })),
    );
    this.snapshots.set(run, foldRecords(own));
    for (const { id } of openChildren(this.#snapshot(run))) {
      if (this.journals.has(childRunId(from, id))) this.#copy(childRunId(from, id), childRunId(run, id), run);
    }
  }

  #begin(run: RunId): void {
    this.journals.set(run, []);
    this.#add(run, startedRun(run));
    this.#add(run, { kind: 'state.entered', state: 'work', visit: 1, from: null, patch: null });
  }

  #turn(run: RunId, tokens: number) {
    return this.#task(run, { kind: 'turn', agent: tokens % 2 === 0 ? 'ada' : 'bob', context: 'c', input: null });
  }

  #task(run: RunId, work: Extract<Fact, { kind: 'task.started' }>['work']) {
    const task = taskId(`t${(this.#tasks += 1)}`);
    const state = this.#tasks % 2 === 0 ? 'plan' : 'work';
    this.#add(run, { kind: 'task.started', task, state, pool: null, unit: null, work, deadline: null });
    return task;
  }

  #add(run: RunId, fact: Fact): void {
    const records = this.journals.get(run) ?? [];
    this.#commit += 1;
    const record = { seq: records.length + 1, at: (this.#at += 7_200_000), fact, commit: this.#commit };
    records.push(record);
    this.snapshots.set(run, applyRecord(this.snapshots.get(run) ?? null, record));
  }

  #snapshot(run: RunId): Snapshot {
    const snapshot = this.snapshots.get(run);
    if (snapshot === undefined) throw new Error(`There is no run ${run}.`);
    return snapshot;
  }
}

/** What a run paid itself, call by call. What a fork took over was paid by the run it comes from. */
export function ownCharges(records: readonly JournalRecord[]): readonly Charge[] {
  const first = records.findLast(({ fact }) => fact.kind === 'run.forked')?.seq ?? 0;
  const charges = records.filter(({ seq }) => seq > first).map(({ fact }) => chargeOf(fact));
  return charges.filter((charge) => charge !== null && !charge.isOfChild) as readonly Charge[];
}

const place = fc.nat(9);

export const historyStep = fc.oneof(
  fc.record({
    kind: fc.constant('call' as const),
    how: fc.constantFrom('answered' as const, 'failed' as const, 'noted' as const),
    place,
    size: fc.integer({ min: 1, max: 1000 }),
  }),
  fc.record({
    kind: fc.constantFrom(...(['start', 'ask', 'end', 'rewind', 'fork', 'settle', 'reopen'] as const)),
    place,
    size: fc.nat(60),
  }),
);

type HistoryStep = typeof historyStep extends fc.Arbitrary<infer Step> ? Step : never;

export function addStep(history: RandomHistory, step: HistoryStep): void {
  const { kind, size } = step;
  if (kind === 'rewind') history.rewind(history.root, size);
  else if (kind === 'fork') history.fork();
  else if (kind === 'reopen') history.reopen(size);
  // A run that has ended works again only once it is put back.
  else if (!history.isSettled) addWork(history, step);
}

function addWork(history: RandomHistory, step: HistoryStep): void {
  const open = history.open();
  const run = open[step.place % open.length] ?? history.root;
  if (step.kind === 'call') history.call(run, step.how, step.size);
  else if (step.kind === 'start') history.startChild(run);
  else if (step.kind === 'ask') history.startSubAgent(run, step.size);
  else if (step.kind === 'end') history.endChild(run);
  else history.settle();
}
