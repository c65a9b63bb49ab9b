import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { calls, findings, review } from '../stages/stage-bench.ts';
import { DOCUMENT_ALONE } from '../stages/modules.ts';
import { configFor } from './projects.ts';
import { createSandbox, jsonLines, root, type Running, type Sandbox } from './sandbox.ts';

const MODEL = 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n';

const project = (rules: readonly object[], files: Readonly<Record<string, string>> = {}): Sandbox =>
  createSandbox({ '.troupe/config.yaml': MODEL, 'answers.yaml': JSON.stringify({ rules }), ...files });

const artifact = (kind: string, path: string, content = kind): object => ({
  steps: [
    calls('write_file', { path, content: `${content}\n` }),
    calls('submit_artifact', { kind, files: [path], summary: `the ${kind}` }),
  ],
});

const DEVELOPMENT: readonly object[] = [
  { when: { agent: 'architect' }, reply: calls('submit_design', { title: 'Greeter', body: 'One function.' }) },
  { when: { state: 'design_review', visit: 1 }, reply: review('NEEDS_REVISION') },
  { when: { state: 'design_review' }, reply: review('APPROVED') },
  { when: { state: 'code_review', visit: [1, 2] }, reply: review('NEEDS_REVISION') },
  { when: { state: 'code_review' }, reply: review('APPROVED') },
  { when: { state: 'documentation' }, ...artifact('documentation', 'docs/greet.md') },
  { when: { state: 'code_revision', visit: 1 }, ...artifact('code', 'src/greet.js', 'code, revised') },
  { when: { state: 'code_revision' }, ...artifact('code', 'src/greet.js', 'code, revised twice') },
  { when: { agent: 'developer' }, ...artifact('code', 'src/greet.js') },
];

/** The stages that were played, from the lines of `--json`. */
const stagesIn = (stdout: string): readonly string[] =>
  jsonLines(stdout).flatMap(({ kind, state }) =>
    kind === 'state.entered' && typeof state === 'string' && !/^route$|\//.test(state) ? [state] : [],
  );

