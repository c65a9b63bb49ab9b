import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Actor, ClientOrder } from '../../../actors/port.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import { COMPLETE, connect, handIn } from '../../desk/testing/desk-bench.ts';
import { signallingRun } from '../../testing/signalling-run.ts';
import { says } from '../../testing/test-world.ts';

const write = (folder: string, text: string): void => writeFileSync(join(folder, 'promised.txt'), text);
const remove = (folder: string): void => rmSync(join(folder, 'promised.txt'));

test('[L4] a client that undoes what its accepted signal said is notified in its session, and can fix it', async () => {
  const { run, host, calls, facts } = await play([remove, () => undefined]);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const failed = (await facts()).filter(({ kind }) => kind === 'call.failed');
  expect(failed).toMatchObject([{ failure: { code: 'CHANGED_AFTER_SIGNAL', class: 'bad-reply' } }]);
  expect(calls.map(({ session }) => session.how)).toEqual(['new', 'resumed']);
  const [notice] = calls[1]?.unheard ?? [];
  expect(notice?.content).toContain('Files were changed after signal_back, and what it said no longer holds.');
  expect(notice?.content).toContain('- promised.txt does not exist.');
  // Both turns were paid for.
  expect((await host.snapshot(run)).usage.calls).toBe(2);
});

test('[L4] one that undoes it again has failed, and the failure names what is missing', async () => {
  const { run, host, calls } = await play([remove, remove]);
  const rest = await host.rest(run);
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'CHANGED_AFTER_SIGNAL' } });
  expect(rest.failure?.message).toContain('promised.txt does not exist.');
  expect(calls).toHaveLength(2);
});

test('[L4] a change after which it still holds is taken, with the tree that the client left', async () => {
  const { run, host, calls, facts } = await play([(folder) => write(folder, 'better')]);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(calls).toHaveLength(1);
  const all = await facts();
  const answered = all.find((fact) => fact.kind === 'call.answered');
  const left = all.findLast((fact) => fact.kind === 'files.changed');
  const tree = left?.kind === 'files.changed' ? left.tree : '';
  expect(answered).toMatchObject({
    evidence: [
      { kind: 'file', isThere: true },
      { kind: 'tree', tree },
    ],
  });
});

/** A client that writes what it promised, signals that it is done, and then does this, once a turn. */
async function play(afterwards: readonly ((folder: string) => void)[]) {
  const calls: ClientOrder[] = [];
  const call: Actor['call'] = async ({ client }) => {
    if (client?.desk == null) throw new Error('There is no desk.');
    const { folder } = client.place;
    if (!existsSync(join(folder, 'promised.txt'))) write(folder, 'done');
    const heard = await handIn(await connect(client.desk), COMPLETE);
    expect(heard.text).toContain('Received.');
    afterwards[calls.length]?.(folder);
    calls.push(client);
    return { ...says('done'), usage: { ...NO_USAGE, calls: 1 } };
  };
  const { run, host, facts } = await signallingRun(call);
  return { run, host, calls, facts };
}
