import { expect, test, vi } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { fakeClaude, nextLine } from './fake-claude.ts';

// Programs in sandboxes, on machines that may be busy with others.
vi.setConfig({ testTimeout: 60_000 });

const message = {
  id: 'msg_1',
  role: 'assistant',
  model: 'claude-test',
  content: [{ type: 'tool_use', id: 'tool_1', name: 'Bash', input: { command: 'make' } }],
  usage: { input_tokens: 100, output_tokens: 7 },
};

/** The first time it calls its model, and then works on a command that takes its time. */
const AT_WORK = `if [ "$(wc -l < "$HOME/started")" = 1 ]; then
  echo '${JSON.stringify({ type: 'assistant', message })}'
  exec tail -f /dev/null
fi`;

test('[U5] [L2] Ctrl-C while a client works: what it had used is in the journal, and is counted once', async () => {
  const { sandbox, environment, begin, starts } = fakeClaude(AT_WORK);
  const running = sandbox.start(begin, { environment });
  const { run } = await nextLine(running, 'activity.noted');
  running.child.kill('SIGINT');
  const interrupted = await running.ended;
  expect(interrupted.code).toBe(130);
  const used = { inputTokens: 100, outputTokens: 7, calls: 1 };
  const noted = jsonLines(interrupted.stdout).filter(({ kind }) => kind === 'usage.noted');
  expect(noted).toMatchObject([{ usage: used }]);
  const shown = await sandbox.troupe(['show', String(run), '--json']);
  expect((JSON.parse(shown.stdout) as RunView).usage).toMatchObject(used);

  const resumed = await sandbox.troupe(['resume', String(run), '--json'], { environment });
  const usage = { inputTokens: 100, outputTokens: 7 + 2, calls: 3 };
  expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok', usage });
  expect(starts(String(run))).toHaveLength(3);
});
