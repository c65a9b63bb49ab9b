import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Actor, CallFailure } from '../../../actors/port.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { COMPLETE, connect, handIn } from '../../desk/testing/desk-bench.ts';
import { signallingRun } from '../../testing/signalling-run.ts';
import { USED } from '../../testing/stopping-client.ts';
import { says } from '../../testing/test-world.ts';

const FAILURES: readonly Failure[] = [
  { code: 'ENDPOINT_FAILED', message: 'HTTP 500', class: 'server' },
  { code: 'REQUEST_REFUSED', message: 'The prompt is too long.', class: 'bad-request' },
  { code: 'CLIENT_CRASHED', message: 'It ended by itself.', class: 'crash' },
  { code: 'CLIENT_STUCK', message: 'Nothing was heard of it.', class: 'timeout' },
  { code: 'CLIENT_WENT_ON', message: 'It continued for 10 s after its turn was over.', class: 'timeout' },
  { code: 'QUOTA_USED_UP', message: 'Used up.', class: 'quota' },
  { code: 'AUTH_FAILED', message: 'Not logged in.', class: 'auth' },
];

describe.each(FAILURES)('a client that signals, and then fails with $code', (failure) => {
  test('[Q2] [L6] has signalled: the turn is answered, its usage is counted, the failure is reported', async () => {
    const { run, host, calls, facts } = await play({ kind: 'failed', failure, spent: USED });
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(calls()).toBe(1);
    expect(await host.snapshot(run)).toMatchObject(USED);
    const all = await facts();
    expect(all.filter(({ kind }) => kind === 'call.failed')).toEqual([]);
    expect(all.find(({ kind }) => kind === 'call.answered')).toMatchObject({
      message: { toolCalls: [{ name: 'signal_back', arguments: COMPLETE }] },
      evidence: [{ kind: 'file', isThere: true }, { kind: 'tree' }],
    });
    const activities = all.flatMap((fact) => (fact.kind === 'activity.noted' ? fact.items : []));
    expect(activities).toMatchObject([{ kind: 'notice', name: failure.code, status: 'failed' }]);
    expect(activities[0]?.text).toContain(failure.message);
  });
});

test('[Q5] a quota that was used up after the signal stops the next call', async () => {
  const [quota] = FAILURES.filter((one) => one.class === 'quota').map((one) => ({ ...one, retryAfterMs: 3_600_000 }));
  const { run, host, breakers } = await play({ kind: 'failed', failure: quota as Failure });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(breakers().refusal('vendor')).toMatchObject({ class: 'quota', code: 'QUOTA_USED_UP' });
});

test('[L4] a reply that is no longer true after the client has failed does not count', async () => {
  const failure: Failure = { code: 'REQUEST_REFUSED', message: 'The prompt is too long.', class: 'bad-request' };
  const { run, host } = await play({ kind: 'failed', failure }, (folder) => rmSync(join(folder, 'promised.txt')));
  expect(await host.rest(run)).toMatchObject({ outcome: 'failed', failure: { code: 'REQUEST_REFUSED' } });
});

test('[L2] a reply refused at the desk is in the journal, with its content and the reason', async () => {
  const other = { signal: 'complete', stepId: 'other' };
  const { run, host, facts } = await play(says('done'), () => undefined, [other, COMPLETE]);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const activities = (await facts()).flatMap((fact) => (fact.kind === 'activity.noted' ? fact.items : []));
  const missing = expect.stringContaining('promised.txt does not exist.') as unknown;
  expect(activities).toMatchObject([
    { kind: 'notice', name: 'signal_back', status: 'denied', handed: other },
    { kind: 'notice', name: 'signal_back', status: 'denied', handed: COMPLETE, text: missing },
  ]);
});

/** A client that signals, does this in its workspace, and ends like that. It may submit an invalid reply first. */
async function play(
  reply: CallFailure | ReturnType<typeof says>,
  afterwards: (folder: string) => void = () => undefined,
  bad: readonly Parameters<typeof handIn>[1][] = [],
) {
  let calls = 0;
  const call: Actor['call'] = async ({ client }) => {
    calls += 1;
    if (client?.desk == null) throw new Error('There is no desk.');
    const { folder } = client.place;
    const desk = await connect(client.desk);
    for (const given of bad) expect((await handIn(desk, given)).isError).toBe(true);
    writeFileSync(join(folder, 'promised.txt'), 'done');
    expect((await handIn(desk, COMPLETE)).text).toContain('Received.');
    afterwards(folder);
    return reply;
  };
  const { run, host, world, facts } = await signallingRun(call);
  const breakers = () => {
    if (world.clients === undefined) throw new Error('There are no clients.');
    return world.clients.breakers;
  };
  return { run, host, calls: () => calls, facts, breakers };
}
