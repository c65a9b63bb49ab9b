import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFailure, createShell, type ShellRun } from './shell.ts';
import { runningWith, testFolder } from './testing/test-folder.ts';
import { placeBeside, testSandbox } from './testing/test-sandbox.ts';

const sandbox = testSandbox();

/** One command in a folder, as the engine would run it. */
function run(folder: string, command: string, options: Partial<ShellRun> & { environment?: NodeJS.ProcessEnv } = {}) {
  const { environment = { PATH: process.env['PATH'] }, ...rest } = options;
  const shell = createShell({ sandbox, hidden: [], environment });
  const { signal } = new AbortController();
  return shell(command, { place: placeBeside(folder), access: 'write', network: false, signal, ...rest });
}

test('[L4] the exit code of a command is evidence, whatever it is', async () => {
  const folder = testFolder({ 'a.txt': 'x' });
  for (const [command, exitCode, output] of [
    ['cat a.txt', 0, 'x'],
    ['echo bad >&2; exit 7', 7, 'bad\n'],
    ['no-such-program-here', 127, expect.stringContaining('not found')],
  ] as const) {
    const result = await run(folder, command);
    expect(result).toMatchObject({ exitCode, output });
    expect(commandFailure(result)?.code).toBe(exitCode === 0 ? undefined : 'COMMAND_FAILED');
    expect(commandFailure(result, { okExitCodes: [exitCode] })).toBeNull();
  }
});

test('[L5] a command without an exit code says why', async () => {
  const folder = testFolder();
  const failure = async (options: Partial<ShellRun>, command = 'sleep 60') => {
    const result = await run(folder, command, options);
    expect(result.exitCode).toBeNull();
    return commandFailure(result);
  };
  expect(await failure({ signal: AbortSignal.timeout(100) })).toMatchObject({
    code: 'COMMAND_CANCELLED',
    class: 'cancelled',
  });
  expect(await failure({ timeoutMs: 100 })).toMatchObject({ code: 'COMMAND_TIMEOUT', class: 'timeout' });
  const nowhere = { folder: '/nowhere/at/all', environment: {}, folders: [] };
  expect(await failure({ place: nowhere })).toMatchObject({ code: 'COMMAND_NOT_STARTED', class: 'config' });
});

test('[L8] a command gets what is on the list and the values of its workspace, and nothing else', async () => {
  const folder = testFolder();
  const place = { ...placeBeside(folder), environment: { ...placeBeside(folder).environment, TROUPE_PORT: '4711' } };
  const secrets = {
    OPENAI_API_KEY: 'canary-0815',
    NODE_OPTIONS: '--inspect',
    LD_PRELOAD: '/evil.so',
    GIT_DIR: '/evil',
  };
  const environment = { ...secrets, PATH: `${process.env['PATH']}:relative:.`, TZ: 'UTC', HOME: '/home/canary-0815' };
  const { output } = await run(folder, 'env; cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"', {
    place,
    environment,
  });
  const names = new Set(output.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []));
  const listed = ['PATH', 'LANG', 'TZ', 'SHELL', 'TERM', 'CI', 'NO_COLOR', 'PAGER', 'HOME', 'TMPDIR', 'PWD', 'OLDPWD'];
  const own = ['TROUPE_PORT', 'SHLVL', '_'];
  expect([...names].filter((name) => ![...listed, ...own].includes(name) && !/^(?:GIT|BOX_VALUE)_/.test(name))).toEqual(
    [],
  );
  expect(output).not.toMatch(/canary|evil|relative/);
  expect(output).toContain('TROUPE_PORT=4711');
  expect(output).toContain(`HOME=${join(dirname(folder), 'home')}`);
  expect(output).toContain('GIT_CONFIG_GLOBAL=/dev/null');
});

test('[L3] both ends of a long output are kept, and no more', async () => {
  const result = await run(testFolder(), 'echo first; yes | head -c 10000000; echo last');
  expect(result.output.length).toBeLessThan(66_000);
  expect(result.output).toMatch(/^first\n[^]*bytes left out …\][^]*\nlast\n$/);
  expect(result).toMatchObject({ exitCode: 0, truncated: true });
});

test('[PH3] a command can read its changes to a throw-away workspace, which are then discarded and reported', async () => {
  const folder = testFolder({ 'src/a': 'a\n' });
  const command = 'echo x > src/a; echo y > new; cat src/a new';
  const result = await run(folder, command, { access: 'throwaway' });
  expect(result).toMatchObject({ exitCode: 0, output: 'x\ny\n' });
  expect(result.discarded.join()).toMatch(/new[^]*src\/a/);
  expect(readFileSync(join(folder, 'src/a'), 'utf8')).toBe('a\n');
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test('[L8] a command writes in its workspace and nowhere else', async () => {
  const folder = testFolder();
  const outside = join(dirname(folder), 'outside');
  const command = `echo in > here; echo out > '${outside}' || echo out > /etc/troupe-was-here; echo $?`;
  await run(folder, command);
  expect(readFileSync(join(folder, 'here'), 'utf8')).toBe('in\n');
  expect([existsSync(outside), existsSync('/etc/troupe-was-here')]).toEqual([false, false]);
});

test('[L7] nothing that a command started outlives it', async () => {
  const seconds = `86400.${process.pid}`;
  const command = `(setsid sh -c "trap '' TERM HUP; sleep ${seconds}" &); while ! pgrep -f 'sleep ${seconds}' > /dev/null; do :; done; echo up`;
  expect(await run(testFolder(), command)).toMatchObject({ exitCode: 0, output: 'up\n' });
  expect(runningWith(`sleep\0${seconds}`)).toEqual([]);
});

test('programs installed in a private place can be used, with what they need beside them and nothing around them', async () => {
  const place = testFolder({
    'user/apps/tool/v1/bin/hello': '#!/bin/sh\ncat "$(dirname "$0")/../lib/word"; ls "$(dirname "$0")/../.."',
    'user/apps/tool/v1/lib/word': 'hey\n',
    'user/apps/tool/secret': 'canary',
    'work/a': '',
  });
  chmodSync(join(place, 'user/apps/tool/v1/bin/hello'), 0o755);
  const bin = join(place, 'user/apps/tool/v1/bin');
  const options = { environment: { PATH: `/usr/bin:/bin:${bin}` } };
  expect((await run(join(place, 'work'), 'hello', options)).output).toBe('hey\nv1\n');
  expect((await run(join(place, 'work'), `echo x > '${bin}/hello'; echo $?`, options)).output).toMatch(/[12]\n$/);
});

test('[L7] git finds no repository above the workspace', async () => {
  const folder = testFolder({ 'a.txt': '' });
  mkdirSync(join(dirname(folder), '.git', 'refs'), { recursive: true });
  mkdirSync(join(dirname(folder), '.git', 'objects'));
  writeFileSync(join(dirname(folder), '.git', 'HEAD'), 'ref: refs/heads/main\n');
  expect((await run(folder, 'git rev-parse --show-toplevel')).output).toContain('not a git repository');
});
