import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { PRINTED } from '../../src/protocol/operations/printed.ts';
import { gitProject, writingRun } from './file-projects.ts';
import { ASK_THEN_WORK, scriptedProject } from './projects.ts';
import { reviewProject, runReview } from './review-project.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

/** Commands that print no answer: one speaks the protocol of its callers, one is asked by Troupe itself. */
const WITHOUT = new Set(['mcp', 'drive', 'look']);

const seen = new Set<string>();

/** Each line is one object with `kind` that fits the command's schema, and has no field that it does not name. */
function expectPrinted([name = '']: readonly string[], stdout: string): void {
  const lines = stdout.startsWith('{\n') ? [JSON.parse(stdout) as object] : jsonLines(stdout);
  expect([name, lines.length > 0]).toEqual([name, true]);
  const schema = z.union((PRINTED[name] ?? []) as [z.ZodType]);
  for (const line of lines) {
    const read = schema.safeParse(line);
    expect([name, line, read.error?.issues]).toEqual([name, line, undefined]);
    expect([name, read.data]).toEqual([name, line]);
    expect(line).toMatchObject({ kind: expect.any(String) as string });
    if ('items' in line) expect(line).toMatchObject({ items: expect.any(Array) as object, next: null });
  }
  seen.add(name);
}

async function printed(sandbox: Sandbox, ...all: readonly (readonly string[])[]): Promise<void> {
  for (const words of all) {
    const { stdout, stderr } = await sandbox.troupe([...words, '--json', '--no-input']);
    expect([words, stderr]).toEqual([words, expect.not.stringContaining('"kind":"error"')]);
    expectPrinted(words, stdout);
  }
}

beforeAll(() => seen.clear());

test('[R2] [U1] --json is one object with a kind, lists have items and next: files and settled runs', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  await printed(
    sandbox,
    ['init'],
    ['list'],
    ['show', run],
    ['watch', run],
    ['logs', run],
    ['artifacts', run],
    ['metrics'],
    ['metrics', run],
    ['diff', run],
    ['diff', run, '--branches'],
    ['workflows'],
    ['check', '.troupe/workflows/two_steps.json'],
    ['graph', 'two_steps'],
    ['prompt', 'list'],
    ['prompt', 'show', 'planning'],
    ['prompt', 'trace', run],
    ['prompt', 'trace', run, '--call', '1'],
    ['prompt', 'trace', run, '--diff', '1,2'],
    ['schema'],
    ['schema', 'config'],
    ['doctor'],
    ['trust', '--yes'],
    ['chat', '--list'],
    ['help'],
    ['workers'],
    ['token', 'list'],
    ['token', 'new', 'anna', '--role', 'viewer'],
    ['token', 'revoke', 'anna'],
    ['rollback', run, '--to', 'start', '--dry-run'],
    ['deliver', run],
    ['discard', run, '--yes'],
    ['discard', run, '--undo'],
    ['archive', run],
    ['archive', run, '--undo'],
    ['deliver', run, '--apply'],
    ['rollback', run, '--to', 'start', '--yes'],
    ['prune', '--dry-run'],
    ['run', 'two_steps', 'Again'],
  );
  expect(seen).toContain('prune');
});

test('[R2] [U1] --json is one object with a kind: runs that are steered, and reviews', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  await printed(
    sandbox,
    ['run', 'asking.ts'],
    ['tell', 'last', 'worker', 'Be brief.'],
    ['pause', 'last'],
    ['fork', 'last', '--at', 'start', '--no-run'],
    ['cancel', 'last'],
  );
  const { items } = JSON.parse(
    (await sandbox.troupe(['list', '--json', '--limit', '1', '--status', 'paused'])).stdout,
  ) as {
    readonly items: readonly { readonly run: string }[];
  };
  const run = items[0]?.run ?? '';
  await printed(sandbox, ['answer', run, 'red', '--detach'], ['watch', run], ['run', 'asking.ts']);
  await printed(sandbox, ['resume', 'last', '--max-usd', '5'], ['messages', 'last']);
  const review = reviewProject();
  const reviewed = await runReview(review);
  await printed(review, ['debate', reviewed.run], ['compare', reviewed.run], ['artifacts', reviewed.run]);
  expect(seen).toContain('debate');
});

test('[R2] every command that prints an answer was asked for it, and has a schema', async () => {
  const names = COMMANDS.map(({ name }) => name).filter((name) => !WITHOUT.has(name));
  expect(names.filter((name) => PRINTED[name] === undefined)).toEqual([]);
  // What serves until it is stopped, and what runs as `run` does, is tested where its process is.
  expect(names.filter((name) => !seen.has(name)).toSorted()).toEqual(ELSEWHERE);
});

const ELSEWHERE = ['quest', 'schedule', 'script-model', 'serve', 'start', 'watch-files', 'worker'];
