import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallRequest } from '../../../actors/port.ts';
import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { Fact } from '../../../core/record/fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Role } from '../../../core/model/role.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { allTools } from '../../../tools/all-tools.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const PLAN: OwedOutput = { name: 'plan', form: 'file', path: 'specs/auth_plan.md', type: 'plan' };
const TASKS: OwedOutput = { name: 'tasks', form: 'file', path: 'specs/auth_tasks.json', type: 'plan' };
const REPORT: OwedOutput = { name: 'report', form: 'file', path: 'outputs/report.json', type: 'report' };
const PAGES: OwedOutput = { name: 'pages', form: 'files', path: 'pages/*', type: 'code' };
const CHANGED: OwedOutput = { name: 'artifacts', form: 'changed', path: null, type: 'code' };
const GOOD_TASKS = [{ id: 1, description: 'Create it', files: ['a.ts'], risk: 'low' }];

describe('[PH4] submit_output', () => {
  test('an agent that may only read delivers what it owes: the engine writes it, and [A3] its tools stay the same', async () => {
    const { facts, results, offered, folder } = await deliver([PLAN, TASKS], {
      role: { mode: 'read', includedTools: ['read_file'] },
      uses: [
        { name: 'plan', content: '# Plan\n' },
        { name: 'tasks', content: JSON.stringify(GOOD_TASKS) },
      ],
    });
    expect(results).toEqual([
      'plan is handed in: wrote specs/auth_plan.md (7 bytes). Handing it in again replaces it.',
      'tasks is handed in: wrote specs/auth_tasks.json (66 bytes). Handing it in again replaces it.',
    ]);
    expect(readFileSync(join(folder, 'specs/auth_plan.md'), 'utf8')).toBe('# Plan\n');
    expect(JSON.parse(readFileSync(join(folder, 'specs/auth_tasks.json'), 'utf8'))).toEqual(GOOD_TASKS);
    expect(offered).toEqual([
      { tools: ['read_file', 'report_progress', 'submit_output'], names: ['plan', 'tasks'] },
      { tools: ['read_file', 'report_progress', 'submit_output'], names: ['plan', 'tasks'] },
      { tools: ['read_file', 'report_progress', 'submit_output'], names: ['plan', 'tasks'] },
    ]);
    const noted = facts.filter(({ kind }) => ['files.changed', 'output.handed', 'tool.finished'].includes(kind));
    expect(noted).toMatchObject([
      { kind: 'files.changed', why: 'work', toolCall: 'c1' },
      { kind: 'output.handed', name: 'plan', paths: ['specs/auth_plan.md'] },
      { kind: 'tool.finished', toolCall: 'c1', isError: false },
      { kind: 'files.changed', why: 'work', toolCall: 'c2' },
      { kind: 'output.handed', name: 'tasks', paths: ['specs/auth_tasks.json'] },
      { kind: 'tool.finished', toolCall: 'c2', isError: false },
    ]);
  });

  test('a turn that owes nothing has no such tool', async () => {
    const { results, offered } = await deliver(null, { uses: [{ name: 'plan', content: 'x' }] });
    expect(offered[0]?.tools).not.toContain('submit_output');
    expect(offered[0]?.tools).not.toContain('report_progress');
    expect(results[0]).toContain('There is no tool "submit_output".');
  });

  test.for<[string, OwedOutput, Json, string, string]>([
    ['a report that is no JSON', REPORT, '{"tests":\n 3,}', 'REPORT_INVALID', 'outputs/report.json:2:'],
    ['an empty report', REPORT, '', 'REPORT_INVALID', 'outputs/report.json'],
    ['a plan with nothing in it', PLAN, ' \n', 'PLAN_INVALID', 'specs/auth_plan.md is empty.'],
    ['tasks without risk', TASKS, '[{"id": 1, "description": "x", "files": []}]', 'PLAN_INVALID', '[0].risk'],
    [
      'tasks with a file outside',
      TASKS,
      [{ ...GOOD_TASKS[0], files: ['../x'] }] as Json,
      'PLAN_INVALID',
      'leaves the folder',
    ],
    ['no text', PLAN, { a: 1 }, 'OUTPUT_INVALID', 'must be text'],
    ['a path that leaves', { ...PLAN, path: '../plan.md' }, 'x', 'OUTPUT_OUTSIDE', 'leaves the folder'],
    ['an absolute path', { ...PLAN, path: '/tmp/plan.md' }, 'x', 'OUTPUT_OUTSIDE', 'absolute'],
    ['a path through a link', { ...PLAN, path: 'out/plan.md' }, 'x', 'OUTPUT_OUTSIDE', 'link'],
    ['a path of git', { ...PLAN, path: '.git/hooks/pre-commit' }, 'x', 'OUTPUT_OUTSIDE', 'must not be changed'],
    ['a folder', { ...PLAN, path: 'src' }, 'x', 'OUTPUT_INVALID', 'folder'],
    [
      'files that are not there',
      PAGES,
      ['pages/a.ts', 'pages/none.ts'],
      'OUTPUT_MISSING',
      'pages/none.ts does not exist',
    ],
    ['files beside the pattern', PAGES, 'pages/a.ts\nsrc/b.ts', 'OUTPUT_INVALID', 'src/b.ts does not fit pages/*'],
    ['a file outside', PAGES, ['../a.ts'], 'OUTPUT_OUTSIDE', 'leaves the folder'],
    ['no files', PAGES, [], 'OUTPUT_MISSING', 'names no file'],
    ['a list of numbers', CHANGED, [1], 'OUTPUT_INVALID', 'list of paths'],
    ['what did not change', CHANGED, ['src/b.ts'], 'OUTPUT_MISSING', 'src/b.ts was declared as changed'],
  ])('%s is sent back with the mistake, and nothing is written', async ([, owed, content, code, reason]) => {
    const { facts, results, offered } = await deliver([owed], {
      role: { mode: 'read' },
      files: { 'pages/a.ts': '', 'src/b.ts': '' },
      prepare: (folder) => symlinkSync('/tmp', join(folder, 'out')),
      uses: [{ name: owed.name, content }],
    });
    expect(facts.filter(({ kind }) => kind === 'output.handed')).toEqual([]);
    const tool = facts.find((fact) => fact.kind === 'tool.finished');
    expect(tool).toMatchObject({ isError: true, refused: code });
    expect(results[0]).toContain(reason);
    expect(results[0]).toContain('Correct it and hand it in again.');
    expect(offered[1]?.names).toEqual([owed.name]);
  });

  test('an unknown name is refused with a list of those that exist', async () => {
    const { results } = await deliver([PLAN, REPORT], { uses: [{ name: 'pln', content: 'x' }] });
    expect(results[0]).toContain('"plan"|"report"');
  });

  test('an output can be submitted again: the last one counts', async () => {
    const { facts, results, folder } = await deliver([PLAN, REPORT], {
      uses: [
        { name: 'plan', content: 'first' },
        { name: 'plan', content: 'second' },
      ],
    });
    expect(results[1]).toContain('replaced specs/auth_plan.md');
    expect(readFileSync(join(folder, 'specs/auth_plan.md'), 'utf8')).toBe('second');
    expect(facts.filter(({ kind }) => kind === 'output.handed')).toHaveLength(2);
  });

  test('JSON that is given as such is written as its text', async () => {
    const { folder } = await deliver([REPORT], { uses: [{ name: 'report', content: { tests_failed: 2 } }] });
    expect(readFileSync(join(folder, 'outputs/report.json'), 'utf8')).toBe('{\n  "tests_failed": 2\n}\n');
  });

  test.for<[string, Json]>([
    ['a list', ['./src/b.ts', 'src/new.ts', 'gone.ts']],
    ['lines', ' src/b.ts\n\nsrc/new.ts \ngone.ts\n'],
    ['the JSON of a list', '["src/b.ts", "src/new.ts", "gone.ts"]'],
  ])('files that were made, changed and deleted are declared by %s', async ([, content]) => {
    const { facts } = await deliver([CHANGED], {
      files: { 'src/b.ts': 'old', 'gone.ts': '' },
      first: [
        ['write_file', { path: 'src/b.ts', content: 'new' }],
        ['write_file', { path: 'src/new.ts', content: 'new' }],
      ],
      prepare: (folder) => rmSync(join(folder, 'gone.ts')),
      uses: [{ name: 'artifacts', content }],
    });
    expect(facts.find(({ kind }) => kind === 'output.handed')).toMatchObject({
      paths: ['src/b.ts', 'src/new.ts', 'gone.ts'],
    });
  });
});

