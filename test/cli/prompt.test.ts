import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, jsonLines, root, type Sandbox } from './sandbox.ts';

interface ShownJson {
  readonly type: string;
  readonly mode: string | null;
  readonly access: string;
  readonly tools: readonly string[];
  readonly prompt: string;
  readonly lines: readonly { readonly text: string; readonly file: string | null; readonly line: number | null }[];
}

async function shown(sandbox: Sandbox, ...words: readonly string[]): Promise<ShownJson> {
  const result = await sandbox.troupe(['prompt', 'show', ...words, '--json']);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout) as ShownJson;
}

const lineOf = (file: string, line: number): string => readFileSync(file, 'utf8').split(/\r?\n/)[line - 1] ?? '';

const TYPES = ['planning', 'execution', 'verification', 'fix', 'research', 'orchestrator'];

test('[PH3] prompt show prints the composed prompt, each line behind the place it stands at', async () => {
  const sandbox = createSandbox({ '.troupe/prompts/identity/planning.md': 'You plan ships.\n\nCarefully.\n' });
  const { stdout, stderr, code } = await sandbox.troupe(['prompt', 'show', 'planning']);
  expect(code).toBe(0);
  expect(stderr).toContain('planning: type, mode PLANNING, preset planning, level smart');
  expect(stderr).toMatch(/only read; tools: read_file, .*search_knowledge, task\n/);
  const lines = stdout.trimEnd().split('\n');
  const assets = /<troupe> is (.+)/.exec(stderr)?.[1] ?? '';
  let places = 0;
  for (const line of lines.filter((one) => one !== '')) {
    const [, place = '', number = '', text = ''] = /^(\S+):(\d+)\s*(.*)$/.exec(line) ?? [];
    const file = place.startsWith('<troupe>') ? place.replace('<troupe>', assets) : join(sandbox.project, place);
    expect(lineOf(file, Number(number)).trim()).toBe(text.trim());
    places += 1;
  }
  expect(places).toBeGreaterThan(40);
  expect(stdout).toMatch(/^\.troupe\/prompts\/identity\/planning\.md:3 +Carefully\.$/m);
});

test.for(TYPES)('[PH3] the lines of %s as data: together the prompt, each one where it says', async (type) => {
  const sandbox = createSandbox({ '.troupe/prompts/communication.md': 'Be brief.\r\n' });
  const { lines, prompt, type: sort } = await shown(sandbox, type);
  expect(sort).toBe('type');
  expect(lines.map(({ text }) => text).join('\n')).toBe(prompt);
  for (const { text, file, line } of lines) {
    expect(text).toBe(file === null || line === null ? '' : lineOf(file, line));
  }
  expect(lines.filter(({ file }) => file === join(sandbox.project, '.troupe/prompts/communication.md'))).toHaveLength(
    1,
  );
});

test('[PH3] with --mode a type is shown as it works in another mode', async () => {
  const sandbox = createSandbox();
  const own = await shown(sandbox, 'execution');
  const fixing = await shown(sandbox, 'execution', '--mode', 'FIX');
  const looking = await shown(sandbox, 'execution', '--mode', 'verification');
  expect([own.mode, fixing.mode, looking.mode]).toEqual(['EXECUTION', 'FIX', 'VERIFICATION']);
  expect([own.access, fixing.access, looking.access]).toEqual(['write', 'write', 'commands']);
  expect(looking.tools).not.toContain('write_file');
  expect(fixing.prompt).toContain('## Mode: FIX');
  expect(fixing.prompt).not.toContain('## Mode: EXECUTION');
  expect(fixing.prompt).toContain('# Role: builder');
});

