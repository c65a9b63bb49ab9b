import type { SERVER_CODES } from '../../../src/core/codes/server-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** The server, the command line and the library. */
export const SERVER_TEXTS: CodeTexts<typeof SERVER_CODES> = {
  ADDRESS_UNUSABLE: [
    'This machine does not have the address to listen on.',
    'Listen on an address that it has, or on `0.0.0.0`.',
  ],
  BODY_NOT_JSON: ['The body of the request is not marked as JSON.', 'Send it with `Content-Type: application/json`.'],
  BODY_TOO_LARGE: ['The body of the request is too large.', 'Send less data.'],
  HOST_FOREIGN: ['The request names a host that is not this server.', 'Use the name of the server in the message.'],
  INTERNAL: [
    'This is a defect of Troupe.',
    'Report it with the message, and set `TROUPE_DEBUG=1` to see where it comes from.',
  ],
  LISTEN_WITHOUT_NAME: [
    'The server listens on every address and does not know its name.',
    'Give the name with `--public-name`.',
  ],
  LISTEN_WITHOUT_TLS: [
    'Tokens and files would cross the network unencrypted.',
    'Give `--tls-cert` and `--tls-key`, or `--behind-tls` behind a proxy.',
  ],
  LISTEN_WITHOUT_TOKEN: [
    'The server has no tokens, so no one could use it.',
    'Make one with `troupe token new NAME --role admin`.',
  ],
  ORIGIN_FOREIGN: ['The request comes from a page of another site.', 'Use the page of this server.'],
  ORIGIN_NEEDED: [
    'A request with a cookie does not say which page it comes from.',
    'Send `Authorization: Bearer TOKEN` instead of the cookie.',
  ],
  PLATFORM_UNSUPPORTED: ['Troupe does not run on this operating system.', 'Use the Windows Subsystem for Linux.'],
  PORT_IN_USE: ['Another program uses the port.', 'Choose another port, or leave out `--port`.'],
  PORT_REFUSED: ['You may not listen on this port.', 'Choose a port above 1023.'],
  REQUEST_INVALID: ['The request does not have the required form.', 'Correct the problems in the message.'],
  ROLE_NEEDED: [
    'Your token does not have the role for this operation.',
    'Ask the person who runs the server for a token with that role.',
  ],
  ROUTE_UNKNOWN: [
    'The server has no such address.',
    'Correct the path: `docs/reference/operations.md` lists the operations.',
  ],
  SERVER_BUSY: ['The server has too many requests at once.', 'Try again in a moment.'],
  SERVER_UNREACHABLE: ['The page cannot reach its server.', 'Start it again with `troupe serve`.'],
  SIGN_IN_NEEDED: [
    'The server needs a token, and none that it knows was given.',
    'Sign in with a token, or send `Authorization: Bearer TOKEN`.',
  ],
  STREAMS_FULL: ['The server holds as many streams as it can.', 'Close some streams.'],
  STREAMS_LIMITED: ['Your token has as many streams open as it may.', 'Close some streams.'],
  TEXT_INVALID: ['The text holds the character NUL.', 'Remove the character.'],
  TLS_UNUSABLE: [
    'The certificate and key cannot be used for TLS.',
    'Give PEM files that belong together and that you can read.',
  ],
  TOKEN_DAMAGED: ['The file is not a token of Troupe.', 'Remove the file, and make a new token.'],
  TOKEN_EXISTS: ['A token with this name already exists.', 'Choose another name, or revoke the present one.'],
  TOKEN_EXPIRED: ['Your token has expired.', 'Ask the person who runs the server for a new one.'],
  TOKEN_NEEDED: ['The token is missing or wrong.', 'Open the whole address that `troupe serve` printed.'],
  TOKEN_REVOKED: ['Your token was revoked.', 'Ask the person who runs the server for a new one.'],
  TOKEN_UNKNOWN: ['No token has this name.', 'See them with `troupe token list`.'],
  TROUPE_CLOSED: ['The program closed this Troupe while it was in use.', 'Open a new one.'],
  USAGE: ['The command line or the call is wrong.', 'Read the message, and `troupe help COMMAND`.'],
};
