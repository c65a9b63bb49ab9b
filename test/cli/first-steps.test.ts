import { chmodSync, cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { scriptedProject } from './projects.ts';
import { createSandbox, jsonLines, PROGRAM } from './sandbox.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('[U1] what init writes passes check and runs at once, without a key', async () => {
  const sandbox = createSandbox({}, { isFirst: true });
  const init = await sandbox.troupe(['init']);
  expect(init.code).toBe(0);
  expect(init.stdout).toContain('wrote  .troupe/config.yaml');
  const check = await sandbox.troupe(['check', '.troupe/config.yaml', '.troupe/workflows/write_and_review.yaml']);
  expect(check).toMatchObject({ code: 0, stderr: '' });
  const run = await sandbox.troupe(['run', 'write_and_review', 'Explain journals', '--json']);
  expect(run.code).toBe(0);
  const states = jsonLines(run.stdout).filter((line) => line['kind'] === 'state.entered');
  expect(states.map((line) => line['state'])).toEqual(['start', 'review', 'revise', 'review', 'stop']);
});

for (const workflow of ['coder_reviewer', 'product_manager_coder', 'parallel_analysis_shared', 'quest']) {
  test(`[U1] ${workflow} comes to a good end with the answers that init writes`, async () => {
    const sandbox = createSandbox();
    await sandbox.troupe(['init']);
    const run = await sandbox.troupe(['run', workflow, 'Add a health check', '--no-input']);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
  });
}

for (const answers of ['those that init writes', 'none for those who mend and review']) {
  test(`[Q6] Ward that fails once does not end a quest; answers: ${answers}`, async () => {
    const sandbox = createSandbox();
    await sandbox.troupe(['init']);
    const config = sandbox.read('.troupe/config.yaml');
    // Red until an agent was called to fix it.
    const ward = 'test ! -e greeting.txt || test -e tried.txt || { touch tried.txt; false; }';
    sandbox.write('.troupe/config.yaml', `${config}\nward: ['${ward}']\n`);
    const rules = sandbox.read('.troupe/answers.yaml').split(/(?=^ {2}- when)/m);
    const kept = rules.filter((rule) => /^rules|chaoswhisperer|pathseeker|codeweaver/m.test(rule));
    if (answers !== 'those that init writes') sandbox.write('.troupe/answers.yaml', kept.join(''));
    const run = await sandbox.troupe(['run', 'quest', 'Greet people', '--no-input', '--json']);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    const spoken = jsonLines(run.stdout).flatMap(({ kind, state }) => (kind === 'state.entered' ? [state] : []));
    expect(spoken).toContain('spiritmender');
  });
}

test('[U1] without a command the help is printed and nothing else; -v is the version', async () => {
  const sandbox = createSandbox();
  const bare = await sandbox.troupe([]);
  expect(bare.code).toBe(2);
  expect(bare.stderr).toContain('Usage: troupe');
  expect(bare.stderr).not.toContain('outputHelp');
  expect((await sandbox.troupe(['-v'])).stdout).toBe(`${manifest.version}\n`);
  expect((await sandbox.troupe(['list', '--nonsense'])).stderr).toContain('troupe list --help');
});

test('[U1] bash completion needs no package and may be sourced twice', async () => {
  const sandbox = createSandbox();
  const { stdout: script } = await sandbox.troupe(['completion', 'bash']);
  const file = sandbox.write('completion.bash', script);
  const program = sandbox.write('troupe', `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(program, 0o755);
  const typed = `set -e; source "$1"; source "$1"
    COMP_WORDS=("$2" re); COMP_CWORD=1; __troupe_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = spawnSync('bash', ['--norc', '-c', typed, 'bash', file, program], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: sandbox.home, TROUPE_HOME: sandbox.home },
  });
  expect(bash.stderr).toBe('');
  expect(bash.stdout).toBe('resume\n');
});

