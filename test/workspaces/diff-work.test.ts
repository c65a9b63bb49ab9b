import { expect, test } from 'vitest';
import type { Work } from '../../src/core/model/workflow.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses, withAgents } from './bench.ts';

const diff = (agent?: string): Work => ({
  kind: 'command',
  command: expression("'diff'"),
  okExitCodes: [0],
  builtin: 'diff',
  ...(agent === undefined ? {} : { agent }),
});

const definition = withAgents(
  {
    roles: { coder: {}, tester: {} },
    data: { before: '', own: '', shared: '' },
    states: [
      work('first', diff(), [to('code', { assign: 'this.common_data.before = result' })]),
      work('code', turn('coder', "'go'"), [to('mine')]),
      work('mine', diff('coder'), [to('ours', { assign: 'this.common_data.own = result' })]),
      work('ours', diff(), [to('stop', { assign: 'this.common_data.shared = result' })]),
      end('stop', '[common_data.before, common_data.own, common_data.shared]'),
    ],
  },
  { coder: { workspace: 'own' } },
);

const outputOf = async (content: string, files = {}) => {
  const bench = new FilesBench({
    files: { 'old.txt': 'one\ntwo\n', ...files },
    answer: ({ call }) => (call === 1 ? uses('write_file', { path: 'old.txt', content }) : says('done')),
  });
  const { host } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  return (await host.rest(run)).output as readonly [string, string, string];
};

test('[PD2] the diff of a workspace is what it holds that it did not begin with; the other’s is not touched', async () => {
  const [before, own, shared] = await outputOf('one\nTWO\n');
  expect(before).toBe('Nothing was changed.');
  expect(shared).toBe('Nothing was changed.');
  expect(own).toContain('1 changed:\nold.txt +1 -1\n');
  expect(own).toContain('-two\n+TWO\n');
});

test('[PD2] a diff that is too long to read is cut, and says so', async () => {
  const [, own] = await outputOf('a line\n'.repeat(20_000));
  expect(own.length).toBeLessThan(42_000);
  expect(own).toMatch(/\[The diff is cut here: \d+ more characters\. Shown in part: old\.txt\.\]$/);
});

test.each([
  [
    ['echo 2 failed; exit 1'],
    'The engine ran `echo 2 failed; exit 1` on these files: exit code 1 (FAILED). It ended with:\n\n2 failed',
  ],
  [[], 'The engine knows no command that tests this project.'],
])(
  '[A7] [L4] a diff for a judge ends with the engine’s own test result, red or unknown: %j',
  async (commands, result) => {
    const tested = build({
      states: [
        work('look', { ...diff(), builtin: 'diff and tests' } as Work, [
          to('stop', { assign: 'this.common_data.seen = result' }),
        ]),
        end('stop', 'common_data.seen'),
      ],
      data: { seen: '' },
      roles: { coder: {} },
    });
    const bench = new FilesBench({ files: { 'old.txt': 'one\n' }, answer: () => says('done') });
    const { host } = bench.host({ testCommands: () => Promise.resolve(commands) });
    const rest = await host.rest(await host.start({ definition: tested, input: {}, project: bench.project }));
    expect(rest).toMatchObject({ outcome: 'ok', output: `Nothing was changed.\n\n# Tests\n\n${result}` });
  },
);
