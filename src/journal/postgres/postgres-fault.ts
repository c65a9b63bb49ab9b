import { Fault, isFault } from '../../core/model/fault.ts';
import { isPassingError } from '../../lib/passing-database-error.ts';
import type { JournalAddress } from '../journal-address.ts';
import { damaged } from '../refusal.ts';

interface ServerError {
  readonly code?: string;
  readonly message?: string;
}

/** The server answers and asks to wait: worth waiting for also when the journal is opened. */
export const isStarting = (error: unknown): boolean => /^(57P03|53300)$/.test((error as ServerError).code ?? '');

/** An error that waiting does not help against. */
export function postgresFault(error: unknown, address: JournalAddress): Fault {
  if (isFault(error)) return error;
  // The driver's own error, which has no code.
  if (/client password must be/.test((error as ServerError).message ?? ''))
    return refusal('it asks for a password', address, 'Give it in the address, in PGPASSWORD or in ~/.pgpass.');
  const code = (error as ServerError).code ?? '';
  const make = FAULTS.find(([states]) => states.test(code))?.[1] ?? (isPassingError(error) ? unreachable : refused);
  return make(error, address);
}

type MakeFault = (error: unknown, address: JournalAddress) => Fault;

const FAULTS: readonly (readonly [RegExp, MakeFault])[] = [
  [
    /^28/,
    (error, address) =>
      refusal(error, address, 'Check user and password in the address, and pg_hba.conf of the server.'),
  ],
  [/^3D000$/, (error, address) => refusal(error, address, `Create the database first: createdb ${address.database}`)],
  [/^42501$/, (error, address) => refusal(error, address, 'The user needs the right CREATE on the database, once.')],
  [
    /^53100$/,
    (error, { shown }) =>
      new Fault('JOURNAL_FULL', `The disk of the database ${shown} is full.`, {
        hint: 'Free some space, then resume. Nothing that was accepted is lost.',
        facts: { address: shown },
        cause: error,
      }),
  ],
  [
    /^57014$/,
    (error, { shown }) =>
      new Fault('JOURNAL_SLOW', `The database ${shown} took too long: ${reasonOf(error)}.`, {
        hint: 'See what the server is busy with, or what holds a lock: select * from pg_stat_activity',
        facts: { address: shown },
        cause: error,
      }),
  ],
  [/^XX00[12]$/, (error, { shown }) => damaged(`The database ${shown} is damaged: ${reasonOf(error)}.`, {}, error)],
  [
    /^58/,
    (error, { shown }) =>
      new Fault('JOURNAL_IO', `The disk of the database ${shown} failed: ${reasonOf(error)}.`, {
        hint: 'Check the disk, then resume. What was accepted before stays accepted.',
        facts: { address: shown },
        cause: error,
      }),
  ],
];

function unreachable(error: unknown, { shown }: JournalAddress): Fault {
  return new Fault('JOURNAL_UNREACHABLE', `The database ${shown} cannot be reached: ${reasonOf(error)}.`, {
    hint: 'Check host and port in the address, and that the server is running.',
    facts: { address: shown },
    cause: error,
  });
}

const refused: MakeFault = (error, address) =>
  refusal(error, address, 'Read what the server says, and see its log for more.');

function refusal(error: unknown, { shown }: JournalAddress, hint: string): Fault {
  return new Fault('JOURNAL_REFUSED', `The database ${shown} refused: ${reasonOf(error)}.`, {
    hint,
    facts: { address: shown, state: (error as ServerError).code },
    cause: error,
  });
}

export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const text = first instanceof Error ? first.message : String(first);
  return text.replace(/\.$/, '');
}
