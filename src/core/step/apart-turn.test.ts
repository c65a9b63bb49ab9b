import { describe, expect, test } from 'vitest';
import type { Effect } from '../model/effect.ts';
import { childRunId, taskId } from '../model/ids.ts';
import type { Failure } from '../model/outcome.ts';
import { agent, ask, context, definitionOf, end, to, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, TestedRun } from '../testing/tested-run.ts';
import type { Definition } from '../model/definition.ts';
import type { UnitWork } from '../model/workflow.ts';
import { contextFor, openContext } from '../fold/context.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { openEffects } from './recover.ts';
import { quietSince } from '../fold/apply-agents.ts';
import { foldRecords } from '../fold/fold.ts';
import { workspaceOf } from '../model/workspace-name.ts';
import { apartBeginning } from './apart-beginning.ts';

const apart = (who: string, input: string): UnitWork => ({ ...ask(who, input), apart: true }) as UnitWork;

const agents = [agent('coder', { context: 'coder', workspace: 'own' }), agent('other')];

/** An agent with its own files and conversation speaks twice. */
const twice = (maxLength = 50_000): Definition =>
  definitionOf(
    [
      work('first', apart('coder', 'make it'), {
        transitions: [to('second')],
        on: { timeout: [to('second')] },
        timeoutMs: 500,
      }),
      work('second', apart('coder', 'go on'), { transitions: [to('stop')] }),
      end(),
    ],
    { agents, contexts: [context('coder', { maxLength }), context('talk')], ask: ['grep'] },
  );

const onWorkers = (definition: Definition): TestedRun => new TestedRun(definition, { isOffered: true });

/** The run that takes the turn of this task. */
function below(run: TestedRun, task: string): TestedRun {
  const turn = apartBeginning(run.snapshot, taskId(task));
  if (turn === null) throw new Error(`${task} is no turn apart.`);
  const id = childRunId(run.snapshot.run, taskId(task));
  return new TestedRun(run.definition, { run: id, parent: run.snapshot.run, turn, at: run.now });
}

/** Its end reaches the run above. */
function ends(run: TestedRun, task: string, child: TestedRun): void {
  const { result, workspaces, unreported, apart: turn } = child.snapshot;
  if (result === null) throw new Error('It is still under way.');
  const left = turn?.left ?? null;
  const event = { kind: 'child.settled', child: taskId(task), workspaces, ...result, ...unreported } as const;
  run.send(left === null ? event : { ...event, left });
}

const starts = (effects: readonly Effect[]): readonly Effect[] => effects.filter(({ kind }) => kind === 'child.start');

/** What an agent goes on with, and what views read. */
const memoryOf = ({ snapshot }: TestedRun): unknown => {
  const { contexts, agents: known, lastAgent, permits, usage, costUsd, current } = plainSnapshot(snapshot) as Snapshot;
  return { contexts, known, lastAgent, permits, usage, costUsd, state: current.state };
};

const NOTED = {
  kind: 'session.noted',
  agent: 'coder',
  actor: 'codex',
  session: 's1',
  task: taskId('t1'),
  how: 'new',
} as const;

/** The first turn was a client's, in a new session. */
function afterOneInSession(): TestedRun {
  const shared = onWorkers(twice());
  const first = below(shared, 't1');
  first.send({ kind: 'world.noted', facts: [NOTED] });
  first.says('t1', 'done');
  ends(shared, 't1', first);
  return shared;
}

