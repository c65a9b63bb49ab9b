import { expect, test } from 'vitest';
import { attackTests } from './support/attack-tests.ts';
import { attacks } from './support/secret-attacks.ts';

test.for(['F62', 'F63', 'F64'])('case %s is tried in a sandbox', (name) => {
  const tried = attacks.filter(({ title }) => title.includes(`[${name}]`));
  expect(tried.flatMap(({ levels }) => levels)).toContain('bubblewrap');
});

await attackTests(attacks);
