import type { CodeEntry } from './code-entry.ts';

/** The journal, the home folder and workers. */
export const JOURNAL_CODES = {
  BODY_MISSING: {
    meaning: 'The journal does not hold a value that a record names.',
    advice: 'Check the journal with `troupe doctor`.',
    status: 404,
  },
  CLOCK_OFF: { meaning: 'The clock of this machine differs from the clock of the database.', advice: 'Set the clock.' },
  HOME_MISSING: {
    meaning: 'There is no home folder to write the patch to.',
    advice: 'Set TROUPE_HOME, or name the file of the patch.',
    status: 404,
  },
  HOME_UNWRITABLE: {
    meaning: 'Troupe cannot write to its home folder.',
    advice: 'Make the folder writable, or name another one in TROUPE_HOME.',
    status: 500,
    endsDriving: true,
  },
  HOST_CLOSED: { meaning: 'The host that drove the run was shut down.', advice: 'Open a new one.', endsDriving: true },
  JOURNAL_ADDRESS: {
    meaning: 'The address of the journal is not a PostgreSQL address.',
    advice: 'Write it as `postgres://USER:PASSWORD@HOST:5432/DATABASE`.',
    endsDriving: true,
  },
  JOURNAL_BUSY: {
    meaning: 'Another process kept the journal locked for too long.',
    advice: 'Close the program that holds `journal.db` open.',
    status: 409,
    exit: 'failed',
    endsDriving: true,
  },
  JOURNAL_CLOSED: {
    meaning: 'The journal was closed while it was in use.',
    advice: 'Open it again.',
    status: 500,
    endsDriving: true,
  },
  JOURNAL_CONFLICT: {
    meaning: 'Another process wrote to the same run.',
    advice: 'Stop one of the two processes.',
    status: 409,
    exit: 'failed',
    endsDriving: true,
  },
  JOURNAL_DAMAGED: {
    meaning: 'The journal holds records that do not fit together.',
    advice: 'Run `troupe doctor` to see which, and restore a backup.',
    status: 500,
    exit: 'failed',
    endsDriving: true,
  },
  JOURNAL_EMPTY: { meaning: 'The run has no records.', advice: 'Start the run again.', status: 500, endsDriving: true },
  JOURNAL_FOREIGN: {
    meaning: 'The database or the file is not a journal of Troupe.',
    advice: 'Name another database or another home folder.',
    status: 500,
    endsDriving: true,
  },
  JOURNAL_FULL: {
    meaning: 'There is no space left for the journal.',
    advice: 'Free some space, then resume the run.',
    status: 500,
    exit: 'failed',
    endsDriving: true,
  },
  JOURNAL_IO: {
    meaning: 'The disk of the journal failed.',
    advice: 'Check the disk, then resume the run.',
    status: 500,
    exit: 'failed',
    endsDriving: true,
  },
  JOURNAL_NEWER: {
    meaning: 'A newer version of Troupe wrote the journal.',
    advice: 'Upgrade Troupe, or name another journal.',
    status: 500,
    endsDriving: true,
  },
  JOURNAL_NOT_SHARED: {
    meaning: 'Workers need a journal that several machines share.',
    advice: 'Name a PostgreSQL database with `--journal`.',
    endsDriving: true,
  },
  JOURNAL_OLDER: {
    meaning: 'An older version of Troupe wrote the journal.',
    advice: 'Name another journal.',
    endsDriving: true,
  },
  JOURNAL_OTHER_CLUSTER: {
    meaning: 'The database belongs to another cluster.',
    advice: 'Name your own database, or change the setting that the message names.',
    endsDriving: true,
  },
  JOURNAL_REFUSED: {
    meaning: 'The database server refused the request.',
    advice: 'Read its reason in the message, and correct the account or the server.',
    endsDriving: true,
  },
  JOURNAL_SERVER_UNFIT: {
    meaning: 'The database server lacks a property that the journal needs.',
    advice: 'Change the setting of the server that the message names.',
    endsDriving: true,
  },
  JOURNAL_SLOW: {
    meaning: 'The database took too long to answer.',
    advice: 'Find the query that blocks it in `pg_stat_activity`.',
    endsDriving: true,
  },
  JOURNAL_TRUNCATED: {
    meaning: 'The journal is shorter than it was before.',
    advice: 'Restore `journal.db` together with `journal.db-wal`.',
    status: 500,
    exit: 'failed',
    endsDriving: true,
  },
  JOURNAL_UNREACHABLE: {
    meaning: 'The database of the journal cannot be reached.',
    advice: 'Check the address, and that the server is running.',
    exit: 'failed',
    endsDriving: true,
  },
  LABEL_INVALID: {
    meaning: 'The text is not a label for workers.',
    advice: 'Use up to 64 letters, digits and `. : _ -`, separated by commas.',
  },
  LEASE_LOST: {
    meaning: 'Another process took the run over.',
    advice: 'Let that process continue, or resume the run when it has stopped.',
    status: 409,
    exit: 'failed',
    endsDriving: true,
  },
  LEASE_UNSURE: {
    meaning: 'The journal was out of reach so long that another process may drive the run.',
    advice: 'Resume the run if no worker takes it up.',
    endsDriving: true,
  },
  PARTS_NOT_SHARED: {
    meaning: 'Workers do not have the models or clients that this program supplies.',
    advice: 'Configure them where the workers are, or use a journal of this machine.',
  },
  PROJECT_ELSEWHERE: {
    meaning: 'The project of the run was not sent to workers.',
    advice: 'Continue on the machine that has the project.',
  },
  PROTOCOL_NEWER: {
    meaning: 'A newer version of Troupe sent the request.',
    advice: 'Use one version of Troupe for both processes.',
  },
  REPAIR_SHARED: {
    meaning: 'The journal is in a database, which `troupe doctor` cannot repair.',
    advice: 'Restore the database from its backup.',
  },
  WORKERS_NONE: {
    meaning: 'No worker has ever used this journal.',
    advice: 'Start one with `troupe worker`.',
    status: 404,
  },
  WORKER_UNKNOWN: {
    meaning: 'No live worker has this name.',
    advice: 'Choose one from `troupe workers`.',
    status: 404,
  },
  WORKER_VERSION: {
    meaning: 'Another worker runs a different version of Troupe.',
    advice: 'Upgrade all workers to one version.',
  },
  WORKFLOW_NOT_SHARED: {
    meaning: 'Workers cannot run a workflow whose functions are code of the project.',
    advice: 'Run it on this machine with `--journal local`.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
