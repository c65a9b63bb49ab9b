import { Fault } from '../core/model/fault.ts';

/** Where a journal on PostgreSQL is, and how it may be shown. */
export interface JournalAddress {
  /** With the password: for the driver only. */
  readonly url: string;
  /** Without the password and the options. */
  readonly shown: string;
  readonly database: string;
  readonly password: string | undefined;
}

/** The text may hold a password, so no message repeats it. JOURNAL_ADDRESS. */
export function parseAddress(text: string): JournalAddress {
  const address = addressIn(text);
  if (address !== null) return address;
  throw new Fault('JOURNAL_ADDRESS', 'The address of the journal is not one of PostgreSQL.', {
    hint: 'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE; special characters in a password as %XX.',
  });
}

export const isJournalAddress = (text: string): boolean => addressIn(text) !== null;

function addressIn(text: string): JournalAddress | null {
  const url = /^postgres(ql)?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null || url.pathname.length < 2) return null;
  try {
    const database = decodeURIComponent(url.pathname.slice(1));
    const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
    const host = url.host || (url.searchParams.get('host') ?? '');
    const password = decodeURIComponent(url.password) || (url.searchParams.get('password') ?? undefined);
    return { url: text, shown: `postgres://${user}${host}/${database}`, database, password };
  } catch {
    // A percent sign that begins no %XX.
    return null;
  }
}
