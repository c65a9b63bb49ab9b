import { expect, test } from 'vitest';
import type { DebateView } from '../../src/formats/review/views/debate-view.ts';
import type { RunView } from '../../src/protocol/run-view.ts';
import { widest } from './phase-project.ts';
import { scriptedProject } from './projects.ts';
import { reviewProject, runReview } from './review-project.ts';
import type { Running } from './sandbox.ts';

test('[PD4] [U5] a debate: findings × reviewers × rounds, what it came to, what was decided, and what it cost', async () => {
  const sandbox = reviewProject();
  const { run, code } = await runReview(sandbox);
  expect(code).toBe(0);
  const view = JSON.parse((await sandbox.troupe(['debate', run, '--json'])).stdout) as DebateView;
  expect(view).toMatchObject({
    kind: 'debate',
    run,
    workflow: 'two_minds',
    outcome: 'ok',
    task: 'Double it.',
    open: [],
  });
  expect(view.findings.map(({ id, by, state, closed }) => [id, by, state, closed?.how])).toEqual([
    ['F1', 'engine', 'resting', 'evidence'],
    ['F2', 'rev_1', 'resting', 'agreed'],
    ['F3', 'ann', 'fixed', 'fixed'],
  ]);
  expect(view.debates).toMatchObject([
    { debate: 1, came: 'consensus', verdict: 'REVISE_BEST', decision: { decision: 'REVISE_BEST', best: 'impl_1' } },
    { debate: 2, came: 'consensus', verdict: 'APPROVE', decision: { decision: 'APPROVE', best: 'impl_1' } },
  ]);
  expect(view.lost).toMatchObject([{ id: 'lazy', reason: expect.stringContaining('It does not want to.') }]);
  const shown = JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
  expect(view.spending.total).toMatchObject({ usage: shown.usage, costUsd: shown.costUsd });
  expect(view.spending.parts).toMatchObject({
    implementations: { turns: 3 },
    reviews: { turns: 2 },
    debate: { turns: 4 },
  });

  const { stdout } = await sandbox.troupe(['debate', run]);
  expect(stdout).toMatch(/^debate {4}consensus after 1 round: REVISE_BEST \([\d.]+k? tokens, \$\S+, /m);
  expect(stdout).toMatch(/^F3 {2}minor {5}impl_1 {2}fixed {5}✓\|▪ {3}\+·\|▪$/m);
  expect(stdout).toMatch(/^first reviews +2 +[\d.]+k? +\$/m);
  expect(widest(stdout)).toBeLessThanOrEqual(80);
});

test('[PD4] a verdict of the present round is hidden until all have spoken; --follow tells what comes', async () => {
  const sandbox = reviewProject({ stuck: true });
  const running = sandbox.start(['run', 'two_minds', 'Double it.', '--json']);
  await untilRecord(running, ({ kind, state, visit }) => kind === 'state.entered' && state === 'debate' && visit === 2);
  const half = JSON.parse((await sandbox.troupe(['debate', 'last', '--json'])).stdout) as DebateView;
  expect(half).toMatchObject({ speaker: 'ann', round: 1, driven: true });
  expect(half.rounds.at(-1)?.verdicts).toMatchObject([{ reviewer: 'rev_1', isHidden: true, verdict: null }]);
  expect((await sandbox.troupe(['debate', 'last'])).stdout).toContain('rev_1: has spoken; shown when all have');

  const following = sandbox.start(['debate', 'last', '--follow', '--json']);
  const first = JSON.parse(String((await following.lines.next()).value)) as DebateView;
  expect(first.findings).toHaveLength(3);
  await sandbox.troupe(['cancel', 'last']);
  const { code, stdout } = await following.ended;
  expect(code).toBe(0);
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as DebateView;
  expect(last).toMatchObject({ status: 'settled', outcome: 'cancelled', driven: false });
  expect(last.rounds.at(-1)?.verdicts).toMatchObject([{ reviewer: 'rev_1', isHidden: false, verdict: 'REVISE_BEST' }]);
  await running.ended;
  const printed = (await sandbox.troupe(['debate', 'last', '--follow'])).stdout;
  expect(printed).toMatch(/^rev_1, first review: F2 \[critical\] other double\.mjs:2: It is a cube\.$/m);
  expect(printed).toMatch(/^rev_1, round 1: F3: it stands: So it is\.$/m);
});

interface Line {
  readonly kind?: string;
  readonly state?: string;
  readonly visit?: number;
}

async function untilRecord({ lines }: Running, isIt: (line: Line) => boolean): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('It ended before that.');
    if (isIt(JSON.parse(value) as Line)) return;
  }
}

test.each(['debate', 'compare'])('%s of a run that is no review is refused', async (command) => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const { code, stdout, stderr } = await sandbox.troupe([command, 'last']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^troupe: REVIEW_NONE: Run \S+ is not a review: it has no reviewers and no debate\.\nhint: See what it is: troupe show /,
  );
  const printed = await sandbox.troupe([command, 'last', '--json']);
  expect(printed.code).toBe(2);
  expect(JSON.parse(printed.stderr)).toMatchObject({ kind: 'error', code: 'REVIEW_NONE' });
  expect((await sandbox.troupe([command, 'nothing'])).code).toBe(2);
});

test('a review below another run is named, and can be looked at', async () => {
  const sandbox = reviewProject();
  const { run } = await runReview(sandbox, ['outer.ts']);
  const refused = await sandbox.troupe(['debate', run]);
  expect(refused.code).toBe(2);
  const child = /There is one below it: (\S+)/.exec(refused.stderr)?.[1] ?? '';
  expect(child).toMatch(new RegExp(`^${run}/`));
  expect(JSON.parse((await sandbox.troupe(['debate', child, '--json'])).stdout)).toMatchObject({
    run: child,
    debate: 2,
  });
  const { stdout } = await sandbox.troupe(['compare', child, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    winner: 'impl_1',
    implementations: [{ diff: { files: 1, of: 'now' } }, {}, {}],
  });
  expect((await sandbox.troupe(['compare', child, '--diff', 'impl_1', 'other'])).stdout).toContain('+++ b/double.mjs');
});