describe('[ST1] troupe start', () => {
  test('development goes through a rejected design and two rejected reviews to documented code in the project', async () => {
    const sandbox = project(DEVELOPMENT);
    const result = await sandbox.troupe(['start', 'development', 'Greet people', '--apply', '--json']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(jsonLines(result.stdout).at(-1)).toMatchObject({
      outcome: 'ok',
      output: { success: true, artifacts: ['src/greet.js', 'docs/greet.md'] },
    });
    expect(stagesIn(result.stdout).join(' ')).toBe(
      'architecture design_review design_revision design_review implementation code_review code_revision code_review code_revision code_review documentation done',
    );
    expect(sandbox.read('src/greet.js')).toBe('code, revised twice\n');
    expect(sandbox.read('docs/greet.md')).toBe('documentation\n');
  });

  test('research ends partial with 1 after two deep dives, and with 0 when that is allowed', async () => {
    const sandbox = project([
      { when: { agent: 'reviewer' }, reply: review('NEEDS_REVISION') },
      { when: { agent: 'researcher' }, reply: findings('perhaps') },
    ]);
    const result = await sandbox.troupe(['start', 'research', 'Is it so?']);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('partial: true\n');
    expect(result.stdout).not.toContain('{');
    expect(result.stderr).toContain('MAX_ITERATIONS');
    expect((await sandbox.troupe(['start', 'research', 'Is it so?', '--allow-partial'])).code).toBe(0);
    expect((await sandbox.troupe(['run', 'research', 'Is it so?'])).code).toBe(1);
  });

  test('architecture asks, the answer is given by another process, and it goes on', async () => {
    const sandbox = project([
      {
        when: { state: 'requirements', contains: 'ten' },
        reply: calls('submit_task', { subject: 'Small', body: 'Ten.' }),
      },
      { when: { state: 'requirements' }, reply: calls('ask_question', { question: 'How many users?' }) },
      { when: { state: 'decision' }, reply: calls('submit_task', { subject: 'One', body: 'One.', planNeeded: false }) },
      { when: { agent: 'researcher' }, reply: findings('one is enough') },
      { when: { agent: 'reviewer' }, reply: review('APPROVED') },
      { when: { agent: 'architect' }, reply: calls('submit_design', { title: 'One', body: 'One process.' }) },
    ]);
    const asked = await sandbox.troupe(['start', 'architecture', 'A chat']);
    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('How many users?') });
    const answered = await sandbox.troupe(['answer', 'last', 'ten', '--json']);
    expect(answered.code).toBe(0);
    expect(jsonLines(answered.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: { success: true } });
  });

  test('other workflows are refused with how to run them, and unknown ones with what was meant', async () => {
    const sandbox = project([]);
    const other = await sandbox.troupe(['start', 'coder_reviewer', 'Do it']);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('troupe run coder_reviewer') });
    const unknown = await sandbox.troupe(['start', 'reserch', 'Do it']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('research') });
    const empty = await sandbox.troupe(['start', 'research', ' ']);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('empty') });
    const nothing = await sandbox.troupe(['start', 'research']);
    expect(nothing.code).toBe(2);
  });

  test('they are listed, drawn and completed', async () => {
    const sandbox = project([]);
    const { items: listed } = JSON.parse((await sandbox.troupe(['workflows', '--json'])).stdout) as {
      readonly items: readonly { readonly name: string }[];
    };
    expect(listed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['research', 'development', 'architecture', 'architect']),
    );
    const drawn = await sandbox.troupe(['graph', 'development']);
    expect(drawn.stdout).toContain('design_revision');
    const completed = await sandbox.troupe(['complete', '--', 'start', 'dev']);
    expect(completed.stdout).toContain('development');
  });

  test('[ST4] a folder of the project with a CLAUDE.md is the role, with the tools of its stages', async () => {
    const sandbox = project(
      [
        { when: { agent: 'reviewer' }, reply: review('APPROVED') },
        { when: { agent: 'researcher' }, reply: findings('so') },
      ],
      { '.troupe/roles/researcher/CLAUDE.md': 'You look things up in the big book.\n' },
    );
    const result = await sandbox.troupe(['start', 'research', 'Is it so?', '--json']);
    expect(result.code).toBe(0);
    const shown = await sandbox.troupe(['prompt', 'show', 'researcher']);
    expect(shown.stdout).toContain('the big book');
  });

  test('[U4] the same with models behind an API', async () => {
    const parsed = parseScenario({ rules: DEVELOPMENT });
    if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
    const server = await startScriptedServer({ scenario: parsed.scenario });
    try {
      const sandbox = createSandbox({ '.troupe/config.yaml': configFor(server.url) });
      const result = await sandbox.troupe(['start', 'development', 'Greet people', '--json']);
      expect(jsonLines(result.stdout).at(-1)).toMatchObject({
        outcome: 'ok',
        output: { artifacts: ['src/greet.js', 'docs/greet.md'] },
      });
      expect(stagesIn(result.stdout)).toHaveLength(12);
      expect(server.requests.length).toBe(15);
    } finally {
      await server.close();
    }
  });
});

const OWN = `import { appendFileSync } from 'node:fs';
import {
  createTaskMessage, hasCompleted, routeByRules, type Workflow, type WorkflowDefinition,
} from 'troupe/stages';
import { LOG } from './log-place.ts';

const definition: WorkflowDefinition = {
  name: 'pair',
  description: 'One makes a plan, the other does it',
  version: '1.0.0',
  agents: ['planner', 'doer'],
  stages: [
    { name: 'plan', agent: 'planner', description: 'Plan it.', outputType: 'task' },
    { name: 'act', agent: 'doer', description: 'Do it.', outputType: 'task' },
  ],
  entryStage: 'plan',
  completionStage: 'act',
  config: { failureStrategy: 'abort' },
};
const route = routeByRules([
  { from: 'planner', messageType: 'task', routeTo: 'doer', updateStage: 'act' },
  { from: 'doer', messageType: 'task', routeTo: 'orchestrator', updateStage: 'complete' },
]);
const note = (words: string): void => appendFileSync(LOG, words + '\\n');

export const pairWorkflow: Workflow = {
  definition,
  getRoles: () => definition.agents,
  createInitialTask: (goal) => { note('createInitialTask'); return createTaskMessage('planner', 'Go', goal); },
  routeMessage: (from, message, state) => { note('routeMessage ' + from + ' WORD'); return route(from, message, state); },
  isComplete: (state) => hasCompleted(state, 'act'),
  getNextStage: () => null,
  onStageComplete: (stage) => note('onStageComplete ' + stage),
  synthesizeResult: (state) => ({ success: true, summary: 'WORD ' + [...state.iterationCounts.keys()].join(), artifacts: [] }),
};
`;

