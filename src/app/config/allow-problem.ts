import { isIPv6 } from 'node:net';

/** What is wrong with an entry of `web.allow`, as the end of a sentence; null when nothing is. */
export function allowProblem(entry: string): string | null {
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