test('[U1] init never overwrites, and says what it left', async () => {
  const sandbox = createSandbox({ '.troupe/config.yaml': '# mine\n' });
  const init = await sandbox.troupe(['init']);
  expect(init.stdout).toContain('kept   .troupe/config.yaml');
  expect(sandbox.read('.troupe/config.yaml')).toBe('# mine\n');
});

test('[U3] the workflow that init writes points its editor to a schema that is there', async () => {
  const sandbox = createSandbox();
  await sandbox.troupe(['init']);
  const header = /\$schema=\.\.\/(\S+)/.exec(sandbox.read('.troupe/workflows/write_and_review.yaml'))?.[1] ?? '';
  const schema = JSON.parse(sandbox.read(`.troupe/${header}`)) as Readonly<Record<string, unknown>>;
  expect(schema['$schema']).toContain('draft-07');
});

test('[U1] --version and --help answer without touching anything', async () => {
  const sandbox = createSandbox({}, { isFirst: true });
  expect((await sandbox.troupe(['--version'])).stdout).toBe(`${manifest.version}\n`);
  const version = await sandbox.troupe(['--version', '--json']);
  expect(JSON.parse(version.stdout)).toEqual({ kind: 'version', version: manifest.version });
  const help = await sandbox.troupe(['--help']);
  expect(help.code).toBe(0);
  for (const name of [
    'init',
    'run',
    'chat',
    'list',
    'show',
    'watch',
    'logs',
    'answer',
    'resume',
    'pause',
    'cancel',
    'fork',
    'diff',
    'deliver',
    'rollback',
    'prune',
    'check',
    'watch-files',
    'graph',
    'doctor',
    'trust',
    'completion',
  ]) {
    expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  }
  expect((await sandbox.troupe(['help', 'exit-codes'])).stdout).toContain('130');
  expect((await sandbox.troupe(['help', 'run'])).stdout).toContain('--max-usd');
  expect((await sandbox.troupe(['help', 'nothing'])).code).toBe(2);
});

for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
  test(`[U1] there is a completion script for ${shell}`, async () => {
    const sandbox = createSandbox();
    const { code, stdout } = await sandbox.troupe(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('troupe');
    expect(stdout.split('\n').length).toBeGreaterThan(20);
    const data = await sandbox.troupe(['completion', shell, '--json', '--no-input', '--quiet']);
    expect(JSON.parse(data.stdout)).toEqual({ kind: 'completion', shell, script: stdout });
  });
}

test('[U1] completion knows commands, flags, workflows and runs', async () => {
  const sandbox = scriptedProject();
  const run = jsonLines((await sandbox.troupe(['run', 'two_steps', 'x', '--json'])).stdout)[0]?.['run'];
  expect((await sandbox.troupe(['complete', '--', 're'])).stdout).toContain('resume');
  expect((await sandbox.troupe(['complete', '--', 'run', '--de'])).stdout).toContain('--detach');
  expect((await sandbox.troupe(['complete', '--', 'run', 'two'])).stdout).toContain('two_steps');
  expect((await sandbox.troupe(['complete', '--', 'show', ''])).stdout).toContain(String(run));
});

const EXAMPLES: readonly (readonly [readonly string[], unknown])[] = [
  [['release_notes.json', 'Fixed #41'], expect.stringContaining('Files with spaces')],
  [['bug_triage.yaml', 'It crashes'], { kind: 'bug', answer: expect.stringContaining('first line') }],
  [['bug_triage.yaml', 'How do I open a file?'], { kind: 'question', answer: expect.stringContaining('Ctrl+O') }],
  [['three_estimates.ts', 'Move the database'], { days: [2, 4, 12], mean: 6 }],
];

