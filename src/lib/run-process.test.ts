import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bestContainment, type Containment } from './process-tree.ts';
import { runProcess, type ProcessOptions } from './run-process.ts';

const best = await bestContainment();
const LEVELS: readonly Containment[] = [...new Set<Containment>([best, 'group'])];
const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };

const shell = (script: string, options: Partial<ProcessOptions> = {}) =>
  runProcess(['/bin/sh', '-c', script], { cwd: tmpdir(), env, mergeErrors: true, ...options });

/** A unique sleep time, which identifies its processes among all others. */
const token = () => `${randomInt(3000, 9000)}.${randomInt(100_000, 999_999)}`;

function processesWith(text: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

/** In the background, without hang-up, forked twice into its own session, deaf to SIGTERM; and one in the foreground. */
const nastyTree = (time: string) => `
  sleep ${time} &
  nohup sleep ${time} >/dev/null 2>&1 &
  (setsid sh -c 'trap "" TERM HUP INT; (sleep ${time} >/dev/null 2>&1 &) ; sleep ${time}; sleep ${time}' >/dev/null 2>&1 &)
  trap "" TERM HUP INT
  echo up
  sleep ${time}; sleep ${time}`;

test('[L7] where the system allows a PID namespace, the level is the one that nothing can leave', () => {
  const args = [
    'setpriv',
    '--pdeathsig',
    'KILL',
    'unshare',
    '--user',
    '--map-current-user',
    '--pid',
    '--fork',
    '--mount-proc',
    'true',
  ];
  const allowed = spawnSync('/usr/bin/env', args).status === 0;
  expect(best === 'namespace-bound').toBe(allowed);
});

test.each(LEVELS)('[L7] exit code, outputs and level are reported (%s)', async (containment) => {
  const result = await shell('echo out; echo err >&2; exit 3', { containment, mergeErrors: false });
  expect(result).toMatchObject({ exitCode: 3, output: 'out\n', errorOutput: 'err\n', containment });
  expect(result).toMatchObject({ timedOut: false, cancelled: false, truncated: false, startFailure: null });
});

test.each(LEVELS)('[L7] merged outputs keep their order (%s)', async (containment) => {
  const result = await shell('echo 1; echo 2 >&2; echo 3; echo 4 >&2', { containment });
  expect(result.output).toBe('1\n2\n3\n4\n');
});

test.each(LEVELS)('[L7] arguments are passed as they are, no shell reads them (%s)', async (containment) => {
  const odd = ['; echo x', '$(id)', '`id`', 'a\nb', '--version', '', '*', '"', "'"];
  const result = await runProcess(['/usr/bin/printf', '[%s]', ...odd], { cwd: tmpdir(), env, containment });
  expect(result.output).toBe(odd.map((each) => `[${each}]`).join(''));
});

test.each(LEVELS)('[L7] input is closed, so a command that asks gets nothing and ends (%s)', async (containment) => {
  const result = await shell('read answer; echo "got $? $answer"; cat', { containment, timeoutMs: 10_000 });
  expect(result).toMatchObject({ timedOut: false, output: 'got 1 \n' });
});

test.each(LEVELS)('[L7] a missing program or folder is reported, not thrown (%s)', async (containment) => {
  const missing = await runProcess(['/nowhere/program'], { cwd: tmpdir(), env, containment });
  expect(missing.exitCode === 127 || missing.startFailure !== null).toBe(true);
  const homeless = await shell('true', { containment, cwd: '/nowhere' });
  expect(homeless).toMatchObject({ exitCode: null, startFailure: 'there is no folder /nowhere' });
});

test.each(LEVELS)('[L7] arguments that no program can take are reported, not thrown (%s)', async (containment) => {
  const tooLong = await shell(`true ${'x'.repeat(300_000)}`, { containment });
  expect(tooLong).toMatchObject({ exitCode: null, startFailure: expect.stringContaining('E2BIG') });
  const nul = await shell('echo a\0b', { containment });
  expect(nul).toMatchObject({ exitCode: null, startFailure: expect.stringContaining('null bytes') });
});

test.each(LEVELS)('[L7] after a timeout nothing of a nasty tree is left (%s)', async (containment) => {
  const time = token();
  const result = await shell(nastyTree(time), { containment, timeoutMs: 700 });
  expect(result).toMatchObject({ timedOut: true, exitCode: null, output: expect.stringContaining('up') });
  expect(processesWith(time)).toEqual([]);
});

test.each(LEVELS)('[L7] after an abort nothing of a nasty tree is left (%s)', async (containment) => {
  const time = token();
  const controller = new AbortController();
  const running = shell(nastyTree(time), { containment, signal: controller.signal });
  await expect.poll(() => processesWith(`sleep\0${time}`).length).toBeGreaterThanOrEqual(5);
  controller.abort();
  expect(await running).toMatchObject({ cancelled: true, timedOut: false, exitCode: null });
  expect(processesWith(time)).toEqual([]);
});

test.each(LEVELS)('[L7] background processes of a command end with it (%s)', async (containment) => {
  const time = token();
  const result = await shell(`(setsid sleep ${time} &) ; echo done`, { containment });
  expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
  expect(processesWith(time)).toEqual([]);
});

test.runIf(best !== 'group')(
  '[L7] a process that cleans its environment and its session cannot leave a namespace',
  async () => {
    const time = token();
    await shell(`(env -i setsid setsid sleep ${time} >/dev/null 2>&1 &) ; echo up; sleep ${time}`, { timeoutMs: 500 });
    expect(processesWith(time)).toEqual([]);
  },
);

test('[L7] aborting at any early moment leaves nothing', async () => {
  const time = token();
  for (let tries = 0; tries < 30; tries += 1) {
    const controller = new AbortController();
    const running = shell(`sleep ${time}`, { signal: controller.signal });
    setTimeout(() => controller.abort(), tries % 10);
    expect(await running).toMatchObject({ cancelled: true });
  }
  expect(processesWith(time)).toEqual([]);
});

test('[L7] a signal that has fired already starts nothing', async () => {
  const result = await shell('echo never', { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ cancelled: true, output: '', exitCode: null });
});

/** A separate process that runs `script` through runProcess, to be killed from outside. */
function startParent(script: string) {
  const module = pathToFileURL(`${import.meta.dirname}/run-process.ts`).href;
  const options = JSON.stringify({ cwd: tmpdir(), env });
  const source = `import { runProcess } from ${JSON.stringify(module)};
    const running = runProcess(['/bin/sh', '-c', ${JSON.stringify(script)}], ${options});
    console.log('started');
    await running;`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const ended = new Promise((resolve) => {
    parent.once('exit', resolve);
  });
  return { parent, ended };
}

test.runIf(best === 'namespace-bound')(
  '[L7] kill -9 of the process that started a nasty tree takes the tree with it',
  async () => {
    const time = token();
    const { parent, ended } = startParent(nastyTree(time));
    await expect.poll(() => processesWith(`sleep\0${time}`).length).toBeGreaterThanOrEqual(5);
    parent.kill('SIGKILL');
    await ended;
    await expect.poll(() => processesWith(time).filter((pid) => pid !== parent.pid), { timeout: 2000 }).toEqual([]);
  },
);

test.runIf(best === 'namespace-bound')(
  '[L7] kill -9 while the tree is only being started leaves nothing either',
  async () => {
    const time = token();
    for (let tries = 0; tries < 4; tries += 1) {
      const { parent, ended } = startParent(`sleep ${time}`);
      await new Promise((resolve) => {
        parent.stdout.once('data', resolve);
      });
      setTimeout(() => parent.kill('SIGKILL'), tries * 8);
      await ended;
    }
    await expect.poll(() => processesWith(time), { timeout: 2000 }).toEqual([]);
  },
);

test('[L7] a pipe that stays open after the end does not hold the result back', async () => {
  const time = token();
  const result = await shell(`sleep ${time} & echo out`, { containment: 'group', timeoutMs: 20_000 });
  expect(result).toMatchObject({ timedOut: false, exitCode: 0, output: 'out\n' });
  expect(processesWith(time)).toEqual([]);
});

test('[L7] of a program known to stay in its group the group ends with it, and nothing else is looked for', async () => {
  const [inside, outside] = [token(), token()];
  const script = `sleep ${inside} & setsid sh -c 'sleep ${outside} >/dev/null 2>&1 & echo out'; true`;
  const result = await shell(script, { containment: 'group', staysInGroup: true });
  expect(result).toMatchObject({ exitCode: 0, output: 'out\n' });
  await expect.poll(() => processesWith(inside), { timeout: 2000 }).toEqual([]);
  const left = processesWith(outside);
  expect(left).toHaveLength(1);
  for (const pid of left) process.kill(pid, 'SIGKILL');
});

test('[L3] long output keeps both ends and notes the gap', async () => {
  const result = await shell('echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last', {
    maxOutputBytes: 2000,
  });
  expect(result.truncated).toBe(true);
  expect(result.output.length).toBeLessThan(2100);
  expect(result.output).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast\n$/);
  expect(result.outputBytes).toBe(3_000_012);
});

