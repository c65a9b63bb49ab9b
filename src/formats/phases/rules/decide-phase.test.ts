import { describe, expect, test } from 'vitest';
import { decidePhase, type PhaseDecision, type PhaseEvent, type PhaseFacts } from './decide-phase.ts';
import type { CollectedArtifact, CollectedOutputs, PhasePlan, PhaseProblem, PhaseReading } from './phase-state.ts';

const PLAN: PhasePlan = {
  id: 'build',
  players: 1,
  timeoutRetries: 1,
  timeoutText: ' of 5 s (w.yml:6)',
  isApart: false,
  from: ['plan'],
  known: {},
  templates: {},
  loop: null,
};

const LOOP = { rounds: 2, condition: 'check.output.report.failed > 0', again: ['check', 'measure'] };

const READING: PhaseReading = {
  wanted: true,
  missing: [],
  used: [],
  inputs: { file: 'a.ts' },
  instructions: 'Build it.',
  context: {},
  criteria: ['It works.', { command: 'npm test' }, { files: ['a', 'b'] }],
  outputs: [{ name: 'report', form: 'file', path: 'out/report.json', type: 'report' }],
};

interface More {
  readonly plan?: Partial<PhasePlan>;
  readonly reading?: Partial<PhaseReading>;
  readonly phases?: PhaseFacts['phases'];
  readonly caller?: string;
}

const factsOf = ({ plan = {}, reading = {}, phases = {}, caller }: More): PhaseFacts => ({
  plan: { ...PLAN, ...plan },
  reading: { ...READING, ...reading },
  phases,
  caller: caller ?? null,
});

/** Decides one event after the other, as a run does. */
function after(events: readonly PhaseEvent[], more: More = {}): PhaseDecision {
  let decision: PhaseDecision | null = null;
  for (const event of events) decision = decidePhase(factsOf(more), decision?.state ?? null, event);
  if (decision === null) throw new Error('There is no event.');
  return decision;
}

/** The states that the events lead to. */
const way = (events: readonly PhaseEvent[], more: More = {}): readonly string[] =>
  events.map((_, at) => after(events.slice(0, at + 1), more).orders.go);

const READ: PhaseEvent = { kind: 'read', problem: null };
const BEGUN: PhaseEvent = { kind: 'begun', begun: { since: 'tree1', text: 'file: a.ts', writes: true } };
const TIMEOUT: PhaseEvent = {
  kind: 'lost',
  outcome: 'timeout',
  problem: { code: 'TIMEOUT', message: 'work took longer than 5 s', class: 'timeout' },
};
const PROBLEM: PhaseProblem = { code: 'OUTPUT_MISSING', message: 'It is not there.', class: 'logic' };
const LOST: PhaseEvent = { kind: 'lost', outcome: 'failed', problem: PROBLEM };
const INCOMPLETE: PhaseEvent = { kind: 'incomplete', text: 'This is missing.', problem: PROBLEM };
const MERGED: PhaseEvent = { kind: 'merged' };
const CONFLICT: PhaseEvent = { kind: 'unmerged', outcome: 'blocked', advice: 'Settle it.', problem: PROBLEM };

const artifact = (path: string, more: Partial<CollectedArtifact> = {}): CollectedArtifact => ({
  id: `${path}@1`,
  path,
  hash: '1',
  type: 'code',
  name: 'artifacts',
  form: 'changed',
  ...more,
});

const collected = (...artifacts: readonly CollectedArtifact[]): PhaseEvent => ({
  kind: 'collected',
  made: { artifacts },
});
const reran = (phase: string, made: CollectedOutputs = { artifacts: [] }): PhaseEvent => ({
  kind: 'reran',
  phase,
  made,
});

