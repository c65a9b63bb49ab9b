import { Fault, isFault } from '../../core/model/fault.ts';
import { diskFailed, diskFull, homeFault, homeUnwritable } from '../home-fault.ts';
import { damaged } from '../refusal.ts';

/** An error of SQLite or the file system, as a fault that a person can act on. */
export function toFault(error: unknown, home: string): Fault {
  if (isFault(error)) return error;
  const code = sqliteCode(error);
  if (code !== undefined) return sqliteFault(code, error, home);
  const isSystemError = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  return isSystemError ? homeFault(home, error) : damaged(`The journal in ${home} cannot be read.`, {}, error);
}

export function shield<T>(home: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFault(error, home);
  }
}

/** `damage` follows the path of the file. */
export function headDamaged(path: string, damage: string): Fault {
  return new Fault('JOURNAL_DAMAGED', `The file ${path} ${damage}.`, {
    hint: 'Check the journal and write the file again: `troupe doctor --repair`. It asks first and keeps the damaged file.',
    facts: { file: path },
  });
}

function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode : undefined;
}

const PRIMARY = 0xff;
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const TOOBIG = 18;
const CONSTRAINT = 19;
const CANTOPEN = 14;
/** No room for the shared memory beside the database. */
const IOERR_SHMSIZE = 4874;
/** The file is shorter than its own header says. */
const IOERR_SHORT_READ = 522;

function sqliteFault(code: number, error: unknown, home: string): Fault {
  if (code === FULL || code === IOERR_SHMSIZE) return diskFull(home, error);
  const primary = code === IOERR_SHORT_READ ? undefined : code & PRIMARY;
  switch (primary) {
    case READONLY:
    case CANTOPEN:
      return homeUnwritable(home, error);
    case BUSY:
      return new Fault('JOURNAL_BUSY', `The journal in ${home} stayed locked by another process.`, {
        hint: 'Find what holds journal.db open, such as a database browser, and close it.',
        facts: { home },
        cause: error,
      });
    case IOERR:
      return diskFailed(home, error);
    case TOOBIG:
    case CONSTRAINT:
      return new Fault('INTERNAL', `The journal refused a row: ${(error as Error).message}.`, {
        hint: 'This is a defect of Troupe. Please report it with the run.',
        cause: error,
      });
    default:
      return damaged(`The database ${home}/journal.db is damaged: ${(error as Error).message}.`, { home }, error);
  }
}
