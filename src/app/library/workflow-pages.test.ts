import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Definition } from '../../core/model/definition.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { workflowPages } from './workflow-pages.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function project(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-pages-'));
  folders.push(folder);
  for (const [name, text] of Object.entries({ '.troupe/config.yaml': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const environment = { HOME: folder, XDG_CONFIG_HOME: folder, TROUPE_HOME: join(folder, 'home') };
  return { folder, pages: workflowPages({ environment, folder, secrets: new KnownSecrets() }) };
}

const GOOD = `
workflow_name: good
description: Does one thing
inputs:
  - { name: task, type: string, description: What to do }
  - { name: tries, type: number, description: How often, required: false }
  - { name: isQuick, type: boolean, description: Hurry, required: false }
variables: { tries: 3 }
contexts: [{ name: work }]
agents: [{ agent_role: coder, context: work, role: assistant }]
states:
  - name: start
    agent: coder
    input: common_data.task
    transition: [{ target: stop }]
`;

test('[U9] a workflow page has the form, the text, the agents and their prompts', async () => {
  const { folder, pages } = project({
    '.troupe/workflows/good.yaml': GOOD,
    '.troupe/roles/coder.md': 'You write code.\n',
  });
  const { page, definition } = await pages.workflow('good', folder);
  expect(page.problems).toEqual([]);
  expect(page).toMatchObject({
    name: 'good',
    origin: 'project',
    text: GOOD,
    inputs: [
      { name: 'task', isRequired: true, default: null, isLong: true, choices: [] },
      { name: 'tries', isRequired: false, default: '3', isLong: false },
      { name: 'isQuick', choices: ['true', 'false'] },
    ],
    roles: [{ name: 'coder', prompt: 'You write code.', file: join(folder, '.troupe/roles/coder.md') }],
  });
  expect(definition?.workflow.name).toBe('good');
  const listed = await pages.workflows(folder);
  expect(listed.find(({ name }) => name === 'good')).toMatchObject({
    origin: 'project',
    inputs: [{ name: 'task' }, {}, {}],
  });
  expect(listed.some(({ name, origin }) => name === 'research' && origin === 'shipped')).toBe(true);
  expect(listed.filter(({ name }) => ['attempt', 'ballot', 'map_item', 'relay_leg'].includes(name))).toEqual([]);
});

test('[U9] a file with an error has its problems at their places, and is drawn as far as it can be read', async () => {
  const { folder, pages } = project({ '.troupe/workflows/good.yaml': GOOD.replace('target: stop', 'target: nowhere') });
  for (const name of ['good', '.troupe/workflows/good.yaml']) {
    const { page, definition } = await pages.workflow(name, folder);
    expect(page.problems).toContainEqual(
      expect.objectContaining({ severity: 'error', line: 15, state: 'start', file: '.troupe/workflows/good.yaml' }),
    );
    expect(definition?.workflow.states).toHaveProperty('start');
  }
});

test('[U9] of a file that is no YAML there is its text, what is wrong, and no drawing', async () => {
  const { folder, pages } = project({ '.troupe/workflows/good.yaml': 'workflow_name: good\nstates: [a, {' });
  const { page, definition } = await pages.workflow('good', folder);
  expect(definition).toBeNull();
  expect(page).toMatchObject({ name: 'good', text: 'workflow_name: good\nstates: [a, {', workflow: null, roles: [] });
  expect(page.problems[0]).toMatchObject({ severity: 'error', state: null });
});

test('[U9] code is not run to look at it', async () => {
  const ran = "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.HOME + '/ran', 'x');\n";
  const { folder, pages } = project({ '.troupe/workflows/mine.ts': ran, 'flow.ts': ran });
  for (const [name, code] of [
    ['.troupe/workflows/mine.ts', 'PROJECT_UNTRUSTED'],
    ['flow.ts', 'MODULE_UNREAD'],
  ] as const) {
    const { page, definition } = await pages.workflow(name, folder);
    expect(page).toMatchObject({ text: ran, problems: [{ code }] });
    expect(definition).toBeNull();
    expect(await pages.check({ file: name }, folder)).toMatchObject({ ok: false, problems: [{ code }] });
  }
});

test('[U9] no other file of the machine is shown, not by a link either', async () => {
  const { folder, pages } = project({});
  const other = project({ 'secret.json': '{"key": "s3cret"}' }).folder;
  symlinkSync(join(other, 'secret.json'), join(folder, 'link.json'));
  writeFileSync(join(other, 'secret'), 's3cret');
  writeFileSync(join(folder, 'key'), 's3cret');
  const tried = [join(other, 'secret.json'), 'link.json', '../secret.json', 'none.yaml', 'nobody'];
  const endless = [join(other, 'secret'), `${join(other, 'secret')}#x`, './key', 'key#x', '/etc/passwd', '.', '/'];
  for (const name of [...tried, ...endless]) {
    await expect(pages.workflow(name, folder)).rejects.toMatchObject({ code: 'WORKFLOW_UNKNOWN' });
    await expect(pages.check({ file: name }, folder)).rejects.toMatchObject({ code: 'WORKFLOW_UNKNOWN' });
  }
});

test('[U9] a text is checked as if it were a file of the project', async () => {
  const { folder, pages } = project({ '.troupe/roles/coder.md': 'You write code.\n' });
  expect(await pages.check({ text: GOOD }, folder)).toEqual({
    kind: 'check',
    ok: true,
    workflows: ['good'],
    problems: [],
  });
  const { ok, problems } = await pages.check({ text: GOOD.replaceAll('coder', 'codr') }, folder);
  expect(ok).toBe(false);
  expect(problems).toContainEqual(expect.objectContaining({ code: 'ROLE_UNKNOWN', line: 10, file: null }));
  expect(JSON.stringify(problems)).not.toContain('troupe-check-');
});

const PHASES = `
name: feature
inputs: { depth: { description: How deep, default: 2 } }
phases:
  - { id: plan, agent_type: planning, input: x, output: { plan: plan.md } }
  - { id: build, agent_type: execution, depends_on: [plan], input: x, output: { artifacts: [] } }
`;

/** A definition as another process left it in the journal. */
const kept = (definition: Definition | null): Definition => JSON.parse(JSON.stringify(definition)) as Definition;

test('[U9] a run of phases is drawn as its file says, and by its definition when the file says something else', async () => {
  const { folder, pages } = project({ '.troupe/workflows/feature.yaml': PHASES });
  const { page, definition } = await pages.workflow('feature', folder);
  expect(page.inputs.find(({ name }) => name === 'depth')).toMatchObject({ default: '2', isRequired: false });
  const old = kept(definition);
  const drawing = await pages.drawing(old.workflow, old, folder);
  expect(drawing.workflow).toBe(old.workflow);
  expect(drawing.units['build']).toMatchObject({ what: 'execution' });
  writeFileSync(join(folder, '.troupe/workflows/feature.yaml'), PHASES.replaceAll('build', 'make'));
  expect((await pages.drawing(old.workflow, old, folder)).units['build']).toMatchObject({ what: 'execution' });
  expect((await pages.drawing(old.workflow, old, folder)).units).not.toHaveProperty('make');
});

test('[U9] a run of stages is drawn from stage to stage, in whichever process it began', async () => {
  const { folder, pages } = project({});
  const { definition } = await pages.workflow('research', folder);
  const old = kept(definition);
  const drawing = await pages.drawing(old.workflow, old, folder);
  expect(Object.keys(drawing.workflow.states)).toContain('deep_dive');
  expect(Object.keys(drawing.workflow.states)).not.toContain('route');
});
