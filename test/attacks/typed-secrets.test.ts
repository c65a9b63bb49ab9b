import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { scriptedProject } from '../cli/projects.ts';

/** Not by its name: only the settings say that this variable holds a key. */
const MODEL = '{ provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: m, api_key_env: SPOKEN }';
const key = `sk-${randomBytes(12).toString('hex')}`;

const COMMANDS: readonly (readonly string[])[] = [
  ['show', key],
  ['show', key, '--json'],
  ['logs', key],
  ['watch', key],
  ['list', '--status', key],
  ['metrics', key],
  ['artifacts', key],
  ['artifacts', 'why', key],
  ['messages', key],
  ['compare', key],
  ['diff', key],
  ['deliver', key],
  ['answer', key, 'yes'],
  ['cancel', key],
  ['prune', key],
  ['workflows', key],
  ['check', key],
  ['run', key],
  ['run', `--${key}`],
  [key],
  ['help', key],
];

test.each(COMMANDS.map((words) => [words.map((one) => one.replace(key, 'KEY')).join(' '), words] as const))(
  '[F69] a key that is typed as an argument is not printed: troupe %s',
  async (_title, words) => {
    const sandbox = scriptedProject();
    sandbox.write('.troupe/config.yaml', `models:\n  base: ${MODEL}\n`);
    const { stdout, stderr } = await sandbox.troupe(words, { environment: { SPOKEN: key } });
    expect(stdout + stderr).not.toContain(key);
    expect(stdout + stderr).not.toBe('');
  },
);
