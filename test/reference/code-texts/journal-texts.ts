import type { JOURNAL_CODES } from '../../../src/core/codes/journal-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** The journal, the home folder and workers. */
export const JOURNAL_TEXTS: CodeTexts<typeof JOURNAL_CODES> = {
  BODY_MISSING: ['The journal does not hold a value that a record names.', 'Check the journal with `troupe doctor`.'],
  CLOCK_OFF: ['The clock of this machine differs from the clock of the database.', 'Set the clock.'],
  HOME_MISSING: ['There is no home folder to write the patch to.', 'Set TROUPE_HOME, or name the file of the patch.'],
  HOME_UNWRITABLE: [
    'Troupe cannot write to its home folder.',
    'Make the folder writable, or name another one in TROUPE_HOME.',
  ],
  HOST_CLOSED: ['The host that drove the run was shut down.', 'Open a new one.'],
  JOURNAL_ADDRESS: [
    'The address of the journal is not a PostgreSQL address.',
    'Write it as `postgres://USER:PASSWORD@HOST:5432/DATABASE`.',
  ],
  JOURNAL_BUSY: [
    'Another process kept the journal locked for too long.',
    'Close the program that holds `journal.db` open.',
  ],
  JOURNAL_CLOSED: ['The journal was closed while it was in use.', 'Open it again.'],
  JOURNAL_CONFLICT: ['Another process wrote to the same run.', 'Stop one of the two processes.'],
  JOURNAL_DAMAGED: [
    'The journal holds records that do not fit together.',
    'Run `troupe doctor` to see which, and restore a backup.',
  ],
  JOURNAL_EMPTY: ['The run has no records.', 'Start the run again.'],
  JOURNAL_FOREIGN: [
    'The database or the file is not a journal of Troupe.',
    'Name another database or another home folder.',
  ],
  JOURNAL_FULL: ['There is no space left for the journal.', 'Free some space, then resume the run.'],
  JOURNAL_IO: ['The disk of the journal failed.', 'Check the disk, then resume the run.'],
  JOURNAL_NEWER: ['A newer version of Troupe wrote the journal.', 'Upgrade Troupe, or name another journal.'],
  JOURNAL_NOT_SHARED: [
    'Workers and schedules need a journal that several machines share.',
    'Name a PostgreSQL database with `--journal`.',
  ],
  JOURNAL_OLDER: ['An older version of Troupe wrote the journal.', 'Name another journal.'],
  JOURNAL_OTHER_CLUSTER: [
    'The database belongs to another cluster.',
    'Name your own database, or change the setting that the message names.',
  ],
  JOURNAL_REFUSED: [
    'The database server refused the request.',
    'Read its reason in the message, and correct the account or the server.',
  ],
  JOURNAL_SERVER_UNFIT: [
    'The database server lacks a property that the journal needs.',
    'Change the setting of the server that the message names.',
  ],
  JOURNAL_SLOW: ['The database took too long to answer.', 'Find the query that blocks it in `pg_stat_activity`.'],
  JOURNAL_TRUNCATED: [
    'The journal is shorter than it was before.',
    'Restore `journal.db` together with `journal.db-wal`.',
  ],
  JOURNAL_UNREACHABLE: [
    'The database of the journal cannot be reached.',
    'Check the address, and that the server is running.',
  ],
  LABEL_INVALID: [
    'The text is not a label for workers.',
    'Use up to 64 letters, digits and `. : _ -`, separated by commas.',
  ],
  LEASE_LOST: [
    'Another process took the run over.',
    'Let that process continue, or resume the run when it has stopped.',
  ],
  LEASE_UNSURE: [
    'The journal was out of reach so long that another process may drive the run.',
    'Resume the run if no worker takes it up.',
  ],
  PARTS_NOT_SHARED: [
    'Workers do not have the models, clients or tools that this program supplies.',
    'Configure models and clients where the workers are, put tools into `.troupe/tools`, or use a journal of this machine.',
  ],
  PROJECT_ELSEWHERE: [
    'The project of the run was not sent to workers.',
    'Continue on the machine that has the project.',
  ],
  PROTOCOL_NEWER: ['A newer version of Troupe sent the request.', 'Use one version of Troupe for both processes.'],
  REPAIR_SHARED: [
    'The journal is in a database, which `troupe doctor` cannot repair.',
    'Restore the database from its backup.',
  ],
  SCHEDULE_EXISTS: ['A schedule has this name.', 'Choose another name, or remove that schedule first.'],
  SCHEDULE_INVALID: [
    'The times, the time zone or the place of a schedule cannot be used.',
    'Do what the message says; times are written as for cron.',
  ],
  SCHEDULE_UNKNOWN: ['No schedule has this name.', 'Choose one from `troupe schedule list`.'],
  WORKERS_NONE: ['No worker has ever used this journal.', 'Start one with `troupe worker`.'],
  WORKER_UNKNOWN: ['No live worker has this name.', 'Choose one from `troupe workers`.'],
  WORKER_VERSION: ['Another worker runs a different version of Troupe.', 'Upgrade all workers to one version.'],
  WORKFLOW_NOT_SHARED: [
    'Workers cannot run a workflow whose functions are code of the project.',
    'Run it on this machine with `--journal local`.',
  ],
};
