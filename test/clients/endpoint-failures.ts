/** What an endpoint does, and what a client's turn comes to by that. */
export type EndpointFailure = readonly [title: string, reply: object, failure: { class: string; code: string }];

/** With every client. */
export const ENDPOINT_FAILURES: readonly EndpointFailure[] = [
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
