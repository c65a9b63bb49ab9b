import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { runId, taskId } from '../../../core/model/ids.ts';
import { signalProblem, signalTool } from '../../../core/model/signal.ts';
import { SIGNALS } from '../../../core/model/signal-name.ts';
import type { Json } from '../../../core/model/json.ts';
import { openDeskOffice, type OfficeOptions } from '../desk-office.ts';
import type { DeskOffice, DeskOrder, OpenDesk } from '../port.ts';

/** Both protocols that clients speak today. */
export const ERAS = { '2025': { mode: 'legacy' }, '2026-07-28': { mode: { pin: '2026-07-28' } } } as const;

export async function testOffice(options: OfficeOptions = {}): Promise<DeskOffice> {
  const office = await openDeskOffice(options);
  onTestFinished(() => office.close());
  return office;
}

/** A desk for the step `s1` that accepts every sensible signal. */
export function testDesk(office: DeskOffice, parts: Partial<DeskOrder> = {}): Promise<OpenDesk> {
  return office.open({
    run: runId('r1'),
    task: taskId('t1'),
    tools: [signalTool({ signals: [...SIGNALS] })],
    take: ({ arguments: given }) => {
      const problem = signalProblem(given, { step: 's1' });
      const text = problem ?? 'Received.';
      return Promise.resolve({ isAccepted: problem === null, text });
    },
    ...parts,
  });
}

/** The real client, as an agent's program would use it. */
export async function connect(
  { url, headers }: Pick<OpenDesk, 'url' | 'headers'>,
  versionNegotiation: ClientOptions['versionNegotiation'] & object = ERAS['2026-07-28'],
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

export const COMPLETE = { signal: 'complete', stepId: 's1', summary: 'It is built.' };

export async function handIn(client: Client, given: Readonly<Record<string, Json>>, name = 'signal_back') {
  const { content, isError } = await client.callTool({ name, arguments: given });
  return { text: content.map((one) => (one.type === 'text' ? one.text : one.type)).join(), isError };
}
