import { dealt } from '../sample.ts';
import type { ClientUnderTest } from './client-cache.ts';

/** What an endpoint does, and what a client's turn comes to by that. */
export type EndpointFailure = readonly [title: string, reply: object, failure: { class: string; code: string }];

/** With every client. */
const ALL_CLIENTS: readonly EndpointFailure[] = [
  ['a server that fails', { status: 500 }, { class: 'server', code: 'ENDPOINT_FAILED' }],
  ['too many calls', { status: 429 }, { class: 'rate', code: 'RATE_LIMITED' }],
  ['a request that is refused', { status: 400, message: 'No.' }, { class: 'bad-request', code: 'REQUEST_REFUSED' }],
  ['a key that is refused', { status: 401 }, { class: 'auth', code: 'AUTH_FAILED' }],
];

/** Adapters do not tell it from the first. */
export const OVERLOADED: EndpointFailure = [
  'a server that is overloaded',
  { overloaded: true },
  { class: 'overload', code: 'ENDPOINT_OVERLOADED' },
];

const CLIENTS: readonly ClientUnderTest[] = ['claude', 'codex', 'claude-agent-acp'];

/**
 * What is tried with a real client: its own failures, and those of every client. The tests deal the latter out, so that each is
 * tried with one client; a proof tries each with all of them.
 */
export const endpointFailures = (client: ClientUnderTest, ...own: readonly EndpointFailure[]) => [
  ...dealt(ALL_CLIENTS, CLIENTS.indexOf(client)),
  ...own,
];