describe('[PS4] whether a phase is wanted', () => {
  test('it begins, is skipped, or fails with what its templates lack', () => {
    expect(way([READ])).toEqual(['begin']);
    expect(way([READ], { reading: { wanted: false } })).toEqual(['skipped']);
    const empty: PhaseEvent = { kind: 'read', problem: { code: 'TEMPLATE_EMPTY', message: 'Nothing has a value.' } };
    expect(after([empty])).toMatchObject({
      orders: { go: 'unread' },
      notes: [],
      state: { problem: { code: 'TEMPLATE_EMPTY' } },
    });
  });

  test('[PH5] what it hands over: criteria in words, commands to check again, and who wants it', () => {
    expect(after([READ]).state).toMatchObject({
      handoff: { from: ['plan'], successCriteria: ['It works.', '`npm test` succeeds', 'these files exist: a, b'] },
      checks: ['npm test'],
    });
    expect(after([READ], { caller: 'fix' }).state.handoff.from).toEqual(['fix']);
  });

  test('[PH4] it needs the artifacts that its templates read, each once', () => {
    const report = artifact('r.json', { name: 'report', form: 'file', type: 'report' });
    const plan = { outcome: 'ok', output: { artifacts: [report, artifact('b.ts')] } };
    const reading = {
      used: [
        ['plan', 'report'],
        ['plan', 'report'],
        ['gone', 'x'],
      ] as const,
    };
    const { state } = after([READ], { reading, phases: { plan, gone: null } });
    expect(state.needs).toEqual([{ phase: 'plan', name: 'report', form: 'file', artifacts: [report] }]);
    expect(state.dependencies).toEqual(['r.json@1']);
  });
});

describe('[PS6] the order of an agent, and what it owes', () => {
  test('the first order has instructions, inputs, outputs and an example', () => {
    const { state, orders } = after([READ, BEGUN]);
    expect(orders.go).toBe('work');
    expect(state.say).toBe(`# Phase: build

Build it.

file: a.ts

# Hand in

Deliver these outputs: write the files, or hand them in with \`submit_output\`.
- report: out/report.json
Example: \`submit_output({"name":"report","content":"the whole text of out/report.json"})\``);
    expect(state.owed).toEqual([{ ...READING.outputs[0], since: 'tree1' }]);
  });

  test('an agent without a tool to write is not asked to', () => {
    const begun: PhaseEvent = { kind: 'begun', begun: { since: 't', text: '', writes: false } };
    expect(after([READ, begun]).state.say).toContain('You have no tool to write files.');
  });

  test('missing outputs are reported to the agent twice, then the phase has failed with them', () => {
    const events = [READ, BEGUN, INCOMPLETE, INCOMPLETE, INCOMPLETE];
    expect(way(events)).toEqual(['begin', 'work', 'work', 'work', 'failed']);
    expect(after(events.slice(0, 3)).state.say).toBe('This is missing.');
    expect(after(events).notes).toEqual([PROBLEM]);
  });

  test('delivered, it is done; with its own files they are merged first', () => {
    expect(way([READ, BEGUN, collected()])).toEqual(['begin', 'work', 'done']);
    expect(way([READ, BEGUN, collected(), MERGED], { plan: { isApart: true } }).slice(2)).toEqual(['home', 'done']);
  });
});

describe('[PH6] an agent that fails', () => {
  test('is asked again after a timeout, then the next one takes over, then the phase has failed', () => {
    const events = [READ, BEGUN, TIMEOUT, TIMEOUT, LOST];
    expect(way(events, { plan: { players: 2 } }).slice(2)).toEqual(['work', 'fallback_1', 'failed']);
  });

  test('a timeout is reported in the terms of the file', () => {
    expect(after([READ, BEGUN, TIMEOUT, TIMEOUT])).toMatchObject({
      orders: { go: 'timed_out' },
      notes: [{ message: 'Phase "build" took longer than its timeout of 5 s (w.yml:6), 2 times.' }],
    });
  });

  test('a corrected order goes to the agent that works now', () => {
    expect(way([READ, BEGUN, LOST, INCOMPLETE], { plan: { players: 2 } }).at(-1)).toBe('fallback_1');
  });
});

