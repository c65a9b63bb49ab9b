import { expect, test } from 'vitest';
import type { EndedState } from '../../../core/fold/snapshot.ts';
import { seenEvidence } from './seen-evidence.ts';

const ended = (state: string, change: Partial<EndedState>): EndedState => ({
  state: `review/${state}`,
  outcome: 'ok',
  output: null,
  failure: null,
  ...change,
});

const WARD = { ward: ['npm test', 'npm run lint'], seen: 'They passed.' };

test('[A7] a reviewer reads how the tests came out, or why there is no result', () => {
  const read = (last: EndedState) => seenEvidence(last, WARD);
  expect(read(ended('look', {}))).toContain('The engine ran no tests');
  const green = { output: { exitCode: 0, output: 'ok' } };
  expect(read(ended('test', green))).toMatch(/^The engine ran `npm test`, `npm run lint` .* exit code 0 \(passed\)\./);
  const red = read(ended('test', { output: { exitCode: 3, output: `${'x'.repeat(5000)}end` } }));
  expect(red).toContain('exit code 3 (FAILED)');
  expect(red).toHaveLength(red.indexOf('\n\n') + 2 + 4000);
  const failure = { code: 'TIMEOUT', class: 'timeout', message: 'It took too long.' } as const;
  expect(read(ended('test', { outcome: 'timeout', failure }))).toBe(
    'The engine could not run `npm test`, `npm run lint`: It took too long.',
  );
});

test('[A7] the diff follows what the tests came to', () => {
  const whole = seenEvidence(ended('diff', { output: '+a' }), WARD);
  expect(whole).toBe(
    '# Evidence from the engine\n\n## Tests\n\nThey passed.\n\n## All changes since the run began\n\n+a\n\n',
  );
  const failure = { code: 'INTERNAL', class: 'logic', message: 'No files.' } as const;
  expect(seenEvidence(ended('diff', { outcome: 'failed', failure }), WARD)).toContain('began\n\nNo files.');
});
