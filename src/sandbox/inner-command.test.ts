import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { innerCommand } from './prepared-sandbox.ts';

const run = (env: Readonly<Record<string, string>>, argv: readonly string[]) => {
  const inner = innerCommand(argv, { env, gated: false, mergeErrors: false });
  const [program = '', ...rest] = inner.argv;
  return { inner, output: spawnSync(program, rest, { env: inner.env, encoding: 'utf8' }).stdout };
};

test('[PD1] the program gets exactly its own environment', () => {
  const env = { PATH: '/usr/bin:/bin', ODD: `$(id) "quoted" 'single' \`x\` \\ \n end`, EMPTY: '' };
  const { output } = run(env, [process.execPath, '-p', 'JSON.stringify(process.env)']);
  const { PWD: _, OLDPWD: __, SHLVL: ___, _: ____, ...got } = JSON.parse(output) as Record<string, string>;
  expect(got).toEqual(env);
});

test('[PD1] no value and no name of it reaches the programs around', () => {
  const { inner } = run({ LD_PRELOAD: 'evil.so', 'BASH_FUNC_echo%%': '() { evil; }', KEY: 'secret' }, ['/bin/true']);
  expect(Object.keys(inner.env).every((name) => /^BOX_VALUE_\d+$/.test(name))).toBe(true);
  expect(inner.argv.join(' ')).not.toContain('secret');
  expect(inner.argv.join(' ')).not.toContain('BASH_FUNC');
});

test('[PD1] names that would break the shell are left out', () => {
  const { output } = run({ 'a b': '1', '1a': '2', UID: '3', SHELLOPTS: 'xtrace', 'x;id': '4', GOOD: '5' }, [
    '/usr/bin/env',
  ]);
  expect(output).toContain('GOOD=5');
  expect(output).not.toMatch(/a b|1a|UID=3|xtrace|x;id/);
});

test('[L7] a missing program is reported by its exit code', () => {
  const { argv, env } = innerCommand(['/nowhere/program'], { env: {}, gated: false, mergeErrors: false });
  const [program = '', ...rest] = argv;
  expect(spawnSync(program, rest, { env }).status).toBe(127);
});