describe('[PS2] a merge that is refused', () => {
  const apart: More = { plan: { isApart: true } };

  test('goes back to the agent twice, then the phase has failed', () => {
    const fix = [CONFLICT, collected()];
    const events = [READ, BEGUN, collected(), ...fix, ...fix, CONFLICT];
    expect(way(events, apart).slice(2)).toEqual(['home', 'work', 'home', 'work', 'home', 'failed']);
    expect(after(events.slice(0, 4), apart).state.say).toBe(
      'Settle it.\nThe work of the other phases stays: keep what both sides intended.',
    );
  });

  test('while it is fixed the merge says what is wrong, and the outputs are collected after it', () => {
    const events = [READ, BEGUN, collected(), CONFLICT, INCOMPLETE, MERGED, collected(), MERGED];
    expect(way(events, apart).slice(3)).toEqual(['work', 'home', 'collect', 'home', 'done']);
  });

  test('one that cannot be fixed ends the phase', () => {
    const hopeless: PhaseEvent = { ...CONFLICT, problem: { ...PROBLEM, code: 'MERGE_NOT_FIXED' } };
    expect(after([READ, BEGUN, collected(), hopeless], apart)).toMatchObject({ orders: { go: 'failed' } });
    const failed: PhaseEvent = { ...CONFLICT, outcome: 'failed' };
    expect(after([READ, BEGUN, collected(), failed], apart).orders.go).toBe('failed');
    const red: PhaseEvent = { ...failed, problem: { ...PROBLEM, code: 'MERGE_NOT_VERIFIED' } };
    expect(after([READ, BEGUN, collected(), red], apart).orders.go).toBe('work');
  });
});

describe('[PS5] a phase that loops', () => {
  const looping: More = { plan: { loop: LOOP } };
  const round = [READ, BEGUN, collected(), reran('check'), reran('measure')];

  test('runs what it judges again, one after the other, and reads its templates again', () => {
    expect(way(round, looping)).toEqual(['begin', 'work', 'again_1', 'again_2', 'start']);
  });

  test('is done as soon as it is no longer wanted', () => {
    const { state } = after(round, looping);
    const unwanted = factsOf({ ...looping, reading: { wanted: false } });
    expect(decidePhase(unwanted, state, READ)).toMatchObject({ orders: { go: 'done' }, state: { rounds: 0 } });
  });

  test('each round begins with all tries; after the last one the rounds are used up', () => {
    const nudged = [READ, BEGUN, INCOMPLETE, collected(), reran('check'), reran('measure'), READ];
    expect(after(nudged, looping)).toMatchObject({
      orders: { go: 'begin' },
      state: { rounds: 1, nudges: 0, player: 0 },
    });
    const usedUp = after([...round, ...round, READ], looping);
    expect(usedUp).toMatchObject({ orders: { go: 'used_up' }, notes: [] });
    expect(usedUp.state.problem?.message).toBe(
      'After 2 rounds of build its condition still holds: check.output.report.failed > 0',
    );
  });

  test('what was collected while a second refused merge was settled is not collected again', () => {
    const settled = [CONFLICT, INCOMPLETE, CONFLICT, collected(), MERGED];
    expect(way([READ, BEGUN, collected(), ...settled], { plan: { isApart: true } }).slice(-2)).toEqual([
      'home',
      'done',
    ]);
  });

  test('[L3] rounds used up with its own files: they are merged first', () => {
    const apart: More = { plan: { loop: LOOP, isApart: true } };
    expect(way([...round, ...round, READ, MERGED], apart).slice(-2)).toEqual(['home', 'used_up']);
  });

  test('what it fixed counts from now on, but not in plans and reports', () => {
    const [code, plan] = [artifact('a.ts'), artifact('a.ts', { type: 'plan' })];
    const phases = { make: { outcome: 'ok', output: { artifacts: [code, plan, artifact('b.ts')] } }, none: null };
    const fixed = artifact('a.ts', { id: 'a.ts@2', hash: '2' });
    const { state } = after([READ, BEGUN, collected(fixed)], { ...looping, phases });
    expect(state.rerun['make']?.output?.artifacts).toEqual([
      { ...code, id: 'a.ts@2', hash: '2' },
      plan,
      artifact('b.ts'),
    ]);
    expect(Object.keys(state.rerun)).toEqual(['make']);
  });

  test('a result that was made again is the newest, also for what it had run again itself', () => {
    const inner = { outcome: 'ok', output: { artifacts: [artifact('inner.ts')] } };
    const made = { artifacts: [], rerun: { inner } };
    const { state } = after([READ, BEGUN, collected(), reran('check', made)], looping);
    expect(state.rerun).toEqual({ inner, check: { outcome: 'ok', output: made } });
  });

  test('what cannot be run again fails it', () => {
    const events = [READ, BEGUN, collected(), { kind: 'broken', problem: PROBLEM } as const];
    expect(after(events, looping)).toMatchObject({ orders: { go: 'failed' }, notes: [PROBLEM] });
  });
});
