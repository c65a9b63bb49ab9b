import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort, hasServer, serverAccount } from '../../src/journal/postgres/testing/test-cluster.ts';
import { ASKING } from '../cli/projects.ts';
import { PROGRAM, root } from '../cli/sandbox.ts';

const PAGE = readFileSync(join(root, 'docs/guide/many-machines.md'), 'utf8');
const blocksOf = (heading: string): readonly string[] => {
  const [, text = ''] = new RegExp(`^${heading}$(.*?)^##`, 'ms').exec(PAGE) ?? [];
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
};
const BLOCKS = blocksOf('## Try it on one machine');

test('[U8] the page has the commands that are run here', () => {
  expect(BLOCKS.map((block) => block.split('\n')[0])).toEqual([
    'mkdir -p ~/troupe-cluster && cd ~/troupe-cluster',
    'export XDG_CONFIG_HOME=~/troupe-cluster/config',
    'TROUPE_HOME=~/troupe-cluster/one troupe worker --slots 2 > one.log 2>&1 &',
    'mkdir project && cd project',
    'git log --all --oneline',
    'troupe run coder_reviewer "Write another greeting" --detach',
    'kill %1 %3',
  ]);
});

describe.skipIf(!hasServer())('[U8] the commands of the page', { timeout: 180_000 }, () => {
  test('start two workers, run something on them and take everything down, word for word', async () => {
    const shell = await openShell();
    const [database = '', settings = '', workers = '', project = '', result = '', kill = '', end = ''] = BLOCKS;
    await shell.run(database);
    await shell.run(settings);
    await shell.run(workers);
    await shell.waitForWorker('one', 'two');
    await vi.waitFor(async () => expect((await shell.run('troupe workers')).match(/ alive /g)).toHaveLength(2), WAIT);
    await shell.run(project);
    const shown = await shell.run(result);
    expect(await shell.run('git log --all --name-only --format=')).toContain('greeting.txt');
    expect(shown).toMatch(/^status +ok · in branch troupe\//m);
    await shell.run(kill);
    await vi.waitFor(async () => expect((await shell.run('troupe workers')).match(/ alive /g)).toHaveLength(1), WAIT);
    expect(await shell.run('troupe show last')).toMatch(/^status +ok /m);
    await shell.run(end);
    expect(await shell.run('ls -A ~')).not.toContain('troupe-cluster');
  });

  test('drain a worker, back up and restore, and a run goes on from the restored journal', async () => {
    const shell = await openShell();
    const [database = '', settings = ''] = BLOCKS;
    const [dump = '', restore = ''] = blocksOf('### Back up');
    const [drain = ''] = blocksOf('### Drain');
    await shell.run(database);
    await shell.run(settings);
    // What the page leaves to the administrator: where the server is, and who asks.
    await shell.run('export PGHOST=127.0.0.1 PGPORT=15432 PGUSER=troupe');
    await shell.run(
      'export TROUPE_JOURNAL=postgres://troupe@127.0.0.1:15432/troupe TROUPE_HOME=~/troupe-cluster/laptop',
    );
    await shell.run(startWorker('one'));
    await shell.waitForWorker('one');
    const [, one = ''] = await vi.waitFor(async () => named(await shell.run('troupe workers')), WAIT);
    await shell.run(`mkdir project && cd project && git init -q && cat > asking.ts <<'END'\n${ASKING}END`);
    await shell.run('troupe run asking.ts --detach');
    await vi.waitFor(async () => expect(await shell.run('troupe list')).toContain('waiting'), WAIT);
    await shell.run(drain.replace('mill/4711', one));
    await shell.run('wait %2 || true');
    await vi.waitFor(async () => expect(await shell.run('troupe workers')).toContain('There are no workers.'), WAIT);
    await shell.run('troupe run coder_reviewer "Write a greeting" --detach');
    await shell.run(dump);
    const before = tips(await shell.run('troupe list --json'));
    const checked = await shell.run(restore.replace('db.example.org', '127.0.0.1:15432'));
    expect(checked).toMatch(/ok +journal +\S+troupe_restored .*2 runs, .*every record verified/);
    expect(tips(await shell.run('troupe list --json'))).toEqual(before);
    await shell.run(startWorker('two'));
    await shell.run('troupe watch last');
    expect(await shell.run('troupe show last')).toMatch(/^status +ok /m);
    const asked = runsIn(await shell.run('troupe list --json')).find(({ status }) => status === 'waiting');
    expect(await shell.run(`troupe answer ${asked?.run} red`)).toBe('red');
    await shell.run('pg_ctl -D ~/troupe-cluster/data -m fast stop > ~/troupe-cluster/pg_ctl.log');
  });
});

const startWorker = (name: string): string =>
  `TROUPE_HOME=~/troupe-cluster/${name} troupe worker > ~/troupe-cluster/${name}.log 2>&1 &`;

/** The only worker that is alive. */
function named(listed: string): RegExpExecArray {
  const found = /^(\S+\/\d+) +alive /m.exec(listed);
  if (found === null) throw new Error(`There is no live worker: ${listed}`);
  return found;
}

interface ListedRun {
  readonly run: string;
  readonly status: string;
  /** The hash of its newest record, which stands for all before it. */
  readonly tip: string;
}

const runsIn = (listed: string): readonly ListedRun[] =>
  (JSON.parse(listed) as { readonly items: readonly ListedRun[] }).items;

const tips = (listed: string): readonly string[] => runsIn(listed).map(({ tip }) => tip);

const WAIT = { timeout: 60_000, interval: 500 };

/**
 * Jobs by number, as in a shell in which somebody types. Commands come over a separate channel: a program in the background makes its
 * standard input non-blocking, and a shell that reads commands from there would end.
 */
const LISTENING = 'set -m; exec 3<&0 </dev/null; while IFS= read -r -d "" -u 3 block; do eval "$block"; done';

interface Shell {
  /** What the commands print; throws with it where one of them fails. */
  run(commands: string): Promise<string>;
  /** Waits for what workers print when they have started: a command that asks for them costs much more. */
  waitForWorker(...names: readonly string[]): Promise<void>;
}

/** One shell for all blocks, as a person has it, with its own home. The server refuses to run as root. */
async function openShell(): Promise<Shell> {
  const account = serverAccount();
  const home = mkdtempSync(join(tmpdir(), 'troupe-guide-'));
  const programs = join(home, '.programs');
  mkdirSync(programs);
  symlinkSync(PROGRAM, join(programs, 'troupe'));
  if (account !== undefined) chownSync(home, account.uid, account.gid);
  const path = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const child = spawn('bash', ['--noprofile', '--norc', '-c', LISTENING], {
    cwd: home,
    env: { HOME: home, PATH: path, LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...account,
  });
  onTestFinished(() => {
    for (const pid of processesWith(`HOME=${home}`)) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // Two ports that are free here, in place of those of the page.
  const ports = { 15432: await freePort(), 15433: await freePort() };
  const log = (name: string): string => readFileSync(join(home, 'troupe-cluster', `${name}.log`), 'utf8');
  return {
    waitForWorker: async (...names) =>
      await vi.waitFor(() => expect(names.map(log)).toEqual(names.map(() => expect.stringContaining('drives'))), WAIT),
    async run(commands) {
      const own = commands.replaceAll(/1543[23]/g, (port) => String(ports[Number(port) as keyof typeof ports]));
      child.stdin.write(`trap 'failed=$?' ERR; failed=0\n${own}\necho "END $failed"\n\0`);
      const printed: string[] = [];
      for (let line = await lines.next(); ; line = await lines.next()) {
        if (line.done === true) throw new Error(`The shell ended: ${printed.join('\n')}\n${errors}`);
        const [isEnd, code] = /^END (\d+)$/.exec(line.value) ?? [];
        if (isEnd === undefined) printed.push(line.value);
        else if (code === '0') return printed.join('\n');
        else throw new Error(`${commands}\nfailed with ${code}: ${printed.join('\n')}\n${errors}`);
      }
    },
  };
}

/** Everything that the blocks started: jobs of a shell have their own groups, and servers leave it. */
function processesWith(variable: string): readonly number[] {
  const has = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && has(name))
    .map(Number);
}
