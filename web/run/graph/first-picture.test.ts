import { expect, test } from 'vitest';
import { ApiProblem, unreachableServer } from '../../api/client.ts';
import { untilReached } from './first-picture.ts';

test('[U2] a picture is asked for until the server answers, however long that takes; what it refuses is not asked again', () => {
  expect([0, 20, 100_000].map((count) => untilReached(count, unreachableServer()))).toEqual([true, true, true]);
  expect(untilReached(0, new ApiProblem(404, { code: 'RUN_UNKNOWN', message: 'There is no run "x".' }))).toBe(false);
});
