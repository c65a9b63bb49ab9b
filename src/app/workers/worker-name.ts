import type { RegisteredWorker } from '../../journal/postgres/shared-journal.ts';

/** As people name workers: HOST/PID. */
export const workerName = ({ host, pid }: Pick<RegisteredWorker, 'host' | 'pid'>): string => `${host}/${pid}`;
