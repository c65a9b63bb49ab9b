import { describe, expect, test } from 'vitest';
import { signalTool } from '../../core/model/signal.ts';
import { COMPLETE, connect, ERAS, handIn, testDesk, testOffice } from './testing/desk-bench.ts';
import type { DeskOrder, TakenReply } from './port.ts';

const RECEIVED = { text: 'Received.', isError: false };
const NOTE = {
  name: 'note',
  description: '',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
};

describe.each(Object.entries(ERAS))('a client of %s', (_era, negotiation) => {
  test('[Q2] finds the tools of its turn, with their schemas and marked to be always there', async () => {
    const desk = await testDesk(await testOffice());
    const { tools } = await (await connect(desk, negotiation)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['signal_back']);
    expect(desk.tools).toEqual(['signal_back']);
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['signal', 'stepId'] });
    expect(tools[0]?._meta).toEqual({ 'anthropic/alwaysLoad': true });
  });

  test('[Q2] hands in its signal, which is acknowledged and kept', async () => {
    const desk = await testDesk(await testOffice());
    expect(await handIn(await connect(desk, negotiation), COMPLETE)).toEqual(RECEIVED);
    expect(desk.accepted).toEqual([{ id: 'desk-1', name: 'signal_back', arguments: COMPLETE }]);
  });

  test('[DK3] the same signal twice gets the same answer and changes nothing', async () => {
    const taken: unknown[] = [];
    const take: DeskOrder['take'] = (call) => {
      taken.push(call);
      return Promise.resolve({ isAccepted: true, text: `Received ${taken.length}.` });
    };
    const desk = await testDesk(await testOffice(), { take });
    const client = await connect(desk, negotiation);
    expect(await handIn(client, COMPLETE)).toEqual({ text: 'Received 1.', isError: false });
    const { signal, ...rest } = COMPLETE;
    expect(await handIn(client, { ...rest, signal })).toEqual({ text: 'Received 1.', isError: false });
    expect(await handIn(client, { ...rest, type: signal })).toEqual({ text: 'Received 1.', isError: false });
    expect([taken.length, desk.accepted.length]).toEqual([1, 1]);
  });

  test('[DK3] after an accepted reply every other one learns that the step has ended', async () => {
    const desk = await testDesk(await testOffice());
    const client = await connect(desk, negotiation);
    await handIn(client, COMPLETE);
    const other = await handIn(client, { ...COMPLETE, summary: 'It is built otherwise.' });
    expect(other.isError).toBe(true);
    expect(other.text).toContain('This step is over');
    expect(desk.accepted.map((call) => call.arguments)).toEqual([COMPLETE]);
  });

  test('[DK4] one that does not fit is answered with the reason, and the agent can send another', async () => {
    const desk = await testDesk(await testOffice());
    const client = await connect(desk, negotiation);
    expect(await handIn(client, { signal: 'complete', stepId: 's1' })).toEqual({
      text: 'complete also needs summary.',
      isError: true,
    });
    expect(desk.accepted).toEqual([]);
    expect(await handIn(client, COMPLETE)).toEqual(RECEIVED);
  });

  test('[Q2] a signal for another step is refused by the step that sent it', async () => {
    const desk = await testDesk(await testOffice());
    const said = await handIn(await connect(desk, negotiation), { ...COMPLETE, stepId: 's2' });
    expect(said.isError).toBe(true);
    expect(said.text).toContain('Your step is s1, not "s2"');
    expect(desk.accepted).toEqual([]);
  });

  test('[L3] an unknown tool is refused with a list of those that exist', async () => {
    const desk = await testDesk(await testOffice());
    const said = await handIn(await connect(desk, negotiation), {}, 'signal-back');
    expect(said).toEqual({ text: 'There is no tool "signal-back" here. There is signal_back.', isError: true });
  });

  test('[DK5] a tool that ends nothing is answered each time, and the reply comes after', async () => {
    const tools = [signalTool({ signals: ['complete'] }), NOTE];
    const take: DeskOrder['take'] = ({ name, arguments: given }) =>
      Promise.resolve(
        name === NOTE.name
          ? { isAccepted: false, isAnswered: true, text: `Noted ${JSON.stringify(given)}.` }
          : { isAccepted: true, text: 'Received.' },
      );
    const desk = await testDesk(await testOffice(), { take, tools });
    const client = await connect(desk, negotiation);
    for (const text of ['a', 'a', 'b']) {
      expect(await handIn(client, { text }, 'note')).toEqual({ text: `Noted {"text":"${text}"}.`, isError: false });
    }
    expect(desk.accepted).toEqual([]);
    expect(await handIn(client, COMPLETE)).toEqual(RECEIVED);
    expect((await handIn(client, { text: 'c' }, 'note')).text).toContain('This step is over');
    expect(desk.accepted).toHaveLength(1);
  });

  test('is informed while its reply is checked', async () => {
    const checked = Promise.withResolvers<TakenReply>();
    const desk = await testDesk(await testOffice({ progressMs: 1 }), { take: () => checked.promise });
    const client = await connect(desk, negotiation);
    const onprogress = (): void => checked.resolve({ isAccepted: true, text: 'Received.' });
    const { isError } = await client.callTool({ name: 'signal_back', arguments: COMPLETE }, { onprogress });
    expect(isError).toBe(false);
  });
});