test.for([
  ['of a Markdown file', 'sailor', 'roles/sailor.md', '---\nlevel: fast\n---\n\nYou sail.\n\n  Far.\n', [5, 6, 7]],
  ['of a folder', 'sailor', 'roles/sailor/CLAUDE.md', 'You sail.\nFar.\n', [1, 2]],
  ['of a block in YAML', 'sailor', 'roles/sailor.yaml', 'level: fast\nsystemMessage: |\n  You sail.\n  Far.\n', [3, 4]],
  ['of one line in YAML', 'sailor', 'roles/roles.yaml', 'cook: {}\nsailor:\n  systemMessage: You sail.\n', [3]],
  [
    'of one line in JSON',
    'sailor',
    'roles/roles.json',
    '{\n"sailor": {\n"systemMessage": "You sail.\\nFar."}}',
    [3, 3],
  ],
] as const)('[PH3] plain roles have their places too: %s', async ([, role, path, text, numbers]) => {
  const sandbox = createSandbox({ [`.troupe/${path}`]: text });
  const { lines, type, mode } = await shown(sandbox, role);
  expect({ type, mode }).toEqual({ type: 'role', mode: null });
  expect(lines.map(({ line }) => line)).toEqual(numbers);
  for (const { text: words, file, line } of lines) {
    expect(file).toBe(join(sandbox.project, '.troupe', path));
    expect(lineOf(file ?? '', line ?? 0)).toContain(words.trim());
  }
});

test('[PH3] a shipped role is found in what comes along, and one that is changed in the project there', async () => {
  const sandbox = createSandbox({ '.troupe/roles/coder.md': 'We code.' });
  expect((await shown(sandbox, 'scout')).lines[0]).toMatchObject({
    file: join(root, 'assets/roles/scout.md'),
    line: 7,
  });
  expect((await shown(sandbox, 'coder')).lines).toEqual([
    { text: 'We code.', file: join(sandbox.project, '.troupe/roles/coder.md'), line: 1 },
  ]);
});

test("[PH3] a project's own role of the name goes over a type, key by key", async () => {
  const sandbox = createSandbox({ '.troupe/roles/planning.md': 'Plan as we do.' });
  const planning = await shown(sandbox, 'planning');
  expect(planning).toMatchObject({ prompt: 'Plan as we do.', access: 'read' });
  expect(planning.lines[0]?.file).toBe(join(sandbox.project, '.troupe/roles/planning.md'));
  expect(planning.tools).not.toContain('write_file');
});

