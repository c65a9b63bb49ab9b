import { existsSync } from 'node:fs';
import type { Sandbox } from '../../sandbox/port.ts';
import type { Activity } from '../../core/record/agent-fact.ts';
import type { Effort, Price } from '../model/model-config.ts';
import type { Actor, CallOptions, CallReply, CallRequest, ClientOrder } from '../port.ts';
import { carefulListener } from '../careful-listener.ts';
import type { Reach } from './network/reach.ts';
import { type BoxedProgram, ClientProcess, type ClientProcessOptions } from './process/client-process.ts';
import { cancelledTurn, type ClientName, failed, notStarted, programMissing } from './client-failure.ts';

/** Options common to all clients. */
export interface ClientOptions {
  readonly openSandbox: () => Promise<Sandbox>;
  /** The user's, of which the client gets its own variables only. */
  readonly environment: NodeJS.ProcessEnv;
  /** Its own choice by default. */
  readonly model?: string;
  /** Default: the client's own. */
  readonly effort?: Effort;
  /** Overrides the cost that the client reports. */
  readonly price?: Price;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden?: readonly string[];
  /** Hosts that it may reach besides its own endpoint. */
  readonly hosts?: Reach;
}

/** One call of such an actor. */
export interface ClientCall<Options extends ClientOptions> {
  readonly options: Options;
  readonly request: CallRequest;
  readonly callOptions: CallOptions;
  readonly name: ClientName;
}

/** How one kind of client takes its turns. */
export interface ClientKind<Options extends ClientOptions> extends Pick<Required<Actor>, 'kind' | 'client'> {
  readonly name: ClientName;
  readonly program: string;
  readonly take: (call: ClientCall<Options>, order: ClientOrder) => Promise<CallReply>;
}

export function clientActor<Options extends ClientOptions>(options: Options, about: ClientKind<Options>): Actor {
  const { kind, client, name } = about;
  return {
    kind,
    client,
    call: (request, callOptions) => guardedTurn({ options, request, callOptions, name }, about),
  };
}

/** One turn of a client; any error on the way becomes a failure. */
async function guardedTurn<Options extends ClientOptions>(
  call: ClientCall<Options>,
  { program, take }: ClientKind<Options>,
): Promise<CallReply> {
  const { request, name } = call;
  const { signal } = call.callOptions;
  const order = request.client;
  if (order === undefined) return failed(notStarted(name, new Error('it was given no workspace to work in')));
  if (signal.aborted) return failed(cancelledTurn(name));
  if (!existsSync(program)) return failed(programMissing(name, program));
  try {
    return await take(call, order);
  } catch (error) {
    return failed(signal.aborted ? cancelledTurn(name) : notStarted(name, error));
  }
}

/**
 * Clients do not lock their conversations: if two processes continue the same one, the work of one vanishes from its history.
 * So the second waits until the first is done or the signal aborts it.
 */
export async function aloneIn<Value>(session: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const before = busy.get(session);
  const { promise, resolve } = Promise.withResolvers<void>();
  const own = before === undefined ? promise : before.then(() => promise);
  busy.set(session, own);
  try {
    if (before !== undefined) await Promise.race([before, aborted(signal)]);
    signal.throwIfAborted();
    return await work();
  } finally {
    resolve();
    if (busy.get(session) === own) busy.delete(session);
  }
}

/** In this process; one process drives a run. */
const busy = new Map<string, Promise<void>>();

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

/** Starts the program of a turn, and lets the desk hold it up and end it. */
export async function startClient(
  { callOptions: { signal } }: ClientCall<ClientOptions>,
  { limits, desk }: ClientOrder,
  { program, onLine, interrupt, accept }: ClientStart,
): Promise<ClientProcess> {
  const started = await ClientProcess.start(program, { limits, signal, onLine, ...(interrupt && { interrupt }) });
  desk?.onCheck?.(() => started.hold());
  desk?.onAccepted?.(accept);
  return started;
}

export interface ClientStart extends Pick<ClientProcessOptions, 'onLine' | 'interrupt'> {
  readonly program: BoxedProgram;
  /** Its reply was accepted. */
  readonly accept: () => void;
}

/** Hears what happens in a client's turn. */
export interface StoryListener {
  readonly onText: (delta: string) => void;
  readonly onActivity: (activity: Activity) => void;
}

export const storyListener = ({ onText, onActivity }: CallOptions): StoryListener => ({
  onText: carefulListener(onText),
  onActivity: carefulListener(onActivity),
});
