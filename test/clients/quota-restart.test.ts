import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { jsonLines } from '../cli/sandbox.ts';
import { fakeClaude, nextLine, type Line } from './fake-claude.ts';

// It waits for seconds on purpose, and longer where the machine is busy with others.
vi.setConfig({ testTimeout: 240_000 });

/** Its allowance is used up while there is a file that tells for how many seconds. */
const USED_UP = `wait="$(cat "$(dirname "$0")/used-up" 2> /dev/null)"
if [ -n "$wait" ]; then
  reset=$(($(date +%s) + wait))
  echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"Claude AI usage limit reached|'$reset'"}'
  exit 0
fi`;

test('[Q5] [L6] a quota is waited for by a process that comes after a killed one, and by other runs of the provider', async () => {
  let waitS = 6;
  let timings = await waitThroughRestart(waitS);
  // Where the machine was too busy for anybody to come in time nothing was seen: then there is more of it.
  while (!timings.cameInTime && waitS < 60) timings = await waitThroughRestart((waitS *= 2));
  const { killed, resumed, other } = timings;
  expect(timings.breaker).toMatchObject({ anthropic: expect.any(Number) });

  expect(resumed.lines.at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok', output: 'Done.' });
  expect(callsOf(resumed.lines)).toEqual(['call.retried', 'call.answered', 'call.answered']);
  expect(timeOf(resumed.lines.find(({ kind }) => kind === 'call.retried'))).toBeGreaterThanOrEqual(timings.retryAt);
  const [first = 0, second = 0, ...more] = timings.starts(killed.run);
  expect(more).toHaveLength(1);
  expect(first).toBeLessThan(timings.failedAt);
  expect(second).toBeGreaterThanOrEqual(timings.retryAt);

  expect(other.lines.at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok', output: 'Done.' });
  expect(other.lines.find(({ kind }) => kind === 'call.failed')).toMatchObject({
    failure: { class: 'quota', code: 'QUOTA_USED_UP' },
  });
  const starts = timings.starts(other.run);
  expect(starts).toHaveLength(2);
  for (const at of starts) expect(at).toBeGreaterThanOrEqual(Number(timings.breaker['anthropic']));
});

/** The quota ends in so many seconds; the process that heard of it is killed, and two others come. */
async function waitThroughRestart(waitS: number) {
  const { sandbox, bin, environment, begin, starts } = fakeClaude(USED_UP);
  writeFileSync(join(bin, 'used-up'), String(waitS));
  const killed = sandbox.start(begin, { environment });
  const failed = await nextLine(killed, 'call.failed');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const run = String(failed['run']);
  const breaker = JSON.parse(readFileSync(join(sandbox.home, 'breakers.json'), 'utf8')) as Line;
  rmSync(join(bin, 'used-up'));
  const [resumed, other] = await Promise.all(
    [['resume', run, '--json'], begin].map(async (words) => {
      const lines = jsonLines((await sandbox.troupe(words, { environment })).stdout);
      return { lines, run: String(lines.at(-1)?.['run']) };
    }),
  );
  if (resumed === undefined || other === undefined) throw new Error('They are gone.');
  const resumedAt = timeOf(resumed.lines.find(({ kind }) => kind === 'run.resumed'));
  const retryAt = Number(failed['retryAt']);
  const isRefused = other.lines.some(({ kind }) => kind === 'call.failed');
  return {
    breaker,
    killed: { run },
    resumed,
    other,
    failedAt: timeOf(failed),
    retryAt,
    cameInTime: resumedAt < retryAt && isRefused,
    starts,
  };
}

const callsOf = (lines: readonly Line[]) =>
  lines.map(({ kind }) => kind).filter((kind) => typeof kind === 'string' && kind.startsWith('call.'));

const timeOf = (line: Line | undefined): number => Number(line?.['at']);
