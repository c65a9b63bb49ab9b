import { expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import type { SetupRequest } from '../../src/workspace/port.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { FilesBench, uses, withAgents } from './bench.ts';

const edits = ({ call }: CallRequest) =>
  call > 1 ? says('done') : uses('write_file', { path: 'package-lock.json', content: '{"by": "the agent"}' });

const definition = withAgents(
  {
    roles: { ann: {} },
    states: [
      work('start', turn('ann', "'edit'"), [to('merge')]),
      work('merge', { kind: 'merge', agent: 'ann', verify: expression("'test -f package-lock.json'") }, [to('stop')]),
      end('stop'),
    ],
  },
  { ann: { workspace: 'own' } },
);

test('[C30] the check of a merge runs on files of an agent: what makes them ready for it has no network', async () => {
  const bench = new FilesBench({ files: { 'package-lock.json': '{}' }, answer: edits });
  const asked: Pick<SetupRequest, 'network'>[] = [];
  const workspaces = createWorkspaces({
    home: bench.home,
    settings: { setup: 'true' },
    runSetup: ({ network }) => {
      asked.push({ network });
      return Promise.resolve({ exitCode: 0, output: '' });
    },
  });
  const { host } = bench.host({ workspaces });
  const run = await host.start({ definition, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', failure: null });
  // On what the run began with it may be used, on the merged files not.
  expect(asked.map(({ network }) => network)).toEqual([...asked.slice(1).map(() => true), false]);
  expect(asked.length).toBeGreaterThan(1);
  await workspaces.close();
});

const checked = (verify: string) =>
  withAgents(
    {
      roles: { ann: {} },
      states: [
        work('start', turn('ann', "'edit'"), [to('check')]),
        work(
          'check',
          { kind: 'command', command: expression("'false'"), okExitCodes: [0], agent: 'ann' },
          [to('merge')],
          {
            on: { failed: [to('merge')] },
          },
        ),
        work('merge', { kind: 'merge', agent: 'ann', verify: expression(JSON.stringify(verify)) }, [to('stop')]),
        end('stop'),
      ],
    },
    { ann: { workspace: 'own' } },
  );

test.each([
  ['', 'COMMAND_FAILED'],
  ['true', undefined],
])(
  '[L4] files that failed a command stay refused after a merge, until a check passes: verify %j',
  async (verify, code) => {
    const bench = new FilesBench({ files: { 'package-lock.json': '{}' }, answer: edits });
    const { host } = bench.host();
    const run = await host.start({ definition: checked(verify), input: {}, project: bench.project });
    await host.rest(run);
    const facts = await bench.facts(run);
    const merged = facts.findLast((fact) => fact.kind === 'files.changed' && fact.workspace === 'main');
    expect(merged).toMatchObject({ why: 'merge' });
    expect(merged?.kind === 'files.changed' ? merged.refused?.code : null).toBe(code);
  },
);
