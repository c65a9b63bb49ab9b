import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { parseConfig } from '../../src/app/config/parse-config.ts';
import { offersOf } from '../../src/app/workers/needs.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { COMMON_OPTIONS } from '../../src/cli/invocation.ts';
import { sandboxHint } from '../../src/sandbox/find-sandbox.ts';
import type { FoundLevel } from '../../src/sandbox/found-level.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { root } from '../cli/sandbox.ts';

const FOLDER = join(root, 'deploy');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: object;
  readonly volumes?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
  readonly securityContext?: object;
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: object;
    readonly ports?: readonly { readonly port: number }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly hostUsers?: boolean;
        readonly securityContext?: object;
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly Container[];
        readonly initContainers?: readonly Container[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

const compose = load(read('compose.yaml')) as { readonly services: Readonly<Record<string, Service>> };
const resources = loadAll(read('kubernetes.yaml')) as readonly Resource[];
const units = readdirSync(join(FOLDER, 'systemd')).filter((name) => name.endsWith('.service'));

const pods = resources.flatMap(({ metadata, spec: { template } }) =>
  template === undefined ? [] : [{ name: metadata.name, ...template }],
);
const containers = pods.flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers]);

/** What follows the program in `ExecStart`. */
const startOf = (unit: string): readonly string[] =>
  /^ExecStart=\/usr\/local\/bin\/troupe (.+)$/m.exec(read(`systemd/${unit}`))?.[1]?.split(' ') ?? [];