describe('[DK1] a token names one turn', () => {
  test('two turns at once: each call reaches the desk of its own token', async () => {
    const office = await testOffice();
    const [one, other] = [await testDesk(office), await testDesk(office)];
    expect(one.url).toBe(other.url);
    expect(one.headers).not.toEqual(other.headers);
    await handIn(await connect(other), COMPLETE);
    expect([one.accepted.length, other.accepted.length]).toEqual([0, 1]);
  });

  test('after its turn it is worth nothing', async () => {
    const desk = await testDesk(await testOffice());
    const client = await connect(desk);
    await desk.close();
    await expect(handIn(client, COMPLETE)).rejects.toThrow('Error POSTing to endpoint');
    await expect(connect(desk)).rejects.toThrow('401');
    expect(desk.accepted).toEqual([]);
  });
});

describe('[DK2] one after the other', () => {
  test('two calls at once are checked one by one, and only the first is accepted', async () => {
    let busy = 0;
    let most = 0;
    const take: DeskOrder['take'] = async () => {
      most = Math.max(most, (busy += 1));
      await Promise.resolve();
      busy -= 1;
      return { isAccepted: true, text: 'Received.' };
    };
    const desk = await testDesk(await testOffice(), { take });
    const clients = [await connect(desk), await connect(desk)];
    const said = await Promise.all(clients.map((client, at) => handIn(client, { ...COMPLETE, summary: `${at}` })));
    expect(most).toBe(1);
    expect(said.filter(({ isError }) => isError)).toHaveLength(1);
    expect(desk.accepted).toHaveLength(1);
  });

  test('a client that hung up while its signal was checked was still accepted', async () => {
    const [begun, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<TakenReply>()];
    const take: DeskOrder['take'] = () => {
      begun.resolve();
      return checked.promise;
    };
    const desk = await testDesk(await testOffice(), { take });
    const client = await connect(desk);
    const call = handIn(client, COMPLETE).catch(() => 'hung up');
    await begun.promise;
    await client.close();
    expect(await call).toBe('hung up');
    checked.resolve({ isAccepted: true, text: 'Received.' });
    await desk.settled();
    expect(desk.accepted).toHaveLength(1);
    expect(await handIn(await connect(desk), COMPLETE)).toEqual(RECEIVED);
  });
});

test('[Q5] the watcher of the client learns when a check starts and ends, however it ends', async () => {
  const events: string[] = [];
  const take: DeskOrder['take'] = ({ id }) => {
    events.push(id);
    if (id === 'desk-1') return Promise.reject(new Error('The disk is full.'));
    return Promise.resolve({ isAccepted: true, text: 'Received.' });
  };
  const desk = await testDesk(await testOffice(), { take });
  desk.onCheck?.(() => {
    events.push('hold');
    return () => events.push('continue');
  });
  const client = await connect(desk);
  await handIn(client, COMPLETE);
  await handIn(client, COMPLETE);
  await handIn(client, COMPLETE);
  expect(events).toEqual(['hold', 'desk-1', 'continue', 'hold', 'desk-2', 'continue']);
  await desk.close();
});

describe('closing', () => {
  test('a check in progress is stopped and waited for; later calls learn that the step has ended', async () => {
    const begun = Promise.withResolvers<void>();
    const events: string[] = [];
    const take: DeskOrder['take'] = async (_call, { signal }) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      events.push('stopped');
      return { isAccepted: false, text: 'Stopped.' };
    };
    const desk = await testDesk(await testOffice(), { take });
    const call = handIn(await connect(desk), COMPLETE).catch(() => ({ isError: true }));
    await begun.promise;
    await desk.close();
    events.push('closed');
    expect(events).toEqual(['stopped', 'closed']);
    expect(await call).toMatchObject({ isError: true });
  });

  test('an error that kept the engine from checking is thrown to the caller that closes the desk, and the agent gets an answer', async () => {
    const desk = await testDesk(await testOffice(), { take: () => Promise.reject(new Error('The disk is full.')) });
    const said = await handIn(await connect(desk), COMPLETE);
    expect(said).toMatchObject({ isError: true, text: expect.stringContaining('could not check') as string });
    await expect(desk.close()).rejects.toThrow('The disk is full.');
  });

  test('the whole office: nothing answers any more', async () => {
    const office = await testOffice();
    const desk = await testDesk(office);
    const client = await connect(desk);
    await office.close();
    await expect(handIn(client, COMPLETE)).rejects.toThrow('fetch failed');
    await expect(fetch(desk.url)).rejects.toThrow('fetch failed');
  });
});
