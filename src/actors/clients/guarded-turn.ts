import { existsSync } from 'node:fs';
import type { ClientOrder } from '../client-port.ts';
import type { CallReply } from '../port.ts';
import type { ClientCall, ClientOptions } from './client-call.ts';
import { cancelledTurn, failed, notStarted, programMissing, type ClientName } from './client-failure.ts';

/** One turn of a client; whatever keeps any of them from taking it is told as a failure. */
export async function guardedTurn(
  { request, callOptions: { signal } }: ClientCall<ClientOptions>,
  { name, program }: { readonly name: ClientName; readonly program: string },
  take: (order: ClientOrder) => Promise<CallReply>,
): Promise<CallReply> {
  const order = request.client;
  if (order === undefined) return failed(notStarted(name, new Error('it was given no workspace to work in')));
  if (signal.aborted) return failed(cancelledTurn(name));
  if (!existsSync(program)) return failed(programMissing(name, program));
  try {
    return await take(order);
  } catch (error) {
    return failed(signal.aborted ? cancelledTurn(name) : notStarted(name, error));
  }
}