describe('[PH5] report_progress', () => {
  const progress = { progress: 0.45, message: 'Analyzing\n codebase' };

  test('is the agent’s own report, and a status message', async () => {
    const { facts, run } = await deliver([PLAN], { role: { mode: 'read' }, first: [['report_progress', progress]] });
    const message = 'Analyzing codebase';
    const said = facts.filter(({ kind }) => kind === 'progress.noted' || kind === 'bus.sent');
    // The first is the phase's command.
    expect(said.slice(1)).toEqual([
      { kind: 'progress.noted', task: 't2', agent: 'planner', progress: 0.45, message },
      {
        kind: 'bus.sent',
        task: 't2',
        message: {
          id: `${run}/t2/c1`,
          type: 'status',
          sender: 'planner',
          receiver: 'orchestrator',
          payload: { status: 'in_progress', progress: 0.45, message },
          correlationId: `${run}/plan`,
        },
      },
    ]);
  });

  test.for<[string, JsonObject]>([
    ['more than all', { progress: 1.2, message: 'x' }],
    ['less than nothing', { progress: -0.1, message: 'x' }],
    ['no number', { progress: '50 %', message: 'x' }],
    ['no message', { progress: 0.5 }],
  ])('%s is refused', async ([, input]) => {
    const { facts, results } = await deliver([PLAN], { first: [['report_progress', input]] });
    expect(results[0]).toContain('The arguments do not fit');
    expect(facts.filter(({ kind }) => kind === 'progress.noted')).toEqual([]);
  });

  test('a role that is a type of agent has it in every turn', async () => {
    const { facts } = await deliver(null, { role: { reportsProgress: true }, first: [['report_progress', progress]] });
    expect(facts.filter(({ kind }) => kind === 'progress.noted')).toHaveLength(1);
  });
});

