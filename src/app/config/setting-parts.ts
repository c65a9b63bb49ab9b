import * as z from 'zod/mini';
import { aboveZero, freeText } from '../../source/schema-parts.ts';
import { isIPv6 } from 'node:net';

/** The error of an entry of `web.allow`, as the end of a sentence; null if it is valid. */
function allowProblem(entry: string): string | null {
  const found = MISTAKES.find(({ isMade }) => isMade(entry));
  if (found !== undefined) return found.says;
  const { host, port } = partsOf(entry);
  if (port !== null && !(Number(port) >= 1 && Number(port) <= 65_535)) return 'must have a port from 1 to 65535';
  return isHost(host) ? null : 'must be a host, such as docs.example.org, *.example.org or 127.0.0.1:8080';
}

/** In this order: the first that is made explains the others. */
const MISTAKES: readonly { readonly isMade: (entry: string) => boolean; readonly says: string }[] = [
  { isMade: (entry) => /^[a-z][a-z0-9+.-]*:\/\//i.test(entry), says: 'must be a host without http:// or https://' },
  { isMade: (entry) => /[\s\p{Cc}]/u.test(entry), says: 'must not have blanks in it' },
  { isMade: (entry) => entry.includes('@'), says: 'must not have a user name in it' },
  { isMade: (entry) => /[/?#\\]/.test(entry), says: 'must be a host alone, without a path: a host is allowed whole' },
  { isMade: isIPv6, says: 'must have brackets around an IPv6 address, such as [::1]:8080' },
  {
    isMade: (entry) => entry.startsWith('*') && !/^\*\.[^*.]+\./.test(entry),
    says: 'must name a domain after the star, such as *.example.org',
  },
  { isMade: (entry) => entry.slice(1).includes('*'), says: 'must have a star only in front, such as *.example.org' },
  {
    isMade: (entry) => /:[^\]:]*$/.test(entry) && !/:\d{1,5}$/.test(entry),
    says: 'must have a number behind the colon, such as example.org:8080',
  },
];

function partsOf(entry: string): { readonly host: string; readonly port: string | null } {
  const found = /^(.*):(\d{1,5})$/.exec(entry);
  return found === null ? { host: entry, port: null } : { host: found[1] ?? '', port: found[2] ?? '' };
}

/** Only what an address of the web could have for a host, in the spelling that is compared with it. */
function isHost(host: string): boolean {
  const name = host.startsWith('*.') ? host.slice(2) : host;
  if (name === '' || name.endsWith('.') || name.startsWith('.')) return false;
  const url = URL.parse(`http://${name}/`);
  return url !== null && url.port === '' && url.hostname === name.toLowerCase();
}

/** Pieces that several settings share. Messages are the ends of sentences, as everywhere in schemas. */

export const textSetting = freeText.check(z.minLength(1, { error: 'must not be empty' }));

/** A command line for a shell. */
export const command = freeText.check(
  z.refine((value) => value.trim() !== '', { error: 'must not be empty' }),
  z.refine((value) => !value.includes('\0'), { error: 'must not have a null character' }),
);

export const amount = z
  .number({ error: 'must be a number, zero or more' })
  .check(z.nonnegative({ error: 'must be a number, zero or more' }));

/** More than a timer can count is taken for a mistake in the unit. */
const MOST_SECONDS = 2_000_000;

export const seconds = aboveZero.check(
  z.lte(MOST_SECONDS, { error: `must be at most ${MOST_SECONDS} seconds, which is 23 days` }),
);

/** A name and never the key itself: the file is read by others, and so are messages about it. */
export const variableName = textSetting.check(
  z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: 'must be the name of an environment variable, such as OPENAI_API_KEY, and not the key itself',
  }),
);

/** An address of the web, without what would be shown in messages or logs. */
export const webAddress = textSetting.check(
  z.refine((value) => parsed(value) !== null, { error: 'must be an address that begins with http:// or https://' }),
  z.refine((value) => !hasSecrets(value), { error: 'must not have a user name or password in it' }),
);

function parsed(value: string): URL | null {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function hasSecrets(value: string): boolean {
  const url = parsed(value);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** A host that may be reached. */
export const allowEntry = textSetting.check(
  z.superRefine((value, context) => {
    const problem = allowProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: value });
  }),
);

/** Refuses invalid header names and values here rather than at the first call. */
export const headers = z.record(
  z
    .string({ error: 'must be text' })
    .check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be the name of a header, such as x-api-key' })),
  freeText.check(
    // Not a pattern of the schema: its control characters would not survive every validator.
    z.refine((value) => !/[\p{Cc}]/u.test(value), { error: 'must be one line, without control characters' }),
  ),
  { error: 'must be a mapping of header names to texts' },
);