for (const [words, output] of EXAMPLES) {
  test(`[U4] the example ${words[0]} runs without a key on "${words[1]}"`, async () => {
    const sandbox = createSandbox();
    cpSync(`${root}/examples`, sandbox.project, { recursive: true });
    const result = await sandbox.troupe(['run', ...words, '--json']);
    expect(result.code).toBe(0);
    expect(jsonLines(result.stdout).at(-1)).toMatchObject({ outcome: 'ok', output });
  });
}

test('[U4] the example ship_it.ts rests until a person has decided', async () => {
  const sandbox = createSandbox();
  cpSync(`${root}/examples`, sandbox.project, { recursive: true });
  expect((await sandbox.troupe(['run', 'ship_it.ts', 'Files with spaces open'])).code).toBe(3);
  expect((await sandbox.troupe(['answer', 'last', 'again'])).code).toBe(3);
  const result = await sandbox.troupe(['answer', 'last', 'ship it', '--json']);
  expect(result.code).toBe(0);
  expect(jsonLines(result.stdout).at(-1)).toMatchObject({
    outcome: 'ok',
    output: expect.stringContaining('every file'),
  });
});

test('[U4] the demo runs over HTTP, writes real files and ends by itself with 0', () => {
  const result = spawnSync(process.execPath, [`${root}/scripts/demo.mjs`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: createSandbox().project },
  });
  expect(result.status).toBe(0);
  expect(result.stdout).toContain('export function slug(title)');
  expect(result.stdout).toContain('RangeError');
  expect(result.stderr).toContain('[smart_reviewer]');
  expect(result.stdout).toContain('troupe.js serve');
  expect(result.stdout).toContain('npm link');
});

test('[U4] with --stay the demo keeps its page where no terminal is: past the question, until it is ended', async () => {
  const child = spawn(process.execPath, [`${root}/scripts/demo.mjs`, '--stay', '--at-once'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, CI: '1', TMPDIR: createSandbox().project },
  });
  onTestFinished(() => void child.kill());
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('exit', resolve);
  const lines = createInterface({ input: child.stdout });
  let page = '';
  for await (const line of lines) {
    page = /^See it at: (http:\S+)/.exec(line)?.[1] ?? page;
    if (line.startsWith('The page stays open')) break;
  }
  expect((await fetch(page)).status).toBe(200);
  child.stdout.resume();
  child.kill();
  expect(await ended).toBe(0);
  await expect(fetch(page)).rejects.toThrow('fetch failed');
}, 180_000);

test('[U4] the demo says what to do where nothing is installed', () => {
  const sandbox = createSandbox();
  cpSync(`${root}/scripts/demo.mjs`, `${sandbox.project}/scripts/demo.mjs`);
  const result = spawnSync(process.execPath, [`${sandbox.project}/scripts/demo.mjs`], { encoding: 'utf8' });
  expect(result).toMatchObject({ status: 2, stderr: expect.stringContaining('npm ci') });
});

/** Makes the program believe that it runs on an old Node. */
const OLD_NODE = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})`;

test('[U1] on an old Node the newer one beside it takes over', () => {
  const result = spawnSync(process.execPath, ['--import', OLD_NODE, PROGRAM, '--version'], { encoding: 'utf8' });
  expect(result).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
});

test('[U1] on an old Node with no newer one the program says which it needs', () => {
  const result = spawnSync(process.execPath, ['--import', OLD_NODE, PROGRAM, '--version'], {
    encoding: 'utf8',
    env: { ...process.env, TROUPE_STARTER: '1' },
  });
  expect(result.status).toBe(2);
  expect(result.stderr).toContain('NODE_TOO_OLD');
});

test('[U1] Windows is refused with a code', () => {
  const windows = `data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`;
  // The fake platform would have Node put its cache into a folder of an odd name.
  const result = spawnSync(process.execPath, ['--import', windows, PROGRAM, 'list'], {
    encoding: 'utf8',
    cwd: createSandbox().project,
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  expect(result.status).toBe(2);
  expect(result.stderr).toContain('PLATFORM_UNSUPPORTED');
});