interface Delivery {
  readonly role?: Partial<Role>;
  readonly files?: Readonly<Record<string, string>>;
  /** Before the first call. */
  readonly prepare?: (folder: string) => void;
  readonly first?: readonly (readonly [string, JsonObject])[];
  readonly uses?: readonly JsonObject[];
}

/** A phase begins, then its agent uses tools, one a call. */
async function deliver(outputs: readonly OwedOutput[] | null, delivery: Delivery) {
  const { files = {}, uses = [], first = [] } = delivery;
  const { project, home } = testProject(files);
  const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
  const journal = createMemoryJournal();
  const calls = [...first, ...uses.map((input) => ['submit_output', input] as const)];
  const answer = ({ call }: CallRequest) => {
    if (call === 1) delivery.prepare?.(folder);
    const [name, input] = calls[call - 1] ?? [];
    return name === undefined ? says('done') : says('', [{ id: `c${call}`, name, arguments: input ?? {} }]);
  };
  const world = testWorld({ journal, answer, tools: allTools, workspaces });
  const host = createEmbeddedHost(world);
  onTestFinished(async () => {
    await host.shutdown();
    await workspaces.close();
  });
  const run = world.newRunId();
  const folder = workspaces.folderOf(run, 'main');
  await host.start({ definition: phase(outputs, delivery), input: {}, project, run });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const facts = (await journal.read(run)).map(({ fact }): Fact => fact);
  const results = facts.flatMap((fact) => (fact.kind === 'tool.finished' ? [fact.content] : []));
  return { run, facts, folder, results, offered: world.calls.map(offeredIn) };
}

function phase(outputs: readonly OwedOutput[] | null, { role = {} }: Delivery) {
  const begin = { phase: 'planning', agent: 'planner', type: 'planning', inputs: {}, needs: [], handoff: null };
  const list = `${JSON.stringify(outputs ?? [])}.map((one) => ({ ...one, since: common_data.began.since }))`;
  const owed = outputs === null ? {} : { outputs: expression(list) };
  return build({
    name: 'feature/planning',
    roles: { planner: role },
    states: [
      work('begin', { kind: 'compute', program: 'step.begin', input: expression(JSON.stringify(begin)) }, [
        to('plan', { assign: 'this.common_data.began = result' }),
      ]),
      work('plan', { ...turn('planner', "'go'"), ...owed }, [to('stop')]),
      end('stop'),
    ],
  });
}

function offeredIn({ tools }: CallRequest) {
  const submit = tools.find(({ name }) => name === 'submit_output')?.parameters as
    | { readonly properties: { readonly name: { readonly enum: readonly string[] } } }
    | undefined;
  return { tools: tools.map(({ name }) => name), names: submit?.properties.name.enum };
}
