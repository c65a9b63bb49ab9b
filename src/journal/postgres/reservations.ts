import { randomUUID } from 'node:crypto';
import type { RunId } from '../../core/model/ids.ts';
import type { DatabaseLink, Statement } from './database-link.ts';
import { storedText } from './stored-text.ts';

const PAUSE_MS = 50;

const TAKE: Statement = { name: 'reserve', text: 'select troupe.reserve($1, $2, $3, $4) as is_taken' };

/** Repeated as appends are: no other process could ever have the name. */
const GIVE_BACK: Statement = {
  name: 'give-back',
  pool: 'append',
  text: 'delete from troupe.reservations where id = $1',
};

export interface Reservation {
  readonly root: RunId;
  readonly name: string;
  readonly worker: string;
}

/** Waits until no other process has the name; returns what gives it back. */
export async function reserve(
  link: DatabaseLink,
  { root, name, worker }: Reservation,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const id = randomUUID();
  const giveBack = async (): Promise<void> => void (await link.query(GIVE_BACK, [id]));
  const wanted = [storedText(root), storedText(name), id, worker];
  while ((await link.query<{ is_taken: boolean }>(TAKE, wanted))[0]?.is_taken !== true) {
    await link.pause(PAUSE_MS);
    signal.throwIfAborted();
  }
  if (!signal.aborted) return giveBack;
  await giveBack();
  throw signal.reason;
}
