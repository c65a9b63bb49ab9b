import { expect, test } from 'vitest';
import { checkUrl, isPublicAddress, WebRefused } from './check-url.ts';

const PUBLIC = '93.184.215.14';

async function codeOf(url: string, allow: readonly string[], addresses: readonly string[] = [PUBLIC]): Promise<string> {
  try {
    const checked = await checkUrl(url, { allow, resolve: () => Promise.resolve(addresses) });
    return checked.url.href;
  } catch (error) {
    return error instanceof WebRefused ? error.code : String(error);
  }
}

test.each([
  ['https://example.org/a', ['example.org']],
  ['http://EXAMPLE.org/a', ['Example.ORG']],
  ['https://a.example.org/', ['*.example.org']],
  ['https://a.b.example.org/', ['*.example.org']],
  ['https://example.org:8443/', ['example.org:8443']],
  ['https://bücher.example/', ['xn--bcher-kva.example']],
  ['http://93.184.215.14/', ['93.184.215.14']],
  ['http://127.0.0.1:8080/', ['127.0.0.1:8080']],
  ['http://[::1]:8080/', ['[::1]:8080']],
])('[F65] %s is allowed by %o', async (url, allow) => {
  expect(await codeOf(url, allow)).toMatch(/^https?:/);
});

test.each([
  ['https://example.org/', []],
  ['https://example.org/', ['*.example.org']],
  ['https://evilexample.org/', ['*.example.org']],
  ['https://evilexample.org/', ['example.org']],
  ['https://example.org.evil.net/', ['example.org', '*.example.org']],
  ['https://example.org./', ['example.org']],
  ['https://example.org:8443/', ['example.org']],
  ['https://example.org/', ['example.org:8443']],
  ['https://example.org/', ['*', '*.', '.org', '**', '']],
  ['http://93.184.215.14/', ['*.184.215.14', '*.14']],
  ['http://[::1]:8080/', ['::1:8080', '[::]:8080']],
])('[F65] %s is not allowed by %o', async (url, allow) => {
  expect(await codeOf(url, allow)).toBe('HOST_NOT_ALLOWED');
});

test.each([
  'file:///etc/passwd',
  'ftp://example.org/',
  'gopher://example.org/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://example.org/',
])('[F65] %s is no scheme that is fetched', async (url) => {
  expect(await codeOf(url, ['example.org'])).toBe('SCHEME_NOT_ALLOWED');
});

test.each([
  'https://user@example.org/',
  'https://user:pass@example.org/',
  'https://@example.org/',
  'https://evil.net@example.org/',
  'https://example.org\\@evil.net/',
  'https://exam\tple.org/',
  'https://example.org/\nHost: evil.net',
  'https://example.org/\u0000',
  ' https://example.org/',
  'https://example.org/ ',
  'https://exa\u200Bmple.org/',
  'https://example.org/\u202E',
  'example.org',
  '//example.org/',
  'https://',
  `https://example.org/${'a'.repeat(5000)}`,
])('[F65] %j is refused before anything is looked up', async (url) => {
  expect(await codeOf(url, ['example.org'])).toBe('URL_INVALID');
});

const SPELLINGS = [
  'http://2130706433:8080/',
  'http://0x7f000001:8080/',
  'http://017700000001:8080/',
  'http://0177.0.0.1:8080/',
  'http://127.1:8080/',
  'http://127.0.0.1.:8080/',
  'http://①②⑦.⓪.⓪.①:8080/',
  'http://127。0。0。1:8080/',
  'http://%31%32%37.0.0.1:8080/',
];

test.each(SPELLINGS)(
  '[F65] %s is an address in disguise, and refused even when the address is allowed',
  async (url) => {
    expect(await codeOf(url, ['127.0.0.1:8080'])).toBe('HOST_SPELLING');
  },
);

test.each(['http://[::ffff:127.0.0.1]:80/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::0001]/'])(
  '[F65] %s is refused as well',
  async (url) => {
    expect(await codeOf(url, ['[::1]:80', '[::ffff:7f00:1]:80', '127.0.0.1:80'])).toBe('HOST_SPELLING');
  },
);

const INSIDE = [
  ['0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254'],
  ['168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1', '198.18.0.1'],
  ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ['::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
  ['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'not an address', ''],
].flat();

test.each(INSIDE)('[F65] %s is not in the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '93.184.215.14', '172.15.0.1', '172.32.0.1', '2606:2800:21f:cb07::1', '2a00:1450::1'])(
  '[F65] %s is in the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test('[F65] a name that leads inside is refused, also when only one of its addresses does', async () => {
  expect(await codeOf('https://example.org/', ['example.org'], ['127.0.0.1'])).toBe('ADDRESS_NOT_PUBLIC');
  expect(await codeOf('https://example.org/', ['*.org', 'example.org'], [PUBLIC, '169.254.169.254'])).toBe(
    'ADDRESS_NOT_PUBLIC',
  );
  expect(await codeOf('https://a.example.org/', ['*.example.org:443'], ['10.0.0.1'])).toBe('ADDRESS_NOT_PUBLIC');
  expect(await codeOf('http://127.0.0.1/', ['127.0.0.1'])).toBe('ADDRESS_NOT_PUBLIC');
  expect(await codeOf('https://intern.example/', ['intern.example:443'], ['10.0.0.1'])).toBe('https://intern.example/');
});

test('[L3] a name without an address is an error, not a refusal', async () => {
  expect(await codeOf('https://example.org/', ['example.org'], [])).toContain('could not be resolved');
  expect(await codeOf('https://example.org/', ['example.org'], ['localhost'])).toContain('could not be resolved');
});

test.each([
  ['https://example.org:8443/', ['example.org'], 'example.org:8443'],
  ['http://docs.example.org:81/', ['*.example.org'], 'docs.example.org:81'],
  ['http://127.0.0.1:3000/', ['127.0.0.1:8080'], '127.0.0.1:3000'],
  ['https://example.org/', ['example.org:8443'], 'example.org:443'],
])(
  '[F65] a host that is allowed at another port is reported with the entry it needs: %s',
  async (url, allow, entry) => {
    await expect(checkUrl(url, { allow })).rejects.toThrow(`The user can add ${entry} to web.allow`);
  },
);
