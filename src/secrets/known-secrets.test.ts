import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../core/model/json.ts';
import { KnownSecrets, REDACTED } from './known-secrets.ts';
import { redactJson } from './redact-json.ts';
import { credentialsIn, isSecretName } from './secret-value.ts';

const KEY = 'sk-Live/4b+9"Zq\\7&xW2-ümlaut~kP0';
const PLAIN = 'sk-proj-9fK2mQ7xW4bT8vR1cL6nD3hJ5gS0';

function knowing(...values: readonly string[]): KnownSecrets {
  const secrets = new KnownSecrets();
  for (const [index, value] of values.entries()) secrets.add(`KEY_${index}`, value);
  return secrets;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const everyUnit = (text: string): string =>
  text.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const FORMS: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  'JSON text': (key) => JSON.stringify(key),
  'JSON in JSON': (key) => JSON.stringify(JSON.stringify({ key })),
  'JSON with escaped slashes': (key) => JSON.stringify(key).replaceAll('/', '\\/'),
  'every character escaped': everyUnit,
  percent: encodeURIComponent,
  'percent in lower case': (key) => encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
  'a web form': (key) => new URLSearchParams({ key }).toString(),
  'every byte in percent': (key) => Buffer.from(key).toString('hex').replaceAll(/../g, '%$&'),
  hex: (key) => Buffer.from(key).toString('hex'),
  HEX: (key) => Buffer.from(key).toString('hex').toUpperCase(),
  base64,
  'base64 without padding': (key) => base64(key).replaceAll('=', ''),
  base64url: (key) => Buffer.from(key).toString('base64url'),
  HTML: (key) => key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'basic authentication': (key) => `Basic ${base64(`user:${key}`)}`,
};

describe.for([KEY, PLAIN])('the key %s', (key) => {
  test.for(Object.entries(FORMS))('[S1] is redacted as %s', ([, write]) => {
    const secrets = knowing(key);
    const text = `before ${write(key)} after`;
    const clean = secrets.redact(text);
    expect(clean).toContain(REDACTED);
    expect(clean).toMatch(/^before .* after$/);
    expect(clean).not.toContain(write(key));
    expect(secrets.redact(clean)).toBe(clean);
  });
});

test.for([0, 1, 2, 3, 4, 5])('[S1] base64 of a text with the key after %i characters is redacted', (before) => {
  const secrets = knowing(PLAIN);
  const clean = secrets.redact(base64(`${'x'.repeat(before)}${PLAIN}, and more`));
  expect(clean).toContain(REDACTED);
  // Not more than the characters that it shares with its neighbours is left.
  expect(Buffer.from(clean.replace(REDACTED, ''), 'base64').toString('latin1')).not.toMatch(/roj-9|gS0/);
});

test('[S1] a form that is wrapped at any column is redacted, also where its line breaks are escaped', () => {
  for (const key of [PLAIN, PLAIN.repeat(4), 'aB3$eF6h']) {
    const secrets = knowing(key);
    for (const form of [key, base64(key), base64(`Authorization: ${key}`)]) {
      for (let column = Math.min(64, Math.ceil(form.length / 2)); column <= 100; column += 1) {
        const breakWith = ['\n', '\r\n', '\\n', '\n    '][column % 4];
        const wrapped = form.replaceAll(new RegExp(`.{${column}}(?=.)`, 'g'), `$&${breakWith}`);
        expect(secrets.redact(`a ${wrapped} b`)).toContain(REDACTED);
      }
    }
  }
});

test('[S1] the longest of several secrets that begin alike is redacted, and those that overlap are one', () => {
  const secrets = knowing('abcd1234efgh', 'abcd1234efgh-5678ijkl', '5678ijkl-mnop9012');
  expect(secrets.redact('x abcd1234efgh-5678ijkl y abcd1234efgh z')).toBe(`x ${REDACTED} y ${REDACTED} z`);
  expect(secrets.redact('abcd1234efgh-5678ijkl-mnop9012')).toBe(REDACTED);
});

test('[S1] random secrets in random text are redacted in whatever form, and the text around them stays', () => {
  const value = fc.string({ minLength: 12, maxLength: 60, unit: 'grapheme-ascii' }).filter((text) => {
    const probe = new KnownSecrets();
    probe.add('probe', text);
    return text.trim() === text && probe.redact(text) === REDACTED;
  });
  const around = fc.string({ maxLength: 40, unit: fc.constantFrom('§', '¶', '·') });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 4 }),
      around,
      fc.constantFrom(...Object.values(FORMS)),
      (values, padding, write) => {
        const secrets = knowing(...values);
        const text = values.map((one) => `${padding}${write(one)}${padding}`).join('');
        const clean = secrets.redact(text);
        expect(secrets.find(clean)).toEqual([]);
        expect(values.filter((one) => clean.includes(write(one)))).toEqual([]);
        expect(clean.replaceAll(/[^§¶·]/g, '')).toBe(text.replaceAll(/[^§¶·]/g, ''));
      },
    ),
  );
});

