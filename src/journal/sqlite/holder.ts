import { isAlive, isSameProcess, ownIdentity, type ProcessIdentity } from '../../lib/process-identity.ts';

/** Who holds a lease: its chosen name, and its process. */
export interface LeaseHolder extends ProcessIdentity {
  readonly owner: string;
}

/** How a journal distinguishes processes; a parameter so that a test can be several. */
export interface Processes {
  readonly self: ProcessIdentity;
  readonly isAlive: (identity: ProcessIdentity) => boolean;
}

export const systemProcesses = (): Processes => ({ self: ownIdentity(), isAlive });

export const holderOf = (text: string | null): LeaseHolder | null =>
  text === null ? null : (JSON.parse(text) as LeaseHolder);

/** The same owner in the same process may take its own run again, since no other process drives it. */
export function isHeldByAnother(holder: LeaseHolder | null, owner: string, processes: Processes): boolean {
  return holder !== null && !isSameHolder(holder, owner, processes) && processes.isAlive(holder);
}

export const isSameHolder = (holder: LeaseHolder, owner: string, { self }: Processes): boolean =>
  holder.owner === owner && isSameProcess(holder, self);

/** For one list of many runs: most are held by the same few processes, and asking costs a look at the system each time. */
export function remembered(isAlive: Processes['isAlive']): Processes['isAlive'] {
  const answers = new Map<string, boolean>();
  return (identity) => {
    const key = `${identity.pid} ${identity.startedAt} ${identity.bootId}`;
    const answer = answers.get(key) ?? isAlive(identity);
    answers.set(key, answer);
    return answer;
  };
}