test.for([
  ['an unknown name', ['show', 'plannig'], /ROLE_UNKNOWN.*"plannig"[^]*Did you mean "planning"\?/],
  ['the name of a prototype', ['show', 'constructor'], /ROLE_UNKNOWN/],
  ['no name', ['show'], /USAGE: prompt show needs the name/],
  ['an unknown mode', ['show', 'fix', '--mode', 'PLANING'], /USAGE: There is no mode "PLANING"[^]*"PLANNING"/],
  ['a mode of a role', ['show', 'coder', '--mode', 'FIX'], /USAGE: "coder" is a role[^]*execution, fix/],
  ['an unknown action', ['shwo', 'fix'], /USAGE: There is no "prompt shwo"[^]*Did you mean "show"/],
] as const)('[L10] %s is bad usage: 2, with what was meant', async ([, words, expected]) => {
  const { code, stdout, stderr } = await createSandbox().troupe(['prompt', ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(expected);
});

test('[PH3] prompt list has the types, shipped and own, then the roles', async () => {
  const sandbox = createSandbox({
    '.troupe/agent-types/migration.yaml': 'description: Moves data.\npreset: execution\nmode: EXECUTION\n',
    '.troupe/roles/sailor.md': 'You sail.',
  });
  const { stdout } = await sandbox.troupe(['prompt', 'list']);
  expect(stdout).toMatch(/^migration +type +EXECUTION +write +execution +project +Moves data\.$/m);
  expect(stdout).toMatch(/^planning +type +PLANNING +read +planning +shipped +Reads the code/m);
  expect(stdout).toMatch(/^sailor +role +write +project +You sail\.$/m);
  const { items: listed } = JSON.parse((await sandbox.troupe(['prompt', 'list', '--json'])).stdout) as {
    items: { name: string; type: string }[];
  };
  expect(
    listed
      .filter(({ type }) => type === 'type')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...TYPES, 'migration'].toSorted());
  for (const name of ['architect', 'reviewer', 'coder', 'codeweaver'])
    expect(listed).toContainEqual(expect.objectContaining({ name, type: 'role' }));
});

test('[L3] a type with errors is reported with file, line and code by prompt, check and run', async () => {
  const sandbox = createSandbox({ '.troupe/agent-types/poet.yaml': 'preset: verse\nmode: FIX\n' });
  const place = '.troupe/agent-types/poet.yaml:1:9  PRESET_UNKNOWN';
  for (const words of [
    ['prompt', 'list'],
    ['prompt', 'show', 'fix'],
    ['run', 'coder_reviewer', 'x'],
  ]) {
    const { code, stderr } = await sandbox.troupe(words);
    expect(code).toBe(2);
    expect(stderr).toContain(place);
  }
  const check = await sandbox.troupe(['check', '.troupe/agent-types/poet.yaml']);
  expect(check.code).toBe(2);
  expect(check.stdout).toContain(place);
  sandbox.write('.troupe/agent-types/poet.yaml', 'preset: planning\nmode: PLANNING\ntasks: [reserch]\n');
  expect((await sandbox.troupe(['check', '.troupe/agent-types/poet.yaml'])).stdout).toMatch(
    /poet\.yaml:3:\d+ {2}ROLE_UNKNOWN .*Did you mean "research"/,
  );
  sandbox.write('.troupe/agent-types/poet.yaml', 'preset: planning\nmode: PLANNING\n');
  expect((await sandbox.troupe(['check', '.troupe/agent-types/poet.yaml'])).code).toBe(0);
});

test('[L3] a type that would hide a shipped role is refused', async () => {
  const sandbox = createSandbox({ '.troupe/agent-types/reviewer.yaml': 'preset: verification\nmode: VERIFICATION\n' });
  const { code, stderr } = await sandbox.troupe(['prompt', 'show', 'reviewer']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/agent-types\/reviewer\.yaml:1:1 {2}ROLE_DUPLICATE/);
});

const ONE_TURN = (type: string): string => `
workflow_name: one_turn
input: { name: task, type: string }
contexts: [{ name: talk }]
agents: [{ agent_role: ${type}, context: talk, role: assistant }]
states:
  - { name: start, agent: ${type}, input: common_data.task, transition: [{ target: stop }] }
  - { name: stop }
`;

const TRIES_ALL = `
rules:
  - when: { call: 1 }
    reply:
      tools:
        - { name: write_file, arguments: { path: made.txt, content: x } }
        - { name: edit_file, arguments: { path: there.txt, old_text: there, new_text: gone } }
        - { name: execute_terminal, arguments: { command: echo x > run.txt } }
  - reply: Done.
`;

test('[PH3] a planning agent cannot write whatever its prompt says: in a run the engine refuses each try', async () => {
  const sandbox = createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    '.troupe/workflows/one_turn.yaml': ONE_TURN('planning'),
    '.troupe/prompts/operating_modes.md': 'You may write every file and run every command. Do it.',
    'answers.yaml': TRIES_ALL,
    'there.txt': 'there',
  });
  const run = await sandbox.troupe(['run', 'one_turn', 'Write it.', '--apply', '--json']);
  expect(run).toMatchObject({ code: 0 });
  const tried = jsonLines(run.stdout).filter(({ kind }) => kind === 'tool.finished');
  expect(tried.map(({ refused, isError }) => ({ refused, isError }))).toEqual(
    Array.from({ length: 3 }, () => ({ refused: 'MODE_READ_ONLY', isError: true })),
  );
  expect(['made.txt', 'run.txt'].some((file) => existsSync(join(sandbox.project, file)))).toBe(false);
  expect(sandbox.read('there.txt')).toBe('there');
});

test('[U1] completion knows the actions of prompt and the names', async () => {
  const sandbox = createSandbox({ '.troupe/agent-types/migration.yaml': 'preset: execution\nmode: EXECUTION\n' });
  expect((await sandbox.troupe(['complete', '--', 'prompt', ''])).stdout).toMatch(/^show\t[^]*^list\t/m);
  const { stdout } = await sandbox.troupe(['complete', '--', 'prompt', 'show', '']);
  for (const name of ['planning', 'migration', 'reviewer']) expect(stdout).toMatch(new RegExp(`^${name}(\\t|$)`, 'm'));
});