test('[S1] a stream that is cut anywhere gives the same as the whole text', () => {
  const secrets = knowing(PLAIN, KEY);
  const whole = `I say ${PLAIN}, ${base64(KEY)} and ${encodeURIComponent(KEY)}. ${PLAIN.slice(0, 9)} is not it.`;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sizes) => {
      const stream = secrets.stream();
      const shown: string[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        shown.push(stream.push(whole.slice(at, at + size)));
        at += size;
      }
      expect(shown.join('') + stream.end()).toBe(secrets.redact(whole));
    }),
  );
});

test('a stream holds back only what may be the beginning of a secret', () => {
  const stream = knowing(PLAIN).stream();
  expect(stream.push('Hello, this was')).toBe('Hello, this wa');
  expect(stream.push(` ${PLAIN.slice(0, 5)}`)).toBe('s ');
  expect(stream.push('etch, and nothing more')).toBe('sk-pretch, and nothing more');
});

test('[S2] a value without a secret is the same object', () => {
  const secrets = knowing(PLAIN);
  const value = { a: ['text', 1, null, { b: 'more' }] };
  expect(secrets.redactJson(value)).toBe(value);
  expect(secrets.redactJson({ [PLAIN]: [{ x: `is ${PLAIN}` }, true] })).toEqual({
    [REDACTED]: [{ x: `is ${REDACTED}` }, true],
  });
});

test('[S1] a deeply nested value is redacted in one pass', () => {
  const secrets = knowing(PLAIN);
  let looks = 0;
  const nested = Array.from({ length: 60 }).reduce<Json>((inner) => ({ inner }), `is ${PLAIN}`);
  const clean = redactJson(nested, (text) => {
    looks += 1;
    return secrets.redact(text);
  });
  expect(JSON.stringify(clean)).toContain(`is ${REDACTED}`);
  expect(looks).toBe(61);
});

test.for([
  'PGPASSWORD',
  'MYSQL_PWD',
  'GITHUB_PAT',
  'SSHPASS',
  'DB_PASS',
  'accessToken',
  'x-api-key',
  'REDISCLI_AUTH',
  'APP_CREDS',
])('[S3] %s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.for(['PWD', 'OLDPWD', 'PATH', 'KEYBOARD', 'MONKEY', 'AUTHOR', 'COMPASS', 'PATTERN', 'TOKENIZER'])(
  '[S3] %s is the name of no secret',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test('[S3] a key that begins with a slash is no path', () => {
  const key = '/wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLE';
  expect(knowing(key).redact(`It is ${key}`)).toBe(`It is ${REDACTED}`);
});

test('[S3] an address gives away its password, and a token in the place of the user', () => {
  expect(credentialsIn('postgres://ada:p%40ssw0rd@host/db')).toEqual(['p@ssw0rd']);
  expect(credentialsIn('https://ghp_0123456789abcdefABCDEF@github.com/x')).toContain('ghp_0123456789abcdefABCDEF');
  expect(credentialsIn('https://example.org/a@b')).toEqual([]);
});

test.for([
  '',
  'short',
  'postgres',
  'not-needed',
  'lm-studio',
  'sk-no-key-required',
  'xxxxxxxxxxxx',
  'Bearer token',
  '/home/user/.netrc',
  '/run/0123456789abcdef0123456789abcdef/agent.sock',
  'http://127.0.0.1:8080/v1',
  'https://example.org/search?x=1234567890',
])('[S3] "%s" is no secret', (value) => {
  const secrets = knowing(value);
  expect(secrets.redact(`I say ${value}.`)).toBe(`I say ${value}.`);
});

test('[S3] a pass phrase of plain words is a secret', () => {
  expect(knowing('correct-horse-battery-staple').redact('correct-horse-battery-staple')).toBe(REDACTED);
});

test('a secret that expired is forgotten when its last holder lets it go', () => {
  const secrets = new KnownSecrets();
  const [first, second] = [secrets.add('a', PLAIN), secrets.add('b', PLAIN)];
  first();
  expect(secrets.redact(PLAIN)).toBe(REDACTED);
  second();
  expect(secrets.redact(PLAIN)).toBe(PLAIN);
});
