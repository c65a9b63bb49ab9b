import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections may be in each state. One bound for all would let strangers take the places of the user. */
export interface ConnectionBounds {
  /** Nothing with a token came over them yet. */
  readonly unknown: number;
  /** A token came over them, and no request is under way. */
  readonly idle: number;
}

/** A browser opens six connections for a page; streams have their own bound (`stream-places.ts`). */
const BOUNDS: ConnectionBounds = { unknown: 128, idle: 128 };

interface Place {
  readonly socket: Socket;
  isTrusted: boolean;
  underWay: number;
}

/**
 * Makes room for new connections by closing old ones of the same state, the oldest first. A newcomer is never refused, so
 * silent connections cannot shut the user out. A trusted connection with a request under way is never closed.
 */
export class ConnectionPlaces {
  readonly #bounds: ConnectionBounds;
  /** In the order in which they came into their state. */
  readonly #places = new Map<string, Place>();

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket));
    server.prependListener('request', (request, answer) => this.#begin(request, answer));
  }

  /** A request over this connection had the token. */
  trust(socket: Socket): void {
    const place = this.#places.get(keyOf(socket));
    if (place !== undefined) place.isTrusted = true;
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const place = { socket, isTrusted: false, underWay: 0 };
    this.#places.set(key, place);
    socket.once('close', () => {
      // Its number may be another client's by now.
      if (this.#places.get(key) === place) this.#places.delete(key);
    });
    this.#makeRoom();
  }

  #begin({ socket }: IncomingMessage, answer: ServerResponse): void {
    const key = keyOf(socket);
    const place = this.#places.get(key);
    if (place === undefined) return;
    place.underWay += 1;
    answer.once('close', () => {
      place.underWay -= 1;
      // It goes to the end of its queue: it was used just now.
      if (this.#places.get(key) === place) {
        this.#places.delete(key);
        if (!place.socket.destroyed) this.#places.set(key, place);
      }
      this.#makeRoom();
    });
  }

  #makeRoom(): void {
    const all = [...this.#places.values()];
    const unknown = all.filter(({ isTrusted }) => !isTrusted);
    const silent = unknown.filter(({ underWay }) => underWay === 0);
    // Those that get an answer now come last: they end by themselves.
    const working = unknown.filter(({ underWay }) => underWay > 0);
    const idle = all.filter(({ isTrusted, underWay }) => isTrusted && underWay === 0);
    close([...silent, ...working], this.#bounds.unknown);
    close(idle, this.#bounds.idle);
  }
}

/** The same for a connection and for the TLS that is spoken over it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function close(places: readonly Place[], most: number): void {
  for (const { socket } of places.slice(0, Math.max(0, places.length - most))) socket.destroy();
}
