import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { systemProgram } from '../../../src/lib/process-tree.ts';
import { CONFINED, eventually, EVERY, processesWith, STRONGEST } from './attack.ts';
import type { Attack, Scene } from './attack.ts';

const diesWithUs: Attack['lacks'] = ({ containment }) =>
  containment === 'namespace-bound' ? null : 'without namespaces a killed engine leaves its processes';
const limitsProcesses: Attack['lacks'] = ({ processLimit }) =>
  processLimit === 'none' ? 'the number of processes cannot be limited here' : null;

/** E: what a command must not do to the machine, and what must not be left of it. */
export const attacks: readonly Attack[] = [
  {
    title: '[E52] arguments reach the program as they are, and no shell reads them',
    levels: EVERY,
    run: async ({ sandbox, options }) => {
      const odd = [
        '; rm -rf /',
        '$(id)',
        '`id`',
        'a\nb',
        '--version',
        '',
        '*',
        '"',
        "'",
        '\\',
        '-',
        '--',
        '$0',
        'é\u{202e}',
      ];
      const { output } = await sandbox.run(['/usr/bin/printf', '[%s]', ...odd], options());
      assert.equal(output, odd.map((each) => `[${each}]`).join(''));
    },
  },
  {
    title: '[E53] a harmless program that starts others stays in the box with them',
    levels: CONFINED,
    run: async ({ shell, work, kept }) => {
      writeFileSync(join(work, 'breach.sh'), `#!/bin/sh\necho ran >> ran; echo breach > "${kept}/breach"\n`, {
        mode: 0o755,
      });
      const launchers = [
        'find . -maxdepth 0 -exec ./breach.sh \\;',
        `awk 'BEGIN { system("./breach.sh") }'`,
        `echo x | sed '1e ./breach.sh'`,
        'tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=./breach.sh breach.sh',
        'env -i ./breach.sh',
        'xargs ./breach.sh < /dev/null',
        ...(systemProgram('git') === ''
          ? []
          : [`export GIT_CONFIG_NOSYSTEM=1; git init -q . && git -c alias.x='!./breach.sh' x`]),
      ];
      for (const launcher of launchers) await shell(launcher, { mergeErrors: true });
      const ran = readFileSync(join(work, 'ran'), 'utf8').trim().split('\n');
      assert.equal(ran.length, launchers.length);
      assert.deepEqual(readdirSync(kept), ['secret']);
    },
  },
  {
    title: '[E53] writing, moving, linking and mounting outside of the lent folder fails',
    levels: CONFINED,
    run: async ({ shell, kept, work }) => {
      const tries = [
        `echo x > "${kept}/new"`,
        `echo x >> "${kept}/secret"`,
        `: > "${kept}/secret"`,
        `rm -f "${kept}/secret"`,
        `mv "${kept}/secret" moved`,
        `mkdir "${kept}/folder"`,
        `ln -s "${kept}" link && echo x > link/new`,
        `ln "${kept}/secret" hard && echo x >> hard`,
        `mount --bind "${work}" "${kept}"`,
        'mount -o remount,rw /',
        `echo x > "${work}/../beside"`,
        'echo x > /etc/attack-written',
      ];
      for (const each of tries) await shell(each);
      assert.deepEqual(readdirSync(kept), ['secret']);
      assert.match(readFileSync(join(kept, 'secret'), 'utf8'), /^canary-\w+$/);
      assert.equal(existsSync(join(work, '..', 'beside')), false);
      assert.equal(existsSync('/etc/attack-written'), false);
    },
  },
  {
    title: '[E53] a folder lent for reading cannot be written, nor one for throwing away',
    levels: STRONGEST,
    lacks: ({ hasOverlay }) => (hasOverlay ? null : 'no overlay works here'),
    run: async ({ shell, work }) => {
      writeFileSync(join(work, 'file'), 'before');
      mkdirSync(join(work, 'sub'));
      const write = 'echo x > file; echo x > new; chmod 700 sub; mv sub moved; rm -f file; ln -s / "ev\nil"';
      await shell(write, { folders: [{ path: work, access: 'read' }] });
      const { exitCode, discarded } = await shell(write, { folders: [{ path: work, access: 'throwaway' }] });
      assert.equal(exitCode, 0);
      assert.deepEqual(
        discarded,
        ['ev\\u{a}il', 'file', 'moved', 'new', 'sub'].map((name) => join(work, name)),
      );
      assert.deepEqual(readdirSync(work).sort(), ['file', 'sub']);
      assert.equal(readFileSync(join(work, 'file'), 'utf8'), 'before');
    },
  },
  {
    title: '[E55] nothing of a nasty tree is left after a timeout',
    levels: EVERY,
    run: async ({ shell }) => {
      const time = uniqueTime();
      const { timedOut, exitCode, output } = await shell(nastyTree(time), { timeoutMs: 1500 });
      assert.deepEqual({ timedOut, exitCode, output }, { timedOut: true, exitCode: null, output: 'up\n' });
      assert.deepEqual(await left(time), []);
    },
  },
  {
    title: '[E55] nothing of a nasty tree is left after a cancel',
    levels: EVERY,
    run: async ({ shell }) => {
      const time = uniqueTime();
      const controller = new AbortController();
      const running = shell(nastyTree(time), { signal: controller.signal });
      await grown(time);
      controller.abort();
      const { cancelled, exitCode } = await running;
      assert.deepEqual({ cancelled, exitCode }, { cancelled: true, exitCode: null });
      assert.deepEqual(await left(time), []);
    },
  },
  {
    title: '[E55] nothing is left of a cancel at any early moment, on a throw-away folder too',
    levels: STRONGEST,
    lacks: ({ hasOverlay }) => (hasOverlay ? null : 'no overlay works here'),
    run: async ({ shell, work }) => {
      const time = uniqueTime();
      for (let tries = 0; tries < 24; tries += 1) {
        const controller = new AbortController();
        const access = tries % 2 === 0 ? 'write' : 'throwaway';
        const running = shell(`sleep ${time}`, { signal: controller.signal, folders: [{ path: work, access }] });
        setTimeout(() => controller.abort(), tries * 2);
        assert.equal((await running).cancelled, true);
      }
      assert.deepEqual(await left(time), []);
    },
  },
  {
    title: '[E55] a kill -9 of the engine takes a nasty tree with it',
    levels: EVERY,
    lacks: diesWithUs,
    run: (scene) => killEngine(scene, 'run'),
  },
  {
    title: '[E55] a kill -9 of the engine takes a long-lived agent with it',
    levels: EVERY,
    lacks: diesWithUs,
    run: (scene) => killEngine(scene, 'wrap'),
  },
  {
    title: '[E55] a crash of the engine leaves nothing either, whenever it happens',
    levels: EVERY,
    lacks: diesWithUs,
    run: async (scene) => {
      const time = uniqueTime();
      for (const mode of ['run', 'wrap'] as const) {
        for (let tries = 0; tries < 4; tries += 1) {
          const engine = startEngine(scene, { script: `sleep ${time}`, mode });
          await engine.started;
          setTimeout(() => engine.process.kill(tries % 2 === 0 ? 'SIGKILL' : 'SIGABRT'), tries * 6);
          await engine.ended;
        }
      }
      assert.deepEqual(await left(time), []);
    },
  },
  {
    title: '[E56] a fork bomb stays below its limit, and the engine goes on',
    levels: EVERY,
    lacks: limitsProcesses,
    run: async ({ shell }) => {
      const mark = `bomb_${randomInt(1e9)}`;
      let ticks = 0;
      let most = 0;
      const controller = new AbortController();
      // Ended when enough was seen, so that a busy machine only takes longer.
      const ticking = setInterval(() => {
        ticks += 1;
        most = Math.max(most, processesWith(mark).length);
        if (ticks >= 20 && most > 10) controller.abort();
      }, 50);
      // The first shell only waits: it would end when it cannot fork, and its end would end the bomb.
      const bomb = `${mark}() { ${mark} & ${mark} & sleep 1; }; (while :; do ${mark}; done) & while :; do :; done`;
      const { signal } = controller;
      const result = await shell(bomb, { limits: { processes: 60 }, timeoutMs: 20_000, signal, mergeErrors: true });
      clearInterval(ticking);
      assert.equal(result.startFailure, null);
      assert.ok(ticks >= 3, `the engine ticked ${ticks} times`);
      // The box's own few processes stand around those that are counted inside.
      assert.ok(most > 10 && most <= 64, `${most} processes`);
      assert.deepEqual(await left(mark), []);
    },
  },
  {
    title: '[E56] a file, the memory and the processor time of a process have limits',
    levels: EVERY,
    run: async ({ shell, sandbox, options, work }) => {
      await shell('head -c 3000000 /dev/zero > big', { limits: { fileBytes: 1_000_000 } });
      assert.equal(readFileSync(join(work, 'big')).length, 1_000_000);
      const hungry =
        'const all = []; for (let i = 0; i < 30; i += 1) all.push(Buffer.alloc(1e8, 1)); console.log("fed")';
      const fed = await sandbox.run(
        [process.execPath, '-e', hungry],
        options({ limits: { memoryBytes: 1_500_000_000 } }),
      );
      assert.ok(!fed.output.includes('fed') && fed.exitCode !== 0, fed.errorOutput);
      const busy = await shell('while :; do :; done', { limits: { cpuSeconds: 1 } });
      assert.ok(!busy.timedOut && busy.exitCode !== 0);
    },
  },
  {
    title: '[E57] a flood of output is cut in the middle, with its size',
    levels: EVERY,
    run: async ({ shell }) => {
      const result = await shell('echo first; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo last', {
        maxOutputBytes: 4000,
      });
      assert.equal(result.truncated, true);
      assert.equal(result.outputBytes, 100_000_012);
      assert.ok(result.output.startsWith('first\n') && result.output.endsWith('last\n'));
      assert.ok(result.output.length < 4200);
    },
  },
  {
    title: '[E58] a process that keeps the output open, or never reads its input, holds nothing up',
    levels: EVERY,
    run: async ({ shell }) => {
      const time = uniqueTime();
      const open = await shell(`(setsid sleep ${time} &); echo out`);
      assert.deepEqual([open.exitCode, open.output, open.timedOut], [0, 'out\n', false]);
      const deaf = await shell('echo deaf', { stdin: Buffer.alloc(3_000_000, 'x') });
      assert.deepEqual([deaf.exitCode, deaf.output, deaf.timedOut], [0, 'deaf\n', false]);
      const stuck = await shell(`exec sleep ${time}`, { stdin: Buffer.alloc(3_000_000, 'x'), timeoutMs: 400 });
      assert.deepEqual([stuck.exitCode, stuck.timedOut], [null, true]);
      assert.deepEqual(await left(time), []);
    },
  },
  {
    title: "[E59] programs planted in the folder and on the path are not taken for the system's",
    levels: EVERY,
    run: async (scene) => {
      const names = ['bwrap', 'setpriv', 'unshare', 'prlimit', 'perl', 'sh', 'mount', 'env', 'git', 'node'];
      for (const folder of [scene.work, join(scene.work, 'bin')]) {
        mkdirSync(folder, { recursive: true });
        for (const name of names) plant(join(folder, name), join(scene.work, 'planted-ran'));
      }
      const before = process.env['PATH'];
      const path = `.:${scene.work}/bin:${scene.work}:${before ?? ''}`;
      process.env['PATH'] = path;
      try {
        const env = {
          PATH: path,
          HOME: scene.work,
          BASH_ENV: './sh',
          ENV: './sh',
          PERL5OPT: '-Mevil',
          SHELLOPTS: 'xtrace',
        };
        const access = scene.found.hasOverlay ? 'throwaway' : 'write';
        const { exitCode, errorOutput } = await scene.sandbox.run(
          ['/bin/true'],
          scene.options({ env, folders: [{ path: scene.work, access }] }),
        );
        assert.equal(exitCode, 0, errorOutput);
        assert.equal(existsSync(join(scene.work, 'planted-ran')), false);
      } finally {
        process.env['PATH'] = before;
      }
    },
  },
  {
    title: '[E61] no namespace can be made inside, and there are no powers to use one',
    levels: STRONGEST,
    lacks: ({ canForbidNamespaces }) => (canForbidNamespaces ? null : 'bubblewrap is older than 0.8'),
    run: async ({ shell }) => {
      const { output } = await shell(
        'unshare -U true && echo made; unshare -Ur true && echo made; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status | tr -s "\\t0" ":"',
      );
      assert.equal(output, 'CapEff:\nCapBnd:\nNoNewPrivs:1\n');
    },
  },
  {
    title: '[E61] processes outside can be neither seen, signalled nor entered',
    levels: EVERY,
    lacks: ({ containment }) => (containment === 'group' ? 'without namespaces all processes can be seen' : null),
    run: async ({ shell, stranger, kept, found }) => {
      const pid = stranger.pid ?? 0;
      await shell(`kill -9 ${pid}; kill -9 -1; cat /proc/${pid}/mem`);
      assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null]);
      if (found.level !== 'bubblewrap') return;
      const { output } = await shell(
        `for each in /proc/[0-9]*; do ls "$each/root${kept}" "$each/cwd/../kept"; done 2>/dev/null`,
      );
      assert.equal(output, '');
    },
  },
  {
    title: '[E61] sockets of services outside cannot be reached, neither by path nor by abstract name',
    levels: STRONGEST,
    run: async (scene) => {
      const places = [join(scene.kept, 'docker.sock'), `\0attack-${randomInt(1e9)}`];
      for (const place of places) {
        const server = createServer((socket) => socket.end('reached'));
        await new Promise<void>((resolve) => {
          server.listen(place, resolve);
        });
        const script = `
          const socket = require('node:net').connect(${JSON.stringify(place)});
          socket.on('data', (data) => process.stdout.write(data));
          socket.on('error', () => process.stdout.write('refused'));`;
        const { output } = await scene.sandbox.run([process.execPath, '-e', script], scene.options());
        server.close();
        assert.equal(output, 'refused');
      }
    },
  },
  {
    title: '[E61] files made inside belong to the user outside, and git takes the folder for its own',
    levels: STRONGEST,
    lacks: () => (systemProgram('git') === '' ? 'git is not installed' : null),
    run: async ({ shell, work }) => {
      const { exitCode, errorOutput } = await shell('git init -q . && echo x > a && git add a && git status --short');
      assert.deepEqual([exitCode, errorOutput], [0, '']);
      const { statSync } = await import('node:fs');
      assert.equal(statSync(join(work, 'a')).uid, process.getuid?.());
    },
  },
];

