import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { testSandbox } from '../../../tools/testing/test-sandbox.ts';
import { ClientProcess, type ClientProcessOptions } from './client-process.ts';

const HOUR = 3_600_000;

describe.each(['bubblewrap', 'none'] as const)('a client in the sandbox %s', (level) => {
  const openSandbox = testSandbox(level);
  const folder = mkdtempSync(join(tmpdir(), 'client-process-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(script: string, change: Partial<ClientProcessOptions> = {}) {
    const lines: string[] = [];
    const process = await ClientProcess.start(
      {
        sandbox: await openSandbox(),
        argv: ['/bin/sh', '-c', script],
        box: {
          cwd: folder,
          env: { PATH: '/usr/bin:/bin' },
          folders: [{ path: folder, access: 'write' }],
          hidden: [],
          network: false,
        },
      },
      {
        limits: { idleMs: HOUR, wallMs: HOUR },
        signal: new AbortController().signal,
        onLine: ({ text }) => lines.push(text),
        ...change,
      },
    );
    return { process, lines };
  }

  test('is spoken with line by line, until its input ends', async () => {
    const { process, lines } = await start('while read -r line; do echo "heard $line"; done; printf "last"; exit 3');
    process.send('one');
    process.send('two');
    process.endInput();
    expect(await process.ended).toEqual({
      exitCode: 3,
      signal: null,
      stopped: null,
      startFailure: null,
      errorOutput: '',
    });
    expect(lines).toEqual(['heard one', 'heard two', 'last']);
  });

  test('what it says on its error output is kept, in bounds', async () => {
    const { process } = await start('echo trouble >&2; yes | head -c 300000 >&2; echo end >&2');
    const { errorOutput } = await process.ended;
    expect(errorOutput).toMatch(/^trouble[^]*left out[^]*end\n$/);
    expect(errorOutput.length).toBeLessThan(20_000);
  });

  test('[Q5] a silent program is signalled to end, and ends in its own way', async () => {
    const script = 'trap "echo saved > saved; exit 0" TERM; echo up; while :; do read -r x || sleep 0.05; done';
    const { process } = await start(script, { limits: { idleMs: 1500, wallMs: HOUR } });
    expect(await process.ended).toMatchObject({ stopped: 'idle', exitCode: 0 });
    expect(existsSync(join(folder, 'saved'))).toBe(true);
  });

  test('[Q5] is asked first, where its protocol has a word for it', async () => {
    const holder: { process?: ClientProcess } = {};
    const interrupt = (): boolean => {
      holder.process?.send('stop');
      return true;
    };
    const { process, lines } = await start('read -r word; echo "asked to $word"', {
      limits: { idleMs: HOUR, wallMs: 200 },
      interrupt,
    });
    holder.process = process;
    expect(await process.ended).toMatchObject({ stopped: 'wall', exitCode: 0 });
    expect(lines).toEqual(['asked to stop']);
  });

  test('[A8] one that goes on after its turn is over is asked to end when its grace time has passed', async () => {
    const holder: { process?: ClientProcess } = {};
    const interrupt = (): boolean => {
      holder.process?.send('stop');
      return true;
    };
    const limits = { idleMs: HOUR, wallMs: HOUR, graceMs: 200 };
    const { process, lines } = await start('read -r word; echo "asked to $word"', { limits, interrupt });
    holder.process = process;
    process.endSoon();
    expect(await process.ended).toMatchObject({ stopped: 'over', exitCode: 0 });
    expect(lines).toEqual(['asked to stop']);
  });

  test('[A2] one that ignores everything is killed with its children, soon', async () => {
    const controller = new AbortController();
    const child = `(trap '' TERM HUP; echo $$ > ${level}.pid; exec tail -f ${folder}/${level}.pid) &`;
    const { process, lines } = await start(`trap '' TERM HUP INT; ${child} echo up; while :; do sleep 0.1; done`, {
      signal: controller.signal,
      interrupt: () => true,
    });
    while (lines.length === 0 || !existsSync(join(folder, `${level}.pid`))) await delay(5);
    const before = performance.now();
    controller.abort();
    expect(await process.ended).toMatchObject({ stopped: 'cancelled' });
    expect(performance.now() - before).toBeLessThan(5000);
    expect(running(`tail -f ${folder}/${level}.pid`)).toEqual([]);
  });

  test('[L7] what it leaves behind is gone when it has ended', async () => {
    const { process } = await start(`tail -f ${folder}/left-${level} & echo $! > left-${level}; sleep 0.1; echo done`);
    expect(await process.ended).toMatchObject({ exitCode: 0, stopped: null });
    expect(running(`tail -f ${folder}/left-${level}`)).toEqual([]);
  });

  test('one that does not end after its input has is stopped as lingering', async () => {
    const { process } = await start('exec tail -f /dev/null');
    process.endInput(50);
    expect(await process.ended).toMatchObject({ stopped: 'lingering' });
  });

  test('a signal that fired before does not let it live', async () => {
    const { process } = await start('exec tail -f /dev/null', { signal: AbortSignal.abort() });
    expect(await process.ended).toMatchObject({ stopped: 'cancelled' });
  });

  test('a reader that fails on a line ends it, and the error rejects', async () => {
    const onLine = (): never => {
      throw new Error('The reader is broken.');
    };
    const { process } = await start('echo one; exec tail -f /dev/null', { onLine });
    await expect(process.ended).rejects.toThrow('The reader is broken.');
  });

  test('one that cannot be started says why', async () => {
    const sandbox = await openSandbox();
    const argv = ['/bin/true', 'x'.repeat(3_000_000)];
    const box = { cwd: folder, env: {}, folders: [], hidden: [], network: false };
    const limits = { idleMs: HOUR, wallMs: HOUR };
    const options = { limits, signal: new AbortController().signal, onLine: () => undefined };
    const process = await ClientProcess.start({ sandbox, argv, box }, options);
    expect(await process.ended).toMatchObject({ exitCode: null, startFailure: expect.stringContaining('E2BIG') });
  });
});

/** The processes with these words in their command line. */
function running(words: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(words));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