const PAIR_ROLES = { planner: { systemMessage: 'You plan.' }, doer: { systemMessage: 'You act.' } };

function ownProject(rules: readonly object[]): Sandbox {
  const sandbox = project(rules, {
    '.troupe/roles/roles.json': JSON.stringify(PAIR_ROLES),
    'flows/pair.ts': OWN.replaceAll('WORD', 'old'),
  });
  sandbox.write('flows/log-place.ts', `export const LOG = ${JSON.stringify(join(sandbox.home, '..', 'log'))};\n`);
  return sandbox;
}

const logOf = ({ home }: Sandbox): readonly string[] =>
  readFileSync(join(home, '..', 'log'), 'utf8')
    .trim()
    .split('\n');

async function untilState(running: Running, state: string): Promise<string> {
  for (;;) {
    const { value, done } = await running.lines.next();
    if (done === true) throw new Error(`The program ended before ${state}.`);
    const line = JSON.parse(value) as Readonly<Record<string, unknown>>;
    if (line['kind'] === 'task.started' && line['state'] === state) return String(line['run']);
  }
}

const submit = (body: string): object => calls('submit_task', { subject: 'Done', body });
const HANGING: readonly object[] = [
  { when: { agent: 'planner' }, reply: submit('the plan') },
  { when: { agent: 'doer' }, reply: { hang: true } },
];
const ANSWERING: readonly object[] = [{ when: { agent: 'doer' }, reply: submit('done') }];

