import { expect, test } from 'vitest';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { runView, type RunView } from '../../src/protocol/run-view.ts';
import { heldModel } from '../web/page/held-model.ts';
import { configFor, scriptedProject } from './projects.ts';
import { jsonLines, type Running, type Sandbox } from './sandbox.ts';

function scenarioOf(rules: unknown) {
  const parsed = parseScenario({ rules });
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
  return parsed.scenario;
}

const PLAIN = scenarioOf([
  { when: { state: 'start' }, reply: 'A long answer.' },
  { when: { state: 'again' }, reply: 'Done.' },
]);

/** Reads lines until one of this kind has come. */
async function lineOf(running: Running, kind: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const { value, done } = await running.lines.next();
    if (done === true) throw new Error(`The program ended before ${kind}.`);
    const line = JSON.parse(value) as Readonly<Record<string, unknown>>;
    if (line['kind'] === kind) return line;
  }
}

async function viewOf(sandbox: Sandbox, run: string): Promise<RunView> {
  const journal = await openSqliteJournal({ home: sandbox.home });
  try {
    return runView(foldRecords(await journal.read(runId(run))));
  } finally {
    await journal.close();
  }
}

/** Kills the program after this many lines, and says how many answers it had printed by then. */
async function killAfterLines(
  sandbox: Sandbox,
  count: number,
): Promise<{ readonly run: string; readonly answers: number }> {
  const running = sandbox.start(['run', 'two_steps', 'Hello', '--json']);
  let [run, answers] = ['', 0];
  for (let read = 0; read < count;) {
    const { value, done } = await running.lines.next();
    if (done === true) break;
    read += 1;
    const line = JSON.parse(value) as { readonly run: string; readonly kind: string };
    run = line.run;
    if (line.kind === 'call.answered') answers += 1;
  }
  running.child.kill('SIGKILL');
  await running.ended;
  return { run, answers };
}

test('[L6] killed with -9 after every line, a run ends the same and no answered call is made again', async () => {
  const server = await startScriptedServer({ scenario: PLAIN });
  try {
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(server.url) });
    const whole = jsonLines((await sandbox.troupe(['run', 'two_steps', 'Hello', '--json'])).stdout);
    for (let count = 1; count < whole.length; count += 1) {
      const { run, answers } = await killAfterLines(sandbox, count);
      const resumed = await sandbox.troupe(['resume', run, '--json']);
      const isOver = resumed.stderr.includes('RUN_SETTLED');
      expect({ count, code: resumed.code }).toEqual({ count, code: isOver ? 2 : 0 });
      const view = await viewOf(sandbox, run);
      expect(view).toMatchObject({
        outcome: 'ok',
        output: 'Done.',
        states: ['start', 'again', 'stop'],
        usage: { calls: 2 },
      });
      expect(view.contexts[0]?.messages).toHaveLength(4);
      const asked = server.requests.filter((request) => request.headers['x-troupe-run'] === run);
      const states = asked.map((request) => request.headers['x-troupe-state']);
      // A printed answer was requested exactly once.
      const repeated = ['start', 'again']
        .slice(0, answers)
        .filter((name) => states.filter((state) => state === name).length !== 1);
      expect(repeated).toEqual([]);
    }
  } finally {
    await server.close();
  }
}, 120_000);

test('[L10] Ctrl-C stops driving with 130, says how to go on, and loses nothing', async () => {
  const server = await startScriptedServer({
    scenario: scenarioOf([{ when: { visit: 1, attempt: 1 }, reply: { hang: true } }]),
  });
  try {
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(server.url) });
    const running = sandbox.start(['run', 'two_steps', 'Hello', '--json']);
    const { run } = await lineOf(running, 'task.started');
    running.child.kill('SIGINT');
    const result = await running.ended;
    expect(result.code).toBe(130);
    expect(result.stderr).toContain(`troupe resume ${String(run)}`);
    expect(jsonLines(result.stdout).at(-1)).toEqual({ kind: 'run.interrupted', run });
    expect(await viewOf(sandbox, String(run))).toMatchObject({ status: 'running', state: 'start' });
  } finally {
    await server.close();
  }
});

test('[U1] --detach prints the run id at once; watch follows it from another process to its end', async () => {
  const slow = scenarioOf([
    { when: { state: 'start' }, reply: { say: 'A long answer.', delay_ms: 700 } },
    { when: { state: 'again' }, reply: 'Done.' },
  ]);
  const server = await startScriptedServer({ scenario: slow });
  try {
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(server.url) });
    const started = await sandbox.troupe(['run', 'two_steps', 'Hello', '--detach']);
    expect(started.code).toBe(0);
    const run = started.stdout.trim();
    expect(run).toMatch(/^[a-z0-9]+$/);
    const watched = await sandbox.troupe(['watch', run, '--json']);
    expect(watched.code).toBe(0);
    const lines = jsonLines(watched.stdout);
    expect(lines[0]).toMatchObject({ kind: 'run.started', run });
    expect(lines.at(-1)).toMatchObject({ kind: 'run.settled', run, outcome: 'ok', output: 'Done.' });
  } finally {
    await server.close();
  }
});

