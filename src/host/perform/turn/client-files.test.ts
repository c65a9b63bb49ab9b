import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '../../../actors/port.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import type { RunId } from '../../../core/model/ids.ts';
import type { Definition } from '../../../core/model/definition.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import type { Journal } from '../../../journal/port.ts';
import type { ShellResult } from '../../../tools/shell.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import type { World } from '../../world.ts';
import { build, end, expression, to, turn, work } from '../../testing/build-definition.ts';
import { dyingJournal } from '../../testing/dying-journal.ts';
import { CLIENT_TRAITS, STOPPED_REPLY, stoppingClient } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const HALF = 'half.txt';

test('[L6] [W1] files that a client wrote in its first turn are still there after the engine was killed, as its work', async () => {
  const { run, second, journal } = await killed(['agent']);
  await second.resume(run);
  expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(second.found).toEqual([true]);
  expect(await changesOf(journal, run, 'agent')).toEqual([{ why: 'work', task: 't1' }]);
});

test('[L6] [W1] a command of another unit that was killed too is undone only where it ran', async () => {
  const { run, second, journal, wards } = await killed(['agent', 'ward']);
  await second.resume(run);
  expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(second.found).toEqual([true]);
  expect(wards).toEqual([false, false]);
  expect(await changesOf(journal, run, 'agent')).toEqual([{ why: 'work', task: 't1' }]);
  expect((await changesOf(journal, run, 'ward')).map(({ why }) => why)).toEqual(['outside', 'rollback', 'work']);
});

test('[L6] files that a client wrote in its first turn are still there after the engine was shut down', async () => {
  const bench = makeBench();
  const { call, atWork } = stoppingClient(STOPPED_REPLY, ({ client }) =>
    writeFileSync(join(client?.place.folder ?? '', HALF), 'an hour of work'),
  );
  const first = createEmbeddedHost(bench.world({ call }));
  const run = await first.start({ definition: units(['agent']), input: {}, project: bench.project });
  await atWork;
  await first.shutdown();
  const second = bench.second();
  await second.resume(run);
  expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(second.found).toEqual([true]);
});

/** A run that was killed while its units were at work: `agent` is a client, `ward` a command that writes a file. */
async function killed(ids: readonly string[]) {
  const bench = makeBench();
  const { journal } = bench;
  const never = new Promise<never>(() => undefined);
  const atWork = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const call: Actor['call'] = ({ client }) => {
    writeFileSync(join(client?.place.folder ?? '', HALF), 'an hour of work');
    atWork[0]?.resolve();
    return never;
  };
  const wards: boolean[] = [];
  const shell: World['shell'] = async (command, { place }) => {
    if (command === 'ready') return ENDED;
    wards.push(existsSync(join(place.folder, 'ward.txt')));
    writeFileSync(join(place.folder, 'ward.txt'), `${wards.length}`);
    if (wards.length > 1) return ENDED;
    atWork[1]?.resolve();
    return await never;
  };
  const death = { afterAppends: Infinity };
  const first = createEmbeddedHost(bench.world({ call, shell, journal: dyingJournal(journal, death) }));
  const run = await first.start({ definition: units(ids), input: {}, project: bench.project });
  await Promise.all(atWork.slice(0, ids.length).map(({ promise }) => promise));
  death.afterAppends = 0;
  return { run, journal, wards, second: bench.second({ shell }) };
}

function makeBench() {
  const { project, home } = testProject({ 'a.txt': 'a\n' });
  const journal = createMemoryJournal();
  const world = (more: Partial<Parameters<typeof testWorld>[0]>) =>
    testWorld({
      journal,
      client: CLIENT_TRAITS,
      answer: () => says(''),
      workspaces: createWorkspaces({ home }),
      ...more,
    });
  /** The host that continues, with a client that checks whether its file exists. */
  const second = (more: { readonly shell?: World['shell'] } = {}) => {
    const found: boolean[] = [];
    const call: Actor['call'] = ({ client }) => {
      found.push(existsSync(join(client?.place.folder ?? '', HALF)));
      return Promise.resolve(says('done'));
    };
    const host = createEmbeddedHost(world({ call, ...more }));
    onTestFinished(() => host.shutdown());
    return Object.assign(host, { found });
  };
  return { project, journal, world, second };
}

/** The changes of one unit's workspace, according to its own run. */
async function changesOf(journal: Journal, root: RunId, id: string) {
  for (const { run } of await journal.runs({ parent: root })) {
    const records = await journal.read(run);
    if (foldRecords(records).input['id'] !== id) continue;
    return records.flatMap(({ fact }) => (fact.kind === 'files.changed' ? [{ why: fact.why, task: fact.task }] : []));
  }
  return [];
}

const ENDED: ShellResult = {
  exitCode: 0,
  output: '',
  signal: null,
  errorOutput: '',
  rawOutput: Buffer.alloc(0),
  truncated: false,
  outputBytes: 0,
  timedOut: false,
  cancelled: false,
  startFailure: null,
  containment: 'group',
  discarded: [],
};

/** Every unit is a child run in its own workspace. */
function units(ids: readonly string[]): Definition {
  const runs = (command: string) =>
    ({ kind: 'command', command: expression(`'${command}'`), okExitCodes: [0] }) as const;
  const child = build({
    name: 'step',
    roles: { coder: {} },
    states: [
      work('begin', { kind: 'none' }, [to('ready', { when: "common_data.id === 'ward'" }), to('code')]),
      work('ready', runs('ready'), [to('ward')]),
      work('ward', runs('ward'), [to('stop')]),
      work('code', turn('coder', 'common_data.id'), [to('stop')]),
      end('stop'),
    ],
  });
  const input = { id: expression('item.id') };
  const each = { kind: 'call', workflow: 'step', workspace: 'own', input } as const;
  const items = { kind: 'items', items: expression('common_data.steps'), work: each } as const;
  const pool = { kind: 'pool', units: items, slots: 2, join: { rule: 'all' }, grow: null } as const;
  const parent = build({
    data: { steps: ids.map((id) => ({ id })) },
    states: [work('pool', pool, [to('stop')]), end('stop')],
  });
  return { ...parent, roles: { ...parent.roles, ...child.roles }, library: { step: child.workflow } };
}
