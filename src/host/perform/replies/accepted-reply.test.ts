import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '../../../actors/port.ts';
import { signalTool } from '../../../core/model/signal.ts';
import type { Fact } from '../../../core/record/fact.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { COMPLETE, connect, handIn } from '../../desk/testing/desk-bench.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from '../../testing/build-definition.ts';
import { dyingJournal } from '../../testing/dying-journal.ts';
import { signallingHost, signallingRun } from '../../testing/signalling-run.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const ofKind = (facts: readonly Fact[], kind: Fact['kind']): number =>
  facts.filter((fact) => fact.kind === kind).length;

/** A client that does its work and signals; the answers it gets are passed on. */
function signalling(onHeard: (text: string, folder: string) => void | Promise<void>): Actor['call'] {
  return async ({ client }) => {
    if (client?.desk == null) throw new Error('There is no desk.');
    const { folder } = client.place;
    writeFileSync(join(folder, 'promised.txt'), 'done');
    await onHeard((await handIn(await connect(client.desk), COMPLETE)).text, folder);
    return says('done');
  };
}

test('[A8] [DK3] a reply is in the journal when the client learns that it was accepted', async () => {
  const journal = createMemoryJournal();
  const seen: (readonly Fact['kind'][])[] = [];
  const read = async (): Promise<readonly Fact[]> => {
    const [info] = await journal.runs();
    return info === undefined ? [] : (await journal.read(info.run)).map(({ fact }) => fact);
  };
  const call = signalling(async () => void seen.push((await read()).map(({ kind }) => kind)));
  const { run, host } = await signallingRun(call, { journal });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(seen[0]).toContain('reply.accepted');
  expect(seen[0]).not.toContain('call.answered');
  expect(ofKind(await read(), 'reply.accepted')).toBe(1);
});

test('[A8] [L6] killed at any record, an acknowledged reply counts and its client is not asked again', async () => {
  const acknowledged: number[] = [];
  for (let afterAppends = 1, isDead = true; isDead; afterAppends += 1) {
    const journal = createMemoryJournal();
    const dying = dyingJournal(journal, { afterAppends });
    const place = testProject({ 'a.txt': 'a\n' });
    let heard = '';
    const first = signalling((text) => void (heard = text));
    const { run, host } = await signallingRun(first, { journal: dying, place, dies: true });
    await Promise.race([host.rest(run), dying.died]);
    isDead = dying.isDead();
    if (!isDead) break;
    const isAccepted = (await journal.read(run)).some(({ fact }) => fact.kind === 'reply.accepted');
    expect([afterAppends, heard !== '' && !isAccepted]).toEqual([afterAppends, false]);
    let asked = 0;
    const second = await signallingHost(
      signalling(() => void (asked += 1)),
      { journal, place },
    );
    await second.host.resume(run);
    expect(await second.host.rest(run)).toMatchObject({ outcome: 'ok' });
    const facts = (await journal.read(run)).map(({ fact }) => fact);
    expect([asked, ofKind(facts, 'reply.accepted'), ofKind(facts, 'call.answered')]).toEqual([
      isAccepted ? 0 : 1,
      1,
      1,
    ]);
    if (isAccepted) acknowledged.push(afterAppends);
  }
  expect(acknowledged.length).toBeGreaterThan(0);
});

test('[A8] [L4] after a crash an accepted reply counts with the files that it was accepted with', async () => {
  const journal = createMemoryJournal();
  const place = testProject({ 'a.txt': 'a\n' });
  const undone = Promise.withResolvers<string>();
  const first = signalling(async (_text, folder) => {
    rmSync(join(folder, 'promised.txt'));
    undone.resolve(folder);
    await new Promise<never>(() => undefined);
  });
  const { run } = await signallingRun(first, {
    journal: dyingJournal(journal, { afterAppends: 100 }),
    place,
    dies: true,
  });
  const folder = await undone.promise;
  const { host } = await signallingHost(() => Promise.reject(new Error('It was asked again.')), { journal, place });
  await host.resume(run);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(readFileSync(join(folder, 'promised.txt'), 'utf8')).toBe('done');
});

test('[Q2] a signal with `type` is normalised on input: every record has it as `signal`', async () => {
  const call: Actor['call'] = async ({ client }) => {
    if (client?.desk == null) throw new Error('There is no desk.');
    const desk = await connect(client.desk);
    const { signal: type, ...said } = COMPLETE;
    await handIn(desk, { type, ...said });
    writeFileSync(join(client.place.folder, 'promised.txt'), 'done');
    await handIn(desk, { type, ...said });
    return says('done');
  };
  const { run, host, facts } = await signallingRun(call);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const read = (await facts()).flatMap((fact) => {
    if (fact.kind === 'activity.noted') return fact.items.map(({ handed }) => handed);
    if (fact.kind === 'reply.accepted') return [fact.reply.arguments];
    return fact.kind === 'call.answered' ? (fact.message.toolCalls ?? []).map((one) => one.arguments) : [];
  });
  expect(read).toEqual([COMPLETE, COMPLETE, COMPLETE]);
});

test('[Q2] a signal of a model that is called type is read with its answer', async () => {
  const { signal: type, ...said } = COMPLETE;
  const signals = ['complete'] as const;
  const definition = build({
    roles: { coder: { signals, parsingTools: [signalTool({ signals })] } },
    states: [work('code', { ...turn('coder', "'go'"), step: expression("'s1'") }, [to('stop')]), end('stop')],
  });
  const journal = createMemoryJournal();
  const answer = () => says('', [{ id: 'c1', name: 'signal_back', arguments: { type, ...said } }]);
  const host = createEmbeddedHost(testWorld({ journal, answer }));
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition, input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const facts = (await journal.read(run)).map(({ fact }) => fact);
  const heard = facts.flatMap((fact) => (fact.kind === 'call.answered' ? (fact.message.toolCalls ?? []) : []));
  expect(heard).toMatchObject([{ arguments: COMPLETE }]);
});
