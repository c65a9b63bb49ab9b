import { Fault } from '../core/model/fault.ts';

/** An error of the file system about the home folder, as a fault that a person can act on. */
export function homeFault(home: string, error: unknown): Fault {
  const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(home, error);
  return PASSING.has(code) ? diskFailed(home, error) : homeUnwritable(home, error);
}

/** A failed read or write, or too many at once: worth a retry. */
const PASSING: ReadonlySet<string> = new Set(['EIO', 'EAGAIN', 'EINTR', 'EMFILE', 'ENFILE']);

export function diskFailed(home: string, cause: unknown): Fault {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Fault('JOURNAL_IO', `The disk under ${home} failed: ${reason}.`, {
    hint: 'Check the disk, then resume. What was accepted before stays accepted.',
    facts: { home },
    cause,
  });
}

export function diskFull(home: string, cause: unknown): Fault {
  return new Fault('JOURNAL_FULL', `There is no space left for the journal in ${home}.`, {
    hint: 'Free some space, then resume. Nothing that was accepted is lost.',
    facts: { home },
    cause,
  });
}

export function homeUnwritable(home: string, cause: unknown): Fault {
  return new Fault('HOME_UNWRITABLE', `Troupe cannot write to its home ${home}.`, {
    hint: 'Make the folder writable, or name another one in TROUPE_HOME.',
    facts: { home },
    cause,
  });
}