test('[U1] --detach tells what is wrong before there is a run', async () => {
  const sandbox = scriptedProject();
  const result = await sandbox.troupe(['run', 'nothing_like_it', '--detach']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toContain('WORKFLOW_UNKNOWN');
});

test('[L10] another process can cancel a run that is being driven', async () => {
  const server = await startScriptedServer({ scenario: scenarioOf([{ reply: { hang: true } }]) });
  try {
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(server.url) });
    const running = sandbox.start(['run', 'two_steps', 'Hello', '--json']);
    const { run } = await lineOf(running, 'task.started');
    const cancelled = await sandbox.troupe(['cancel', String(run), '--reason', 'enough']);
    expect(cancelled.code).toBe(0);
    const result = await running.ended;
    expect(result.code).toBe(4);
    expect(jsonLines(result.stdout).at(-1)).toMatchObject({ outcome: 'cancelled' });
  } finally {
    await server.close();
  }
});

const ASK_WHILE_WORKING = `import { defineWorkflow } from 'troupe';
export const both = defineWorkflow({
  name: 'both',
  output: 'result',
  data: { result: null },
  agents: { worker: {} },
  states: {
    start: {
      work: {
        kind: 'pool',
        units: {
          person: { work: { kind: 'ask', question: "'Go on?'" } },
          model: { work: { kind: 'turn', agent: 'worker', input: "'Work'" } },
        },
      },
      transitions: [{ target: 'done', assign: 'this.common_data.result = result' }],
    },
    done: { kind: 'end' },
  },
});
`;

test('[U1] an answer from another process reaches the one that drives the run', async () => {
  const model = await heldModel('rules: [{ reply: Worked. }]');
  model.hold('worker');
  const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(model.url), 'both.ts': ASK_WHILE_WORKING });
  const running = sandbox.start(['run', 'both.ts', '--json']);
  const { run } = await lineOf(running, 'task.started');
  const answered = await sandbox.troupe(['answer', String(run), 'yes', 'please']);
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stderr).toContain('Answered');
  model.letGo('worker');
  const result = await running.ended;
  expect(result.code).toBe(0);
  const lines = jsonLines(result.stdout);
  expect(lines.find((line) => line['kind'] === 'question.answered')).toMatchObject({ answer: 'yes please' });
  expect(lines.at(-1)).toMatchObject({ outcome: 'ok' });
});

test('[L6] two processes cannot drive one run', async () => {
  const server = await startScriptedServer({ scenario: scenarioOf([{ reply: { hang: true } }]) });
  try {
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(server.url) });
    const running = sandbox.start(['run', 'two_steps', 'Hello', '--json']);
    const { run } = await lineOf(running, 'task.started');
    const second = await sandbox.troupe(['resume', String(run)]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('RUN_BUSY');
    running.child.kill('SIGKILL');
    await running.ended;
  } finally {
    await server.close();
  }
});

const ASKING_CHILD = `import { defineWorkflow } from 'troupe';
const inner = defineWorkflow({
  name: 'inner',
  data: { count: 0, word: '' },
  states: {
    start: {
      work: { kind: 'ask', question: "'Which word?'" },
      transitions: [{ target: 'count', assign: 'this.common_data.word = result' }],
    },
    count: {
      enter: 'this.common_data.count = this.common_data.count + 1',
      transitions: [{ target: 'done', when: 'common_data.count >= 4' }, 'count'],
    },
    done: { kind: 'end', output: 'common_data.word + common_data.count' },
  },
  limits: { iterations: 2 },
});
export const outer = defineWorkflow({
  name: 'outer',
  states: {
    start: { work: { kind: 'call', workflow: inner }, transitions: ['done'] },
    done: { kind: 'end', output: 'this.sub_workflow_result' },
  },
});
`;

test('[SM4] the question and the limit of a sub-workflow are answered and raised through its root', async () => {
  const sandbox = scriptedProject({ 'child.ts': ASKING_CHILD });
  const asked = await sandbox.troupe(['run', 'child.ts#outer', '--json']);
  expect(asked.code).toBe(3);
  const line = jsonLines(asked.stdout).at(-1) as { readonly run: string; readonly question: { readonly run: string } };
  expect(line.question.run).toBe(`${line.run}/t1`);
  const refused = await sandbox.troupe(['resume', line.question.run]);
  expect(refused.stderr).toContain('RUN_IS_CHILD');
  const answered = await sandbox.troupe(['answer', line.run, 'word', '--json']);
  expect(answered.code).toBe(4);
  expect(jsonLines(answered.stdout).at(-1)).toMatchObject({ status: 'paused', failure: { code: 'MAX_ITERATIONS' } });
  const resumed = await sandbox.troupe(['resume', line.run, '--max-iterations', '9']);
  expect(resumed).toMatchObject({ code: 0, stdout: 'word4\n' });
  const view = await viewOf(sandbox, line.run);
  expect(view.outcome).toBe('ok');
  const watched = await sandbox.troupe(['watch', line.run]);
  expect(watched.stderr).toContain('[question t1/q1] start: Which word?');
});
