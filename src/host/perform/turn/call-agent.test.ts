import { expect, onTestFinished, test } from 'vitest';
import type { Actor, CallReply } from '../../../actors/port.ts';
import type { Definition } from '../../../core/model/definition.ts';
import { signalTool } from '../../../core/model/signal.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import type { DeskOffice } from '../../desk/port.ts';
import type { ClientServices } from '../../world.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { CLIENT_TRAITS, STOPPED_REPLY, stoppingClient, USED } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const ANSWERED: CallReply = { ...says('done'), ...USED };

test.each([
  ['failed', STOPPED_REPLY],
  ['answered', ANSWERED],
])('[U4] the usage of a client when its turn was cancelled is counted: it %s', async (_how, reply) => {
  const { call, atWork } = stoppingClient(reply);
  const host = hostWith({ call });
  const run = await host.start({ definition: talk(), input: {}, project: '.' });
  await atWork;
  await host.cancel(run, 'ann', 'enough');
  expect(await host.rest(run)).toMatchObject({ outcome: 'cancelled' });
  expect(await host.snapshot(run)).toMatchObject(USED);
});

test('[U4] the usage of a client is counted when its desk cannot be closed', async () => {
  const broken: Partial<ClientServices> = {
    desks: async () => {
      const office = await (await import('../../desk/desk-office.ts')).openDeskOffice();
      onTestFinished(() => office.close());
      const open: DeskOffice['open'] = async (order) => {
        const desk = await office.open(order);
        return Object.assign(Object.create(desk) as typeof desk, {
          close: () => Promise.reject(new Error('The desk is stuck.')),
        });
      };
      return Object.assign(Object.create(office) as typeof office, { open });
    },
  };
  let turns = 0;
  const call: Actor['call'] = () => {
    turns += 1;
    return Promise.resolve(ANSWERED);
  };
  const host = hostWith({ call, clients: broken });
  const run = await host.start({ definition: talk(), input: {}, project: '.' });
  expect((await host.rest(run)).status).toBe('settled');
  expect(turns).toBeGreaterThan(0);
  expect((await host.snapshot(run)).usage.inputTokens).toBe(turns * USED.usage.inputTokens);
});

function hostWith(options: { readonly call: Actor['call']; readonly clients?: Partial<ClientServices> }) {
  const world = testWorld({
    journal: createMemoryJournal(),
    client: CLIENT_TRAITS,
    answer: () => says(''),
    ...options,
  });
  const host = createEmbeddedHost(world);
  onTestFinished(() => host.shutdown());
  return host;
}

function talk(): Definition {
  const signals = ['complete'] as const;
  const coder = { signals, parsingTools: [signalTool({ signals })] };
  return build({ roles: { coder }, states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
}