test.runIf(best !== 'group')(
  '[L7] the own environment is not handed on, nor to be read from the process list',
  async () => {
    process.env['CANARY_OF_THIS_TEST'] = 'sing-4711';
    onTestFinished(() => {
      delete process.env['CANARY_OF_THIS_TEST'];
    });
    // Names as well as values: the variable was set after the start, so a new process has it in its own list.
    const secretive = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void secretive.kill('SIGKILL'));
    const result = await shell('env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; ls /proc | grep -c "^[0-9]"');
    expect(result.output).not.toContain('CANARY_OF_THIS_TEST');
    expect(result.output).toContain('PATH=/usr/local/bin');
    expect(Number(result.output.trim().split('\n').at(-1))).toBeLessThan(10);
  },
);

test.each(LEVELS)('[L7] input is handed over as bytes (%s)', async (containment) => {
  const result = await shell('cat; echo "|end"', { containment, stdin: Buffer.from([0x61, 0xff, 0x0a]) });
  expect(result.rawOutput).toEqual(Buffer.concat([Buffer.from([0x61, 0xff, 0x0a]), Buffer.from('|end\n')]));
});

test.each(LEVELS)('[L7] a program that never reads its input is not waited for (%s)', async (containment) => {
  const result = await shell('echo done', { containment, stdin: Buffer.alloc(5_000_000, 'x'), timeoutMs: 20_000 });
  expect(result).toMatchObject({ exitCode: 0, output: 'done\n', timedOut: false });
  const deaf = await shell('exec sleep 600', { containment, stdin: Buffer.alloc(5_000_000, 'x'), timeoutMs: 300 });
  expect(deaf).toMatchObject({ exitCode: null, timedOut: true });
});
