import type { Socket } from 'node:net';

import pg from 'pg';

import { InTurn } from '../../lib/in-turn.ts';
import type { DatabaseLink } from './database-link.ts';

/** A reply that takes longer than this means that the connection is broken: heartbeats must not wait for TCP to notice. */
const REPLY_MS = 2000;

/** One connection that is kept open and opened again when it breaks, with what has to be set up in it each time. */
export class HeldConnection {
  readonly #link: DatabaseLink;
  readonly #setUp: (client: pg.Client) => Promise<void>;
  /** The driver takes one statement at a time. */
  readonly #statements = new InTurn();
  #client: pg.Client | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  constructor(link: DatabaseLink, setUp: (client: pg.Client) => Promise<void>) {
    this.#link = link;
    this.#setUp = setUp;
  }

  /** Resolves once it is open and set up. Rejects where waiting does not help; one that was open once is waited for. */
  open(): Promise<void> {
    return this.#open((connect) => this.#link.patiently(connect));
  }

  #open(wait: (connect: () => Promise<void>) => Promise<void>): Promise<void> {
    if (this.#client !== undefined) return Promise.resolve();
    this.#opening ??= wait(() => this.#connect()).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** The connection, where it is open now. */
  get client(): pg.Client | undefined {
    return this.#client;
  }

  /** A failed statement gives the connection up; it is opened again. */
  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#statements.run('', async () => {
      await this.open();
      const client = this.#client;
      if (client === undefined) throw new Error('Connection terminated');
      socketOf(client).ref();
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } catch (error) {
        this.#giveUp(client);
        throw error;
      } finally {
        socketOf(client).unref();
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.#link.settings(), query_timeout: REPLY_MS });
    client.on('error', () => this.#giveUp(client));
    client.on('end', () => this.#giveUp(client));
    try {
      await client.connect();
      await this.#setUp(client);
    } catch (error) {
      destroy(client);
      throw error;
    }
    // Listening and heartbeats do not keep a process that has nothing else to do.
    socketOf(client).unref();
    this.#client = client;
  }

  /** Whatever the reason is: a password that was changed may be changed back, and a full disk be emptied. */
  #giveUp(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    destroy(client);
    if (!this.#isClosed) this.#open((connect) => this.#link.untilDone(connect)).catch(() => undefined);
  }
}

/** Without the farewell, which a broken connection would wait for. */
const destroy = (client: pg.Client): void => void socketOf(client).destroy();

const socketOf = (client: pg.Client): Socket => client.connection.stream as Socket;
