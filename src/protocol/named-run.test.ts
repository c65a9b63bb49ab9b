import { expect, test } from 'vitest';
import { namedRun } from './named-run.ts';

test('[U9] a command in a text names its run, and other words stay', () => {
  expect(namedRun('Put it back: troupe rollback RUN --to ask_verify, then troupe resume RUN. RUN it.', 'r$&1')).toBe(
    'Put it back: troupe rollback r$&1 --to ask_verify, then troupe resume r$&1. RUN it.',
  );
});