/** Commands in the comments and texts, as a person pastes them. */
const pasted = (file: string): readonly (readonly string[])[] =>
  [...read(file).matchAll(/(?:-- troupe|run --rm server) ([a-z][^\n`]*)/g)].map(([, words = '']) => words.split(' '));

const files = ['compose.yaml', 'kubernetes.yaml'];
const allCommands: readonly (readonly [where: string, words: readonly string[]])[] = [
  ...units.map((unit) => [unit, startOf(unit)] as const),
  ...Object.entries(compose.services).flatMap(([name, { image, command = [] }]) =>
    image.startsWith('troupe:') ? [[`compose ${name}`, command] as const] : [],
  ),
  ...containers.flatMap(({ name, args }) => (args === undefined ? [] : [[`kubernetes ${name}`, args] as const])),
  ...files.flatMap((file) => pasted(file).map((words) => [file, words] as const)),
];

test('[U8] every command and option in deploy/ exists in the command line', () => {
  expect(allCommands).toHaveLength(8);
  for (const [where, [name = '', ...words]] of allCommands) {
    const command = COMMANDS.find((one) => one.name === name);
    expect([where, name, command !== undefined]).toEqual([where, name, true]);
    if (command === undefined) continue;
    const flags = new Set([...(command.options ?? []), ...COMMON_OPTIONS].map(({ flags: text }) => text.split(' ')[0]));
    const unknown = words.filter((word) => word.startsWith('--') && !flags.has(word));
    expect([where, unknown]).toEqual([where, []]);
  }
});

test('[U8] servers listen behind TLS with a name, everywhere on the same port', () => {
  const servers = allCommands.filter(([, [name]]) => name === 'serve');
  expect(servers).toHaveLength(3);
  for (const [where, words] of servers) {
    expect([where, words]).toEqual([where, expect.arrayContaining(['--behind-tls', '--public-name', '--no-open'])]);
    expect([where, words[words.indexOf('--listen') + 1]]).toEqual([where, expect.stringMatching(/^[\d.]+:8080$/)]);
  }
  expect(compose.services['server']?.ports).toEqual(['127.0.0.1:8080:8080']);
  const ports = containers.flatMap(({ ports: own = [] }) => own.map(({ containerPort }) => containerPort));
  const served = resources.flatMap(({ kind, spec }) =>
    kind === 'Service' ? (spec.ports ?? []).map(({ port }) => port) : [],
  );
  expect(ports.toSorted((a, b) => a - b)).toEqual([5432, 8080]);
  expect(served.toSorted((a, b) => a - b)).toEqual([5432, 8080]);
});

test('[U8] images are the same in both files, and the one of Troupe has its version', () => {
  const images = new Set([...Object.values(compose.services), ...containers].map(({ image }) => image));
  expect([...images].toSorted()).toEqual(['postgres:17', `troupe:${manifest.version}`]);
  expect(read('Dockerfile')).toContain(`troupe:${manifest.version}`);
  const oldest = Number(/\d+/.exec(manifest.engines.node)?.[0]);
  for (const [, major] of read('Dockerfile').matchAll(/^FROM node:(\d+)/gm))
    expect(Number(major)).toBeGreaterThanOrEqual(oldest);
});

test('[U8] whatever drives or serves has the address of the journal, and no file holds a password', () => {
  for (const name of ['server', 'worker']) {
    expect(compose.services[name]?.environment).toHaveProperty('TROUPE_JOURNAL');
    expect(containers.find((one) => one.name === name)?.env?.map((one) => one.name)).toContain('TROUPE_JOURNAL');
    expect(compose.services[name]?.depends_on).toHaveProperty('postgres');
  }
  for (const unit of units) expect(read(`systemd/${unit}`)).toContain('EnvironmentFile=/etc/troupe/troupe.env');
  expect(read('systemd/troupe.env')).toMatch(/^TROUPE_JOURNAL=postgres:\/\/troupe:CHANGE-ME@/m);
  const passwords = files.flatMap((file) =>
    [...read(file).matchAll(/\/\/troupe:([^@\n]+)@/g)].map(([, password]) => password),
  );
  expect(passwords).toHaveLength(3);
  expect(passwords.filter((password) => password !== '…' && password?.startsWith('${') !== true)).toEqual([]);
});

test('[U8] workers find settings that name models, and the keys of those in their environment', async () => {
  const parsed = parseConfig(read('config.yaml'), { file: 'config.yaml', folder: FOLDER });
  const config = valueOrFault(parsed, 'INTERNAL');
  const keys = [...read('config.yaml').matchAll(/api_key_env: (\w+)/g)].map(([, name = '']) => name);
  const environment = Object.fromEntries(keys.map((name) => [name, 'a key']));
  expect(await offersOf(config, environment, [])).toEqual(['model base', 'model fast', 'model smart']);
  const below = read('config.yaml').replace('# sandbox: landlock', 'sandbox: landlock');
  const weaker = valueOrFault(parseConfig(below, { file: 'config.yaml', folder: FOLDER }), 'INTERNAL');
  expect([config.sandbox, weaker.sandbox]).toEqual([null, 'landlock']);
  const worker = containers.find(({ name }) => name === 'worker');
  const given = [
    Object.keys(compose.services['worker']?.environment ?? {}),
    worker?.env?.map(({ name }) => name),
    [...read('systemd/troupe.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name),
  ];
  for (const names of given) expect(names).toEqual(expect.arrayContaining(keys));
  for (const name of ['server', 'worker']) {
    expect(compose.services[name]?.volumes).toContain('./config.yaml:/etc/troupe/config.yaml:ro');
    const mounted = containers.find((one) => one.name === name)?.volumeMounts;
    expect(mounted).toContainEqual({ name: 'settings', mountPath: '/etc/troupe' });
  }
  expect(read('kubernetes.yaml')).toContain('create configmap troupe --from-file=deploy/config.yaml\n');
  for (const file of ['Dockerfile', 'systemd/troupe-worker@.service'])
    expect([file, / XDG_CONFIG_HOME=\/etc$/m.test(read(file))]).toEqual([file, true]);
});

test('[U8] the image has all that the package has, and its dependencies', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY --from=build \/build\/(\S+) \/opt\/troupe\/(\S*)$/gm)];
  expect(copied.map(([, from = '']) => from).toSorted()).toEqual(
    [...manifest.files, 'node_modules', 'package.json'].toSorted(),
  );
  for (const [, from, to] of copied) expect([from, to]).toEqual([from, from === 'package.json' ? '' : from]);
  expect(read('Dockerfile')).toContain(`ln --symbolic /opt/troupe/${manifest.bin.troupe} /usr/local/bin/troupe`);
});

test('[U8] the image runs as an ordinary user, with what the sandbox and git need, and keeps its home in a volume', () => {
  const [, lines = ''] = read('Dockerfile').split('\nFROM node:26-bookworm-slim\n');
  const installed = /--no-install-recommends ([^\\\n]+)/.exec(lines)?.[1]?.trim().split(' ');
  expect(installed).toEqual(['bubblewrap', 'ca-certificates', 'git', 'tini']);
  const home = /^ENV TROUPE_HOME=(\S+)/m.exec(lines)?.[1];
  expect(lines).toMatch(/^USER node$/m);
  expect(lines).toContain(`\nVOLUME ${home}\n`);
  expect(lines).toMatch(new RegExp(`chown node:node [^\\n]*${home}`));
  expect(lines.trimEnd()).toMatch(/\nENTRYPOINT \["tini", "--", "troupe"\]$/);
});

/** Containers that run commands of agents or of checks. */
const BOXED = ['server', 'worker'];
const SECURITY_OPTIONS = ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'];

test('[U8] containers may build the sandbox that Troupe asks for, and get no powers', () => {
  const tested = { level: 'bubblewrap', failures: ['refused'], program: '/usr/bin/bwrap', identity: 'own' };
  const hint = sandboxHint('bubblewrap', { levels: [tested as unknown as FoundLevel], scratch: '' });
  const guide = readFileSync(join(root, 'docs/guide/many-machines.md'), 'utf8');
  for (const option of SECURITY_OPTIONS) {
    expect(hint).toContain(`--security-opt ${option}`);
    expect(guide).toContain(`--security-opt ${option}`);
  }
  for (const name of BOXED) {
    expect(compose.services[name]?.security_opt).toEqual([...SECURITY_OPTIONS, 'no-new-privileges:true']);
    expect(compose.services[name]?.cap_drop).toEqual(['ALL']);
    const pod = pods.find(({ spec }) => spec.containers.some((one) => one.name === name))?.spec;
    expect(pod?.securityContext).toMatchObject({ runAsUser: 1000, fsGroup: 1000, runAsNonRoot: true });
    // Kubernetes refuses an unmasked /proc in a pod without a user namespace.
    expect(pod?.hostUsers).toBe(false);
    expect(pod?.containers[0]?.securityContext).toEqual({
      procMount: 'Unmasked',
      seccompProfile: { type: 'Unconfined' },
      appArmorProfile: { type: 'Unconfined' },
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
  }
});

test('[U8] every manager of services gives a worker two minutes to hand its runs over', () => {
  expect(compose.services['worker']?.stop_grace_period).toBe('2m');
  const pod = pods.find(({ name }) => name === 'troupe-worker')?.spec;
  expect(pod?.terminationGracePeriodSeconds).toBe(120);
  expect(read('systemd/troupe-worker@.service')).toMatch(/^TimeoutStopSec=120$/m);
});

test('[U8] the health check of the server is a command that succeeds once its port is open', async () => {
  const check = compose.services['server']?.healthcheck?.test ?? [];
  const script = check.at(-1) ?? '';
  expect(check.slice(0, 3)).toEqual(['CMD', 'node', '-e']);
  expect(script).toContain('connect(8080)');
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const here = script.replace('8080', `${port}, '127.0.0.1'`);
  const exitCode = async (): Promise<unknown> => (await once(spawn(process.execPath, ['-e', here]), 'exit'))[0];
  expect(await exitCode()).toBe(0);
  server.close();
  await once(server, 'close');
  expect(await exitCode()).toBe(1);
});

test('[U8] in the manifest every selector finds its pods, and every volume that is mounted is there', () => {
  const labels = new Set(pods.map(({ metadata }) => JSON.stringify(metadata.labels)));
  const selectors = resources.flatMap(({ spec: { selector } }) => (selector === undefined ? [] : [selector]));
  const wanted = selectors.map((selector) =>
    JSON.stringify('matchLabels' in selector ? selector.matchLabels : selector),
  );
  expect(wanted).toHaveLength(5);
  expect(wanted.filter((one) => !labels.has(one))).toEqual([]);
  const claims = resources.flatMap(({ spec }) =>
    (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
  );
  for (const { name, spec } of pods) {
    const volumes = new Set([...(spec.volumes ?? []).map((one) => one.name), ...claims]);
    const mounted = [...(spec.initContainers ?? []), ...spec.containers].flatMap(
      ({ volumeMounts = [] }) => volumeMounts,
    );
    expect([name, mounted.length > 0, mounted.filter((one) => !volumes.has(one.name))]).toEqual([name, true, []]);
  }
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasAnalyze)('[U8] systemd accepts the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copies = units.map((unit) => {
    const file = join(folder, unit.replace('@.', '@1.'));
    // It looks for the program, which is installed nowhere here.
    writeFileSync(file, read(`systemd/${unit}`).replaceAll('/usr/local/bin/troupe', process.execPath));
    return file;
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...copies], { encoding: 'utf8' });
  expect([status, stderr.split('\n').filter((line) => line.includes('troupe-'))]).toEqual([0, []]);
});

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;

test.skipIf(!hasCompose)('[U8] docker compose accepts its file, and refuses it without a password', () => {
  const check = ['compose', '--file', join(FOLDER, 'compose.yaml'), 'config', '--quiet'];
  const env = { PATH: process.env['PATH'], HOME: tmpdir(), TROUPE_PUBLIC_NAME: 'troupe.example.com' };
  expect(() => execFileSync('docker', check, { env, stdio: 'pipe' })).toThrow('set a password');
  expect(execFileSync('docker', check, { env: { ...env, TROUPE_DB_PASSWORD: 'x' } }).toString()).toBe('');
});
