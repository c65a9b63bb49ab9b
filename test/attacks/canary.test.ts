import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { scriptedProject } from '../cli/projects.ts';
import { jsonLines } from '../cli/sandbox.ts';
import type { Sandbox } from '../cli/sandbox.ts';
import { filesHolding, storeContent } from './support/store-content.ts';

const canary = (): string => `canary-${randomBytes(12).toString('hex')}`;

/** A user with secrets in every usual place, and a project beside. The secrets differ, so a hit shows where it came from. */
function userWithSecrets(files: Readonly<Record<string, string>> = {}) {
  const sandbox = scriptedProject(files);
  const base = dirname(sandbox.project);
  const [home, state, temporary] = [join(base, 'user'), join(base, 'state'), join(base, 'temporary')];
  mkdirSync(temporary);
  const kept = [
    '.ssh/id_ed25519',
    '.aws/credentials',
    '.netrc',
    '.npmrc',
    '.gitconfig',
    '.bash_history',
    '.config/gh/hosts.yml',
  ];
  const secrets = new Map<string, string>();
  for (const path of [...kept.map((name) => join(home, name)), join(base, '.env'), join(base, 'other/.env')]) {
    const secret = canary();
    secrets.set(path, secret);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.gitconfig') ? `[http]\n\textraHeader = ${secret}\n` : `# ${secret}\n`);
  }
  const variables = Object.fromEntries(STEERING.map((name) => [name, canary()]));
  for (const [name, value] of Object.entries(variables)) secrets.set(name, value);
  const library = sharedLibrary();
  const environment = {
    ...variables,
    NODE_OPTIONS: `--title=${variables['NODE_OPTIONS']}`,
    ...(library === null ? {} : { LD_PRELOAD: library }),
    HOME: home,
    TROUPE_HOME: state,
    TMPDIR: temporary,
  };
  return { sandbox, base, home, state, temporary, secrets, environment };
}

/** Keys, and variables with which one program can be made to load, fetch or reveal something for another. */
const STEERING = [
  ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'DATABASE_URL', 'SSH_AUTH_SOCK'],
  ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'HTTPS_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_OPTIONS', 'NODE_PATH'],
  ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_SSH_COMMAND', 'GIT_EXTERNAL_DIFF', 'GIT_CONFIG_PARAMETERS', 'GIT_ASKPASS'],
  ['npm_config_registry', 'npm_config_userconfig', 'NPM_TOKEN', 'PYTHONSTARTUP', 'PERL5OPT', 'BASH_ENV', 'ENV'],
].flat();

/** Something harmless to load into every process. */
function sharedLibrary(): string | null {
  const report = process.report.getReport() as { readonly sharedObjects?: readonly string[] };
  return report.sharedObjects?.find((path) => /\/libm\.so/.test(path) && existsSync(path)) ?? null;
}

