import { expect, test } from 'vitest';
import type { Work } from '../../src/core/workflow.ts';
import { end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
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

test('[PD2] a diff that nobody could read is cut, and says so', async () => {
  const [, own] = await outputOf('a line\n'.repeat(20_000));
  expect(own.length).toBeLessThan(42_000);
  expect(own).toMatch(/more characters; read these files yourself\]$/);
});