/** A unique time to sleep, by which its processes are found. */
const uniqueTime = (): string => `${randomInt(3000, 9000)}.${randomInt(100_000, 999_999)}`;

/** In the background, without hang-up, forked twice into a separate session, deaf to signals, without environment. */
const nastyTree = (time: string): string => `
  sleep ${time} &
  nohup sleep ${time} >/dev/null 2>&1 &
  (setsid sh -c 'trap "" TERM HUP INT; (sleep ${time} >/dev/null 2>&1 &) ; sleep ${time}; sleep ${time}' >/dev/null 2>&1 &)
  trap "" TERM HUP INT
  echo up
  sleep ${time}; sleep ${time}`;

/** The promise is one second. */
const left = (mark: string): Promise<readonly number[]> =>
  eventually(
    () => processesWith(mark),
    (pids) => pids.length === 0,
    1000,
  );

async function grown(time: string): Promise<void> {
  const pids = await eventually(
    () => processesWith(`sleep\0${time}`),
    ({ length }) => length >= 5,
    20_000,
  );
  assert.ok(pids.length >= 5, 'the tree did not grow');
}

async function killEngine(scene: Scene, mode: 'run' | 'wrap'): Promise<void> {
  const time = uniqueTime();
  const engine = startEngine(scene, { script: nastyTree(time), mode });
  await grown(time);
  engine.process.kill('SIGKILL');
  await engine.ended;
  assert.deepEqual(await left(time), []);
}

