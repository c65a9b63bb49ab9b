// Records the golden journals of talks, clients, pools, stops, approvals and phases: `node test/golden/record-kinds.ts`. For a new
// release. The engine, its files and its scripts are real; only what the models say is written here.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor, CallReply, CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { signalTool } from '../../src/core/model/signal.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { asking } from '../../src/host/testing/asking.ts';
import { build, each, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { ManualClock } from '../../src/host/testing/manual-clock.ts';
import { CLIENT_TRAITS, STOPPED_REPLY, stoppingClient, USED } from '../../src/host/testing/stopping-client.ts';
import { says, testWorld, type TestWorldOptions } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { definitionOf } from '../phases/phases-bench.ts';
import { tickingClock, VERSION, writeGolden } from './recording.ts';

const uses = (name: string, input: JsonObject): CallReply => says('', [{ id: name, name, arguments: input }]);
const journal = createMemoryJournal();

function opened(options: Partial<TestWorldOptions> = {}) {
  const world = testWorld({ journal, answer: () => says('Done.'), clock: tickingClock(), ...options });
  return createEmbeddedHost({ ...world, engine: VERSION });
}

/** The conversation gets a message, is cut, and cleared; a call fails at first, and an agent forgets the reply it owes. */
async function talk(): Promise<void> {
  const signals = ['complete'] as const;
  const made = build({
    data: { told: 1 },
    roles: { coder: {}, checker: { signals, parsingTools: [signalTool({ signals })] } },
    states: [
      work('tell', { ...turn('coder', "'Be brief.'"), mode: 'tell' }, [
        to('tell', { when: 'common_data.told < 9', assign: 'this.common_data.told += 1' }),
        to('code'),
      ]),
      work('code', turn('coder', "'Code it, and say what you did.'"), [to('check')]),
      work('check', { ...turn('checker', "'Check it.'"), step: expression("'s1'") }, [to('forget')]),
      work('forget', { kind: 'turn', agent: 'coder', mode: 'clear', input: null }, [to('stop', { assign: SUM })]),
      end('stop', 'common_data.sum'),
    ],
  });
  const contexts = [{ name: 'room', startingMessages: [], maxLength: 60 }];
  const failed = {
    kind: 'failed',
    failure: { code: 'ENDPOINT_OVERLOADED', message: 'Too busy.', class: 'overload' },
  } as const;
  const complete = uses('signal_back', { signal: 'complete', stepId: 's1', summary: 'All is well.' });
  const answer = ({ state, call, attempt }: CallRequest): CallReply => {
    if (state === 'code') return attempt === 1 ? failed : says('A function that adds up all numbers.');
    return call === 1 ? says('It is good.') : complete;
  };
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const soon = { now: () => clock.now(), alarm: (at: number, ring: () => void) => rung(clock, at, ring) };
  const host = opened({ answer, clock: soon });
  const run = runId('talk');
  await host.start({
    definition: { ...made, workflow: { ...made.workflow, contexts } },
    input: {},
    project: '/project',
    run,
  });
  await host.rest(run);
  await host.shutdown();
  await writeGolden(journal, run);
}

const SUM = 'for (const n of [1, 2]) this.common_data.sum = (this.common_data.sum || 0) + n;';

/** What is waited for happens as soon as the engine has nothing else to do. */
function rung(clock: ManualClock, at: number, ring: () => void): () => void {
  const timer = setTimeout(() => {
    clock.advance(Math.max(0, at - clock.now()));
    ring();
  }, 20);
  return () => clearTimeout(timer);
}

/** A client tells what it does; its process is shut down in the middle, and another one goes on in the stored conversation. */
async function client(): Promise<void> {
  const definition = build({
    roles: { coder: {} },
    states: [work('code', turn('coder', "'Go.'"), [to('stop')]), end('stop')],
  });
  const conversations = {
    keep: async () => ({ body: 'b'.repeat(64), bytes: 2048 }),
    bring: async () => ({ kind: 'here' }) as const,
  };
  const clients = { conversations };
  const { call, atWork } = stoppingClient(STOPPED_REPLY);
  const clock = tickingClock();
  const first = opened({ clock, client: CLIENT_TRAITS, clients, call });
  const run = runId('client');
  await first.start({ definition, input: {}, project: '/project', run });
  await atWork;
  await first.shutdown();
  const goesOn: Actor['call'] = async (_request, { onActivity }) => {
    onActivity?.({ id: 'a1', kind: 'minion', name: 'search', status: 'ok', usage: USED.usage });
    onActivity?.({ id: 'a2', kind: 'tool', name: 'Bash', status: 'ok', parent: 'a1', text: 'npm test' });
    return says('Done.');
  };
  const second = opened({ clock, client: CLIENT_TRAITS, clients, call: goesOn });
  await second.resume(run);
  await second.tell(run, { agent: 'coder', text: 'Quickly, please.', by: 'ada' });
  await second.rest(run);
  await second.shutdown();
  await writeGolden(journal, run);
}

/** One slot for three: the first waits for a person and lets the second work, which fails, so that the third is skipped. */
async function pool(): Promise<void> {
  const ask = { kind: 'ask', question: expression("'Which?'"), choices: [] } as const;
  const below = build({
    name: 'below',
    states: [
      work('start', { kind: 'none' }, [to('ask', { when: "common_data.item.id == 'a'" }), to('fail')]),
      work('ask', ask, [to('talk')]),
      work('talk', turn('coder', "'Go on.'"), [to('stop')]),
      work('fail', { kind: 'command', command: expression("'false'"), okExitCodes: [0] }, [to('stop')]),
      end('stop', "'done'"),
    ],
  });
  const items = "[{ id: 'a' }, { id: 'b' }, { id: 'c', after: ['b'] }]";
  const unit = { kind: 'call', workflow: 'below', input: { item: expression('item') } } as const;
  const units = { ...each(items, unit, 1), join: { rule: 'any' } } as const;
  const definition = build({
    states: [work('all', units, [to('stop')], { on: { failed: [to('stop')] } }), end('stop', 'result')],
    library: { below: below.workflow },
  });
  const host = opened({ runCommand: async () => ({ exitCode: 1, output: 'no' }) });
  const run = runId('pool');
  await host.start({ definition, input: {}, project: '/project', run });
  await host.rest(run);
  await host.answer(run, { answer: 'red', by: 'ada' });
  await host.rest(run);
  await host.shutdown();
  await writeGolden(journal, run);
  await writeGolden(journal, runId('pool/t2'), { name: 'pool-below' });
}

/** A run below takes too long, and a second one is cancelled with all of it. */
async function stopped(): Promise<void> {
  const call = { kind: 'call', workflow: 'below', input: {} } as const;
  const definition = build({
    states: [
      work('short', call, [to('stop')], { timeoutMs: 1000, on: { timeout: [to('long')] } }),
      work('long', call, [to('stop')]),
      end('stop'),
    ],
    library: { below: asking('Which?').workflow },
  });
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const host = opened({ clock });
  const run = runId('stopped');
  await host.start({ definition, input: {}, project: '/project', run });
  await host.rest(run);
  clock.advance(1000);
  while ((await host.rest(run)).status === 'waiting' && (await host.snapshot(run)).current.state === 'short');
  await host.cancel(run, 'ada', 'enough');
  await host.rest(run);
  await host.shutdown();
  await writeGolden(journal, run);
}

process.umask(0o022);
const base = mkdtempSync(join(tmpdir(), 'golden-'));
const [home, project] = [join(base, 'home'), join(base, 'project')];
mkdirSync(project);
writeFileSync(join(project, 'notes.txt'), 'one\n');
/** Nothing of the machine it was recorded on. */
const plain = (text: string): string => text.replaceAll(project, '/project').replaceAll(/\d+ [kM]B free/g, '0 kB free');

/** A person approves files, which changed meanwhile: the answer is void, and the question is asked again. */
async function approved(): Promise<void> {
  const workspaces = createWorkspaces({ home });
  const definition = build({
    roles: { worker: {} },
    states: [
      work('start', turn('worker', "'Write it.'"), [to('ask')]),
      work('ask', { kind: 'ask', question: expression("'Ship it?'"), choices: ['yes', 'no'] }, [to('stop')]),
      end('stop'),
    ],
  });
  const answer = ({ call }: CallRequest): CallReply =>
    call === 1 ? uses('write_file', { path: 'made.txt', content: 'made\n' }) : says('Written.');
  const host = opened({ answer, tools: allTools, workspaces });
  const run = runId('approved');
  await host.start({ definition, input: {}, project, run });
  await host.rest(run);
  writeFileSync(join(workspaces.folderOf(run, 'main'), 'made.txt'), 'edited\n');
  await host.answer(run, { answer: 'yes', by: 'ada' }).catch(() => undefined);
  await host.answer(run, { answer: 'yes', by: 'ada', via: 'page' });
  await host.rest(run);
  await host.shutdown();
  await workspaces.close();
  await writeGolden(journal, run, { plain });
}

const PHASES = `name: plan and do
phases:
  - id: planning
    agent_type: planning
    output:
      plan: specs/plan.md
  - id: execution
    agent_type: execution
    depends_on: [planning]
    input:
      plan: \${planning.output.plan}
    output:
      artifacts: []
`;

/** Two agents: the first hands in a plan and says how far it is, the second works by it. */
async function phases(): Promise<void> {
  const workspaces = createWorkspaces({ home });
  const steps: Readonly<Record<string, readonly CallReply[]>> = {
    planning: [
      uses('report_progress', { progress: 0.5, message: 'Half of it' }),
      uses('submit_output', { name: 'plan', content: '# Plan\n' }),
    ],
    execution: [
      uses('write_file', { path: 'a.txt', content: 'a\n' }),
      uses('submit_output', { name: 'artifacts', content: ['a.txt'] }),
    ],
  };
  const answer = ({ agent, call }: CallRequest): CallReply => steps[agent]?.[call - 1] ?? says('Done.');
  const host = opened({ answer, tools: allTools, workspaces });
  const run = runId('phases');
  await host.start({ definition: await definitionOf(PHASES), input: {}, project, run });
  await host.rest(run);
  await host.shutdown();
  await workspaces.close();
  for (const { run: one } of (await journal.runs({})).filter(({ run: of }) => of.startsWith(run)))
    await writeGolden(journal, one, { name: one.replaceAll('/', '-'), plain });
}

await talk();
await client();
await pool();
await stopped();
await approved();
await phases();
rmSync(base, { recursive: true });