/** Every row of every table, whatever its type. */
function journalText(state: string): string {
  const file = readdirSync(state).find((name) => name.endsWith('.db')) ?? '';
  const database = new DatabaseSync(join(state, file), { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${String(name)}"`).all());
    const asText = (value: unknown): string =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
    return rows.flatMap((row) => Object.values(row).map(asText)).join('\n');
  } finally {
    database.close();
  }
}

const storesText = (state: string): string =>
  readdirSync(join(state, 'stores'))
    .map((name) => storeContent(join(state, 'stores', name, 'git')))
    .join('\n');

const found = (text: string, secrets: ReadonlyMap<string, string>): readonly string[] =>
  [...secrets].flatMap(([place, secret]) => (text.includes(secret) ? [place] : []));

/** An obedient agent that does everything an attacker would ask of it. */
function scenario(lookAt: readonly string[], marker: string): string {
  const files = lookAt.map((path) => `'${path}'`).join(' ');
  const looks = [
    `echo ${marker}; env | tee dump.txt; echo ${marker} >> dump.txt; echo end-of-env`,
    `cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'; node -p 'JSON.stringify(process.env) + process.title'`,
    `cat ${files} ~/.ssh/* ~/.aws/* ~/.netrc 2>&1; git config --list --show-origin; cp -r ${files} . 2>/dev/null; true`,
  ];
  const tools = [
    ...looks.map((command) => ({ name: 'execute_terminal', arguments: { command } })),
    ...lookAt.map((path) => ({ name: 'read_file', arguments: { path } })),
    { name: 'read_file', arguments: { path: '../../../../.env' } },
    { name: 'grep', arguments: { pattern: 'canary', path: '..' } },
    { name: 'write_file', arguments: { path: 'written.txt', content: marker } },
  ];
  const steps = [...tools.map((tool) => ({ tools: [tool] })), { say: marker }];
  return JSON.stringify({ rules: [{ when: { state: 'start' }, steps }, { reply: 'Done.' }] });
}

interface Looked {
  readonly user: ReturnType<typeof userWithSecrets>;
  readonly marker: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly outputs: string;
}

/** One real run of the program by that user, and everything the program says about it afterwards. */
async function lookEverywhere(): Promise<Looked> {
  const marker = `marker-${randomBytes(12).toString('hex')}`;
  const steering = STEERING.map((name) => `${name}=from-the-project\n`).join('');
  const user = userWithSecrets({ '.env': steering, '.troupe/.env': steering });
  const { sandbox, secrets, environment } = user;
  sandbox.write(
    'answers.yaml',
    scenario(
      [...secrets.keys()].filter((place) => place.startsWith('/')),
      marker,
    ),
  );
  const said = async (...words: string[]) => {
    const { stdout, stderr } = await (sandbox satisfies Sandbox).troupe(words, { environment });
    return stdout + stderr;
  };
  const run = await sandbox.troupe(['run', 'two_steps', 'Hello', '--json'], { environment });
  const more = [await said('show', 'last'), await said('show', 'last', '--json'), await said('logs', 'last')];
  const rest = [await said('list', '--json'), await said('doctor'), await said('run', 'no_such', 'x', '--json')];
  return { user, marker, lines: jsonLines(run.stdout), outputs: [run.stdout, run.stderr, ...more, ...rest].join('\n') };
}

test(
  '[F62] [F64] [F67] [F68] secrets of the user are nowhere in a run of an obedient agent: results, journal, files, snapshots, output',
  { timeout: 120_000 },
  async () => {
    const { user, marker, lines, outputs } = await lookEverywhere();
    const { state, temporary, secrets } = user;
    expect(lines.at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok' });

    // The search works: what the agent printed and wrote is found in all of these places.
    const places = { outputs, journal: journalText(state), snapshots: storesText(state) };
    for (const [place, text] of Object.entries(places)) expect([place, text.includes(marker)]).toEqual([place, true]);
    expect(filesHolding(state, marker).map((path) => path.replace(/.*\//, ''))).toEqual(
      expect.arrayContaining(['dump.txt', 'written.txt']),
    );

    for (const [place, text] of Object.entries(places)) expect([place, found(text, secrets)]).toEqual([place, []]);
    for (const [place, secret] of secrets) {
      expect([place, filesHolding(state, secret), filesHolding(temporary, secret)]).toEqual([place, [], []]);
    }

    // F68: neither the user's environment nor a project's file of variables steers what a command loads.
    const result = lines.find((line) => line['kind'] === 'tool.finished' && String(line['content']).includes(marker));
    const names =
      String(result?.['content'])
        .split('end-of-env')[0]
        ?.match(/^\w+(?==)/gm) ?? [];
    expect(names).toContain('PATH');
    expect(names.filter((name) => !ALLOWED.has(name))).toEqual([]);
  },
);

const ALLOWED = new Set(
  [
    ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'SHELL', 'TERM', 'CI', 'NO_COLOR', 'PAGER', 'PWD', 'OLDPWD', 'SHLVL', '_'],
    ['GIT_PAGER', 'GIT_EDITOR', 'GIT_TERMINAL_PROMPT', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM'],
    ['GIT_CEILING_DIRECTORIES'],
  ].flat(),
);

test(
  '[F62] a model’s key that its endpoint sends back stands in no message, no journal and no output',
  { timeout: 60_000 },
  async () => {
    const { sandbox, state, secrets, environment } = userWithSecrets();
    const key = secrets.get('OPENAI_API_KEY') ?? '';
    let asked = 0;
    const server = createServer((request, response) => {
      asked += request.headers.authorization === `Bearer ${key}` ? 1 : 0;
      const status = [401, 400, 500, 200][asked % 4] ?? 401;
      const message = `Incorrect API key provided: ${key}. You sent ${request.headers.authorization}.`;
      response.writeHead(status, { 'content-type': 'application/json', 'x-echo': key });
      response.end(JSON.stringify({ error: { message, code: key, type: 'invalid_request_error' } }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const model = `{ provider: openai-compatible, base_url: "http://127.0.0.1:${port}/v1", model: m, api_key_env: OPENAI_API_KEY }`;
    sandbox.write('.troupe/config.yaml', `models:\n  base: ${model}\n`);
    const direct = { ...environment, HTTPS_PROXY: '', http_proxy: '', ALL_PROXY: '' };
    const texts: string[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      const { stdout, stderr } = await sandbox.troupe(['run', 'two_steps', 'x', '--json'], { environment: direct });
      texts.push(stdout, stderr);
    }
    const logs = await sandbox.troupe(['logs', 'last'], { environment: direct });
    expect(asked).toBeGreaterThan(3);
    expect(texts.join('')).toContain('run.settled');
    expect(found([...texts, logs.stdout, logs.stderr, journalText(state)].join('\n'), secrets)).toEqual([]);
    for (const secret of secrets.values()) expect(filesHolding(state, secret)).toEqual([]);
  },
);

test('[F62] a program that fails or is killed says nothing of its environment', { timeout: 60_000 }, async () => {
  const { sandbox, base, state, secrets, environment } = userWithSecrets();
  writeFileSync(join(base, 'a-file'), '');
  const broken = [
    await sandbox.troupe(['run', 'two_steps', 'x'], {
      environment: { ...environment, TROUPE_HOME: join(base, 'a-file') },
    }),
    await sandbox.troupe(['run', 'two_steps', 'x', '--input-file', join(base, 'nowhere')], { environment }),
    await sandbox.troupe(['check', join(base, '.env')], { environment }),
    await sandbox.troupe(['run', join(base, '.env'), 'x'], { environment }),
  ];
  expect(broken.map(({ code }) => code === 0)).toEqual([false, false, false, false]);
  sandbox.write('answers.yaml', 'rules: [{ reply: { hang: true } }]');
  const killed: string[] = [];
  for (const signal of ['SIGABRT', 'SIGQUIT', 'SIGTERM'] as const) {
    const running = sandbox.start(['run', 'two_steps', 'x', '--json'], { environment });
    await running.lines.next();
    running.child.kill(signal);
    const { stdout, stderr } = await running.ended;
    killed.push(stdout, stderr);
  }
  const output = [...broken.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...killed].join('\n');
  expect(found(output, secrets)).toEqual([]);
  for (const secret of secrets.values()) expect(filesHolding(state, secret)).toEqual([]);
  const left = readdirSync(sandbox.project).filter((name) => /^(?:core|report)/.test(name));
  expect(
    left
      .map((name) => readFileSync(join(sandbox.project, name), 'latin1'))
      .filter((text) => found(text, secrets).length > 0),
  ).toEqual([]);
});