/** A separate process that starts the script in the same sandbox, to be killed. */
function startEngine(
  { found, options, kept }: Scene,
  what: { readonly script: string; readonly mode: 'run' | 'wrap' },
) {
  const module = new URL('../../../src/sandbox/open-sandbox.ts', import.meta.url).href;
  const source = `
    import { spawn } from 'node:child_process';
    import { openSandbox } from ${JSON.stringify(module)};
    const sandbox = openSandbox(${JSON.stringify(found)}, ${JSON.stringify(kept)});
    const { timeoutMs, ...box } = ${JSON.stringify(options())};
    const argv = ['/bin/sh', '-c', ${JSON.stringify(what.script)}];
    const wait = setTimeout(() => undefined, 60_000);
    if (${what.mode === 'run'}) void sandbox.run(argv, box);
    else {
      const { argv: [program, ...rest], env, cwd } = await sandbox.wrap(argv, box);
      spawn(program, rest, { env, cwd, detached: true, stdio: 'ignore' });
    }
    console.log('started');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const started = new Promise<void>((resolve) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => resolve());
  });
  return { process: child, started, ended };
}

function plant(file: string, evidence: string): void {
  writeFileSync(file, `#!/bin/sh\necho ran > "${evidence}"\n`);
  chmodSync(file, 0o755);
}
