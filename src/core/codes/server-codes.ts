import type { CodeEntry } from './code-entry.ts';

/** The server, the command line and the library. */
export const SERVER_CODES = {
  ADDRESS_UNUSABLE: {
    meaning: 'This machine does not have the address to listen on.',
    advice: 'Listen on an address that it has, or on `0.0.0.0`.',
  },
  BODY_NOT_JSON: {
    meaning: 'The body of the request is not marked as JSON.',
    advice: 'Send it with `Content-Type: application/json`.',
    status: 415,
  },
  BODY_TOO_LARGE: { meaning: 'The body of the request is too large.', advice: 'Send less data.', status: 413 },
  HOST_FOREIGN: {
    meaning: 'The request names a host that is not this server.',
    advice: 'Use the name of the server in the message.',
    status: 403,
  },
  INTERNAL: {
    meaning: 'This is a defect of Troupe.',
    advice: 'Report it with the message, and set `TROUPE_DEBUG=1` to see where it comes from.',
    status: 500,
    exit: 'failed',
  },
  LISTEN_WITHOUT_NAME: {
    meaning: 'The server listens on every address and does not know its name.',
    advice: 'Give the name with `--public-name`.',
  },
  LISTEN_WITHOUT_TLS: {
    meaning: 'Tokens and files would cross the network unencrypted.',
    advice: 'Give `--tls-cert` and `--tls-key`, or `--behind-tls` behind a proxy.',
  },
  LISTEN_WITHOUT_TOKEN: {
    meaning: 'The server has no tokens, so no one could use it.',
    advice: 'Make one with `troupe token new NAME --role admin`.',
  },
  ORIGIN_FOREIGN: {
    meaning: 'The request comes from a page of another site.',
    advice: 'Use the page of this server.',
    status: 403,
  },
  ORIGIN_NEEDED: {
    meaning: 'A request with a cookie does not say which page it comes from.',
    advice: 'Send `Authorization: Bearer TOKEN` instead of the cookie.',
    status: 403,
  },
  PLATFORM_UNSUPPORTED: {
    meaning: 'Troupe does not run on this operating system.',
    advice: 'Use the Windows Subsystem for Linux.',
  },
  PORT_IN_USE: { meaning: 'Another program uses the port.', advice: 'Choose another port, or leave out `--port`.' },
  PORT_REFUSED: { meaning: 'You may not listen on this port.', advice: 'Choose a port above 1023.' },
  REQUEST_INVALID: {
    meaning: 'The request does not have the required form.',
    advice: 'Correct the problems in the message.',
  },
  ROLE_NEEDED: {
    meaning: 'Your token does not have the role for this operation.',
    advice: 'Ask the person who runs the server for a token with that role.',
    status: 403,
  },
  ROUTE_UNKNOWN: {
    meaning: 'The server has no such address.',
    advice: 'Correct the path: `docs/reference/operations.md` lists the operations.',
    status: 404,
  },
  SERVER_BUSY: { meaning: 'The server has too many requests at once.', advice: 'Try again in a moment.', status: 503 },
  SERVER_UNREACHABLE: { meaning: 'The page cannot reach its server.', advice: 'Start it again with `troupe serve`.' },
  SIGN_IN_NEEDED: {
    meaning: 'The server needs a token, and none that it knows was given.',
    advice: 'Sign in with a token, or send `Authorization: Bearer TOKEN`.',
    status: 401,
  },
  STREAMS_FULL: { meaning: 'The server holds as many streams as it can.', advice: 'Close some streams.', status: 503 },
  STREAMS_LIMITED: {
    meaning: 'Your token has as many streams open as it may.',
    advice: 'Close some streams.',
    status: 429,
  },
  TEXT_INVALID: { meaning: 'The text holds the character NUL.', advice: 'Remove the character.' },
  TLS_UNUSABLE: {
    meaning: 'The certificate and key cannot be used for TLS.',
    advice: 'Give PEM files that belong together and that you can read.',
  },
  TOKEN_DAMAGED: {
    meaning: 'The file is not a token of Troupe.',
    advice: 'Remove the file, and make a new token.',
    status: 500,
  },
  TOKEN_EXISTS: {
    meaning: 'A token with this name already exists.',
    advice: 'Choose another name, or revoke the present one.',
    status: 409,
  },
  TOKEN_EXPIRED: {
    meaning: 'Your token has expired.',
    advice: 'Ask the person who runs the server for a new one.',
    status: 401,
  },
  TOKEN_NEEDED: {
    meaning: 'The token is missing or wrong.',
    advice: 'Open the whole address that `troupe serve` printed.',
    status: 401,
  },
  TOKEN_REVOKED: {
    meaning: 'Your token was revoked.',
    advice: 'Ask the person who runs the server for a new one.',
    status: 401,
  },
  TOKEN_UNKNOWN: { meaning: 'No token has this name.', advice: 'See them with `troupe token list`.', status: 404 },
  TROUPE_CLOSED: { meaning: 'The program closed this Troupe while it was in use.', advice: 'Open a new one.' },
  USAGE: { meaning: 'The command line or the call is wrong.', advice: 'Read the message, and `troupe help COMMAND`.' },
} as const satisfies Readonly<Record<string, CodeEntry>>;
