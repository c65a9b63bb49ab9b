import { expect, test } from 'vitest';
import { attackTests } from './support/attack-tests.ts';
import { attacks } from './support/process-attacks.ts';

test.for(['E52', 'E53', 'E55', 'E56', 'E58', 'E59', 'E61'])('case %s is tried in a sandbox', (name) => {
  const tried = attacks.filter(({ title }) => title.includes(`[${name}]`));
  expect(tried.flatMap(({ levels }) => levels)).toContain('bubblewrap');
});

await attackTests(attacks);
