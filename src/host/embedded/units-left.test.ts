import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor, CallRequest } from '../../actors/port.ts';
import { Fault } from '../../core/model/fault.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Lease } from '../../journal/port.ts';
import { testProject } from '../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import type { Host } from '../port.ts';
import { build, each, end, expression, to, turn, work } from '../testing/build-definition.ts';
import { CLIENT_TRAITS, STOPPED_REPLY } from '../testing/stopping-client.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const WORK = 'work.txt';

/** Units in their own workspaces: a client's turn, and for one called `asks` a question and another turn. */
function pool(ids: readonly string[]): Definition {
  const child = build({
    name: 'step',
    roles: { coder: {} },
    states: [
      work('code', turn('coder', 'common_data.id'), [to('ask', { when: "common_data.id === 'asks'" }), to('stop')]),
      work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('again')]),
      work('again', turn('coder', "'again'"), [to('stop')]),
      end('stop'),
    ],
  });
  const unit = { kind: 'call', workflow: 'step', workspace: 'own', input: { id: expression('item') } } as const;
  const parent = build({
    data: { ids: [...ids] },
    states: [work('pool', each('common_data.ids', unit, 2), [to('stop')]), end('stop')],
  });
  return { ...parent, roles: { ...parent.roles, ...child.roles }, library: { step: child.workflow } };
}

/** Workers on one journal and one home; an offered unit is driven by the worker that resumes it. */
function workersOn(ids: readonly string[]) {
  const { project, home } = testProject({ 'a.txt': 'a\n' });
  const journal = createMemoryJournal();
  const append = journal.append.bind(journal);
  const gate: { before?: (lease: Lease) => Promise<void> | undefined } = {};
  journal.append = async (lease, batch) => {
    await gate.before?.(lease);
    await append(lease, batch);
  };
  const units: RunId[] = [];
  const released: (string | undefined)[] = [];
  const worker = (name: string, call: Actor['call']): Host => {
    const workspaces = createWorkspaces({ home });
    const release = workspaces.release.bind(workspaces);
    workspaces.release = (root, workspace) => {
      released.push(workspace);
      return release(root, workspace);
    };
    const world = testWorld({ journal, client: CLIENT_TRAITS, answer: () => says(''), call, workspaces, owner: name });
    const placement = { offer: (run: RunId) => Promise.resolve(units.push(run) > 0) };
    const host = createEmbeddedHost({ ...world, worker: name, placement });
    onTestFinished(() => host.shutdown());
    return host;
  };
  const begin = async (host: Host): Promise<readonly [RunId, RunId]> => {
    await host.start({ definition: pool(ids), input: {}, project });
    await expect.poll(() => units.length).toBe(ids.length);
    const [one = runId('none'), other = runId('none')] = units;
    return [one, other];
  };
  const changes = async (run: RunId) =>
    (await journal.read(run)).flatMap(({ fact }) =>
      fact.kind === 'files.changed' ? [{ version: fact.version, why: fact.why }] : [],
    );
  return { gate, worker, begin, changes, released };
}

const fileOf = ({ client }: CallRequest, name = WORK): string => join(client?.place.folder ?? '', name);

/** A client that writes and is at it until it is stopped; asked again, it says whether its file is there, and ends. */
function stubborn() {
  const atWork = Promise.withResolvers<void>();
  const found: boolean[] = [];
  let isBegun = false;
  const call: Actor['call'] = (request, { signal }) => {
    if (isBegun) {
      found.push(existsSync(fileOf(request)));
      return Promise.resolve(says('done'));
    }
    isBegun = true;
    writeFileSync(fileOf(request), 'an hour of work');
    atWork.resolve();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(STOPPED_REPLY)));
  };
  return { call, atWork: atWork.promise, found };
}

const TAKEN = { keepsPause: true } as const;

test('[U8] [W1] files that a client wrote before its unit was released are recorded when the same worker continues it', async () => {
  const { worker, begin, changes } = workersOn(['agent']);
  const { call, atWork, found } = stubborn();
  const host = worker('a', call);
  const [unit] = await begin(host);
  await host.resume(unit, TAKEN);
  await atWork;
  await host.leave(unit);
  await host.resume(unit, TAKEN);
  expect(await host.rest(unit)).toMatchObject({ outcome: 'ok' });
  expect(found).toEqual([true]);
  expect(await changes(unit)).toEqual([{ version: 2, why: 'work' }]);
});

test('[U8] [W1] files that another worker recorded meanwhile are those the first one continues from', async () => {
  const { worker, begin, changes } = workersOn(['asks']);
  const first = stubborn();
  const found: boolean[] = [];
  let isBack = false;
  const a = worker('a', (request, more) => {
    if (!isBack) return first.call(request, more);
    found.push(existsSync(fileOf(request, 'other.txt')));
    writeFileSync(fileOf(request, 'last.txt'), 'last');
    return Promise.resolve(says('done'));
  });
  const b = worker('b', (request) => {
    writeFileSync(fileOf(request, 'other.txt'), 'by the other worker');
    return Promise.resolve(says('done'));
  });
  const [unit] = await begin(a);
  await a.resume(unit, TAKEN);
  await first.atWork;
  await a.leave(unit);
  await b.resume(unit, TAKEN);
  await b.rest(unit);
  await b.leave(unit);
  await b.answer(unit, { answer: 'yes', by: 'ann' });
  isBack = true;
  await a.resume(unit, TAKEN);
  expect(await a.rest(unit)).toMatchObject({ outcome: 'ok' });
  expect(found).toEqual([true]);
  expect((await changes(unit)).map(({ version }) => version)).toEqual([2, 3]);
});

test('[U8] [W1] a unit that ends while another is taken over leaves that one what its client wrote', async () => {
  const { gate, worker, begin } = workersOn(['ends', 'agent']);
  const { call, atWork, found } = stubborn();
  const mayEnd = Promise.withResolvers<void>();
  let ending = runId('none');
  const both: Actor['call'] = (request, more) =>
    request.run === ending ? mayEnd.promise.then(() => says('done')) : call(request, more);
  const beginner = worker('first', both);
  const [ends, unit] = await begin(beginner);
  ending = ends;
  await beginner.shutdown();
  const host = worker('a', both);
  await host.resume(unit, TAKEN);
  await atWork;
  await host.leave(unit);
  await host.resume(ends, TAKEN);
  const isTaking = Promise.withResolvers<void>();
  const mayTake = Promise.withResolvers<void>();
  gate.before = ({ run }) => {
    if (run !== unit) return undefined;
    isTaking.resolve();
    return mayTake.promise;
  };
  const resumed = host.resume(unit, TAKEN);
  await isTaking.promise;
  mayEnd.resolve();
  await host.rest(ends);
  await host.leave(ends);
  mayTake.resolve();
  await resumed;
  expect(await host.rest(unit)).toMatchObject({ outcome: 'ok' });
  expect(found).toEqual([true]);
});

test('[U8] a unit that fails in the middle of its work gives its workspace back once that has stopped', async () => {
  const { gate, worker, begin, released } = workersOn(['agent']);
  const { call, atWork } = stubborn();
  const host = worker('a', call);
  const [unit] = await begin(host);
  await host.resume(unit, TAKEN);
  await atWork;
  gate.before = ({ run }) => (run === unit ? Promise.reject(new Fault('LEASE_LOST', 'It was taken.')) : undefined);
  await expect(host.tell(unit, { agent: 'coder', text: 'hello', by: 'ann' })).rejects.toMatchObject({
    code: 'LEASE_LOST',
  });
  await host.leave(unit);
  expect(released).toHaveLength(1);
  expect(released[0]).toContain('shared');
});