describe('[ST2] your own workflows', () => {
  test('[U4] the example blog_post.ts runs without a key', async () => {
    const sandbox = createSandbox();
    cpSync(join(root, 'examples'), sandbox.project, { recursive: true });
    const result = await sandbox.troupe(['start', 'blog_post.ts', 'How to sharpen a knife', '--json']);
    expect(jsonLines(result.stdout).at(-1)).toMatchObject({
      outcome: 'ok',
      output: { summary: expect.stringContaining('fifteen degrees') },
    });
    expect(stagesIn(result.stdout)).toEqual(['draft', 'edit', 'draft', 'edit', 'done']);
  });

  test('[U4] the workflow of the guide runs in a project that init made, with the two roles it names', async () => {
    const sandbox = createSandbox();
    await sandbox.troupe(['init']);
    const guide = readFileSync(join(root, 'docs/guide/stages.md'), 'utf8');
    const source = /```ts\n(import \{ createTaskMessage[\s\S]*?)```/.exec(guide)?.[1] ?? '';
    writeFileSync(join(sandbox.project, 'blog_post.ts'), source);
    const bad = await sandbox.troupe(['check', 'blog_post.ts']);
    expect(bad.stdout).toContain('To make the role, say what it does in .troupe/roles/editor.md.');
    for (const role of ['author', 'editor']) {
      writeFileSync(join(sandbox.project, '.troupe/roles', `${role}.md`), `You are the ${role}.\n`);
    }
    const good = await sandbox.troupe(['check', 'blog_post.ts', 'research']);
    expect(good).toMatchObject({ code: 0, stdout: 'blog_post.ts: ok (blog-post)\nresearch: ok (research)\n' });
    const design = { title: 'Knives', body: 'Fifteen degrees.' };
    const rules = [
      { when: { agent: 'author' }, reply: calls('submit_design', design) },
      { when: { agent: 'editor' }, reply: review('APPROVED') },
    ];
    sandbox.write('.troupe/answers.yaml', JSON.stringify({ rules }));
    const ran = await sandbox.troupe(['start', './blog_post.ts', 'How to sharpen a knife', '--json']);
    expect(jsonLines(ran.stdout).at(-1)).toMatchObject({ outcome: 'ok' });
    expect(stagesIn(ran.stdout)).toEqual(['draft', 'edit', 'done']);
  });

  test('one in a module that is not trusted yet is listed as there', async () => {
    const sandbox = createSandbox({ '.troupe/workflows/letters.mjs': DOCUMENT_ALONE });
    const refused = await sandbox.troupe(['start', 'newsletter', 'x']);
    expect(refused.stderr).toContain('PROJECT_UNTRUSTED');
    expect(refused.stderr).toContain('.troupe/workflows/letters.mjs');
    expect(refused.stderr).toContain('troupe trust');
  });

  test('one that is written against the document alone is checked, drawn and run', async () => {
    const sandbox = project(
      [
        {
          when: { agent: 'writer' },
          ...artifact('documentation', 'column.md'),
        },
        { when: { agent: 'critic' }, reply: review('APPROVED') },
        { when: { agent: 'editor' }, reply: calls('report_status', { status: 'complete', summary: 'printed' }) },
      ],
      {
        'newsletter.mjs': DOCUMENT_ALONE,
        'roles/writer/CLAUDE.md': 'You write.\n',
        'roles/critic/AGENTS.md': 'You judge.\n',
        'roles/editor/ROLE.md': 'You print.\n',
      },
    );
    expect(await sandbox.troupe(['check', 'newsletter.mjs'])).toMatchObject({
      code: 0,
      stdout: 'newsletter.mjs: ok (newsletter)\n',
    });
    const result = await sandbox.troupe(['start', './newsletter.mjs', 'A column']);
    expect(result.stderr).toContain('✓ ok after');
    expect(result.stdout).toMatch(/^summary: .*writer, critic, editor/m);
  });

  test('all errors of one are reported, with codes', async () => {
    const bad = DOCUMENT_ALONE.replace("entryStage: 'draft'", "entryStage: 'draught'")
      .replace('maxDuration: 60000', 'maxDuration: 0')
      .replace("agent: 'critic'", "agent: 'cynic'");
    const sandbox = project([], { 'newsletter.mjs': bad });
    const { code, stdout } = await sandbox.troupe(['check', 'newsletter.mjs']);
    expect(code).toBe(2);
    for (const problem of ['UNKNOWN_STAGE', 'DURATION_INVALID', 'UNKNOWN_ROLE']) expect(stdout).toContain(problem);
    expect(await sandbox.troupe(['start', 'newsletter.mjs', 'A column'])).toMatchObject({ code: 2 });
  });

  test('[L6] killed with -9 between stages it goes on, and no function is called again for what is journaled', async () => {
    const sandbox = ownProject(HANGING);
    const running = sandbox.start(['start', 'flows/pair.ts', 'Go', '--json']);
    const run = await untilState(running, 'act');
    running.child.kill('SIGKILL');
    await running.ended;
    const before = ['createInitialTask', 'routeMessage planner old', 'onStageComplete plan'];
    expect(logOf(sandbox)).toEqual(before);
    sandbox.write('answers.yaml', JSON.stringify({ rules: ANSWERING }));
    const resumed = await sandbox.troupe(['resume', run, '--json']);
    expect(resumed.code).toBe(0);
    expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: { summary: 'old plan,act' } });
    expect(logOf(sandbox)).toEqual([...before, 'routeMessage doer old', 'onStageComplete act']);
  });

  test.for([
    ['the code it began with', [], 'old'],
    ['the new one on request', ['--definition', 'new'], 'new'],
  ] as const)('[ST5] a run whose file has changed goes on with %s', async ([, words, word]) => {
    const sandbox = ownProject(HANGING);
    const running = sandbox.start(['start', 'flows/pair.ts', 'Go', '--json']);
    const run = await untilState(running, 'act');
    running.child.kill('SIGKILL');
    await running.ended;
    writeFileSync(join(sandbox.project, 'flows/pair.ts'), OWN.replaceAll('WORD', 'new'));
    sandbox.write('answers.yaml', JSON.stringify({ rules: ANSWERING }));
    const resumed = await sandbox.troupe(['resume', run, '--json', ...words]);
    expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: { summary: `${word} plan,act` } });
    expect(logOf(sandbox)).toContain(`routeMessage doer ${word}`);
    expect(resumed.stdout).toContain('DEFINITION_CHANGED');
    expect(existsSync(join(sandbox.home, 'runs', run, 'modules'))).toBe(true);
  });

  test('[U3] a module of the project is found by name once the project is trusted', async () => {
    const sandbox = ownProject([{ when: { agent: 'planner' }, reply: submit('the plan') }, ...ANSWERING]);
    sandbox.write('.troupe/workflows/pair.ts', OWN.replaceAll('WORD', 'old').replace('./log', '../../flows/log'));
    expect(await sandbox.troupe(['start', 'pair', 'Go'])).toMatchObject({ code: 2 });
    await sandbox.troupe(['trust', '--yes']);
    const result = await sandbox.troupe(['start', 'pair', 'Go', '--json']);
    expect(jsonLines(result.stdout).at(-1)).toMatchObject({ outcome: 'ok' });
  });
});
