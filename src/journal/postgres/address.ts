import { Fault } from '../../core/fault.ts';

/** Where a journal on PostgreSQL is, and how it may be shown. */
export interface JournalAddress {
  /** With the password: for the driver only. */
  readonly url: string;
  /** Without the password and the options. */
  readonly shown: string;
  readonly database: string;
  readonly password: string | undefined;
}

export const isPostgresAddress = (text: string): boolean => /^postgres(ql)?:/i.test(text);

/** The text may hold a password, so no message repeats it. */
export function parseAddress(text: string): JournalAddress {
  const url = URL.parse(text);
  if (url === null || !isPostgresAddress(text) || databaseOf(url) === '') throw invalidAddress();
  try {
    const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
    const database = decodeURIComponent(databaseOf(url));
    const password =
      url.password === '' ? (url.searchParams.get('password') ?? undefined) : decodeURIComponent(url.password);
    const host = url.host === '' ? (url.searchParams.get('host') ?? '') : url.host;
    return { url: text, shown: `postgres://${user}${host}/${database}`, database, password };
  } catch {
    throw invalidAddress();
  }
}

const databaseOf = (url: URL): string => url.pathname.replace(/^\//, '');

const invalidAddress = (): Fault =>
  new Fault('JOURNAL_ADDRESS', 'The address of the journal is not one of PostgreSQL.', {
    hint: 'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE; special characters in a password as %XX.',
  });
