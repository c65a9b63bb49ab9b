import { expect, test } from 'vitest';
import { testCounts } from './test-counts.ts';

test.for([
  ['vitest', ' Test Files  1 failed | 2 passed (3)\n      Tests  2 failed | 10 passed | 1 skipped (13)\n', 10, 2],
  ['jest', 'Test Suites: 1 passed, 1 total\nTests:       1 failed, 5 passed, 6 total\n', 5, 1],
  ['node:test as a list', 'ℹ tests 4\nℹ pass 3\nℹ fail 1\n', 3, 1],
  ['node:test as TAP', 'TAP version 13\nok 1 - a\n1..1\n# tests 1\n# pass 1\n# fail 0\n', 1, 0],
  ['pytest', '=========== 1 failed, 5 passed, 2 skipped in 0.12s ===========\n', 5, 1],
  ['pytest, quiet', '3 passed in 0.01s\n', 3, 0],
  ['pytest with errors', '== 2 passed, 1 error in 1.00s ==\n', 2, 1],
  ['unittest', 'Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n', 3, 2],
  ['mocha', '\n  12 passing (3ms)\n  2 failing\n', 12, 2],
  ['bun', ' 7 pass\n 1 fail\n 8 expect() calls\n', 7, 1],
  ['rspec', '6 examples, 2 failures\n', 4, 2],
  ['go, verbose', '=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n', 1, 1],
  ['go by packages', 'ok  \texample.com/a\t0.002s\nFAIL\texample.com/b\t0.003s\n', 1, 1],
  [
    'cargo, several',
    'test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n',
    4,
    2,
  ],
  ['deno', 'ok | 5 passed | 0 failed (3ms)\n', 5, 0],
  ['TAP without a summary', '1..3\nok 1\nnot ok 2 - x\nok 3\n', 2, 1],
  ['nothing that is known', 'all good, 3 things passed the check\n', null, null],
  ['nothing', '', null, null],
] as const)('[PD2] counts of %s are read', ([, output, passed, failed]) => {
  expect(testCounts(output)).toEqual({ passed, failed });
});