describe('[U8] a turn apart', () => {
  test('that could not begin has failed, instead of being waited for', () => {
    const run = onWorkers(twice());
    const failure: Failure = { code: 'INTERNAL', message: 'It could not begin.', class: 'logic' };
    run.send({ kind: 'task.done', task: taskId('t1'), outcome: 'failed', output: null, failure });
    expect(run.snapshot).toMatchObject({ status: 'settled', result: { outcome: 'failed', failure } });
  });

  test('leaves the run above as if that had taken it itself, tools, permissions and remarks among it', () => {
    const alone = new TestedRun(twice());
    const shared = onWorkers(twice());
    expect(starts(alone.effects)).toEqual([]);
    expect(starts(shared.effects)).toEqual([
      { kind: 'child.start', task: 't1', workflow: 'tested', input: {}, apart: true },
    ]);
    const child = below(shared, 't1');
    for (const run of [alone, child]) {
      run.says('t1', 'I look', { toolCalls: [call('x', 'grep')] });
      run.answers('permit/t1/x', 'always');
      run.send({ kind: 'agent.told', agent: 'coder', text: 'in blue', by: 'ann' });
      run.toolReturns('t1', 'x');
      run.says('t1', 'done', { call: 2 });
    }
    expect(child.snapshot).toMatchObject({ status: 'settled', result: { outcome: 'ok', output: 'done' } });
    ends(shared, 't1', child);
    expect(memoryOf(shared)).toEqual(memoryOf(alone));
    expect(shared.snapshot.permits).toEqual(['coder/grep']);
    expect(starts(shared.effects)).toHaveLength(2);
    const next = below(shared, 't2');
    for (const [run, task] of [
      [alone, 't2'],
      [next, 't1'],
    ] as const)
      run.says(task, 'better');
    ends(shared, 't2', next);
    expect(memoryOf(shared)).toEqual(memoryOf(alone));
    expect(plainSnapshot(foldRecords(shared.records))).toEqual(plainSnapshot(shared.snapshot));
  });

  test('works under the names that the run above has: its agent, its state and visit, its workspace', () => {
    const shared = onWorkers(twice());
    const child = below(shared, 't1');
    const [coder = null] = agents;
    expect(workspaceOf(child.snapshot, coder)).toBe(workspaceOf(shared.snapshot, coder));
    expect(child.snapshot).toMatchObject({ current: { state: 'first' }, visits: { first: 1 } });
    expect(child.snapshot.tasks['t1']).toMatchObject({ deadline: null, work: { agent: 'coder', input: 'make it' } });
  });

  test('goes on in the session of the turn before, also where that failed; a lost one is forgotten', () => {
    const shared = afterOneInSession();
    expect(shared.snapshot.sessions['coder']).toMatchObject({ id: 's1', seen: 2, lastTask: 't1' });
    const second = below(shared, 't2');
    expect(second.snapshot.sessions['coder']).toMatchObject({ id: 's1', seen: 2 });
    second.send({ kind: 'world.noted', facts: [{ ...NOTED, how: 'resumed' }] });
    const lost: Failure = { code: 'SESSION_LOST', message: 'It is gone.', class: 'session' };
    second.fails('t1', lost);
    second.send({ kind: 'run.cancel', by: 'ann', reason: 'enough' });
    ends(shared, 't2', second);
    expect(shared.snapshot.sessions).toEqual({});
  });

  test('that an actor without sessions took leaves the session as it was: it has not seen that turn', () => {
    const shared = afterOneInSession();
    const before = shared.snapshot.sessions['coder'];
    const second = below(shared, 't2');
    second.says('t1', 'by a model');
    ends(shared, 't2', second);
    expect(shared.snapshot.sessions['coder']).toEqual(before);
  });

  test('in progress keeps the session of its agent from a fork: its client is using it', () => {
    const shared = afterOneInSession();
    const now = shared.snapshot;
    expect(Object.keys(now.tasks)).toEqual(['t2']);
    expect(quietSince(now, { ...now, tasks: {} })).toEqual(['coder']);
    expect(quietSince(now, now)).toEqual([]);
  });

  test("begins with the agent's own view of a conversation that was compacted", () => {
    const said = { author: 'coder', role: 'assistant', content: 'the summary' } as const;
    const talk = openContext({ messages: [said, said], maxLength: 99, dropped: 3, views: { coder: [said] } });
    expect(openContext(contextFor('coder', talk, 'coder'))).toEqual(talk);
    expect(contextFor('coder', talk, 'other')).not.toHaveProperty('views');
  });

  test('trims the conversation as the run above would, and begins with what is left of it', () => {
    const alone = new TestedRun(twice(120));
    const shared = onWorkers(twice(120));
    const child = below(shared, 't1');
    for (const run of [alone, child])
      for (let round = 1; round <= 8; round += 1) {
        run.says('t1', `round ${round}`.padEnd(30, '.'), { call: round, toolCalls: [call(`x${round}`, 'read')] });
        run.toolReturns('t1', `x${round}`, 'what is there'.padEnd(30, '.'));
      }
    for (const run of [alone, child]) run.says('t1', 'done', { call: 9 });
    ends(shared, 't1', child);
    expect(alone.snapshot.contexts['coder']?.dropped).toBeGreaterThan(0);
    expect(memoryOf(shared)).toEqual(memoryOf(alone));
    const next = below(shared, 't2');
    expect(next.snapshot.contexts['coder']).toEqual(shared.snapshot.contexts['coder']);
  });

  test('is stopped when the time of its state is up, and the run goes on once it has stopped', () => {
    const shared = onWorkers(twice());
    const child = below(shared, 't1');
    child.send({ kind: 'agent.told', agent: 'coder', text: 'in blue', by: 'ann' });
    shared.timer('t1/deadline', 1500);
    expect(shared.last.effects).toContainEqual({ kind: 'task.stop', task: 't1' });
    expect(shared.snapshot.current.state).toBe('first');
    child.send({ kind: 'run.cancel', by: 'run-1', reason: 'its parent stopped it' });
    ends(shared, 't1', child);
    expect(shared.snapshot).toMatchObject({ current: { state: 'second' }, last: { outcome: 'timeout' } });
    // What a person said is not lost with the turn.
    expect(apartBeginning(shared.snapshot, taskId('t2'))?.contexts[0]?.messages.map(({ content }) => content)).toEqual([
      'in blue',
    ]);
  });

  test('is ordered again by the process that takes the run over', () => {
    const shared = onWorkers(twice());
    expect(starts(openEffects(shared.definition, shared.snapshot))).toEqual(starts(shared.effects));
    const child = below(shared, 't1');
    child.says('t1', 'done');
    ends(shared, 't1', child);
    expect(starts(openEffects(shared.definition, shared.snapshot))).toMatchObject([{ task: 't2' }]);
  });
});
