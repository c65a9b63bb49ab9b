import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { createSandbox, jsonLines } from '../cli/sandbox.ts';
import { nextLine } from './fake-claude.ts';
import { orderOf } from './scripted-acp-step.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const WORKFLOW = {
  workflow_name: 'one_step',
  input: { name: 'task', type: 'string' },
  contexts: [{ name: 'talk' }],
  agents: [{ agent_role: 'worker', context: 'talk', role: 'assistant' }],
  states: [
    { name: 'start', agent: 'worker', input: 'common_data.task', transition: [{ target: 'stop' }] },
    { name: 'stop' },
  ],
};

const ROLES = { worker: { level: 'base', systemMessage: 'You work.', signals: ['complete'] } };

test(
  '[A8] [L6] killed with -9 right after a client heard that its signal was accepted, it is not asked again',
  { timeout: 120_000 },
  async () => {
    const sandbox = createSandbox({
      '.troupe/roles/roles.json': JSON.stringify(ROLES),
      '.troupe/workflows/one_step.json': JSON.stringify(WORKFLOW),
    });
    const program = join(import.meta.dirname, 'scripted-acp-agent.ts');
    const mine = { command: [process.execPath, '--no-warnings', program] };
    const config = join(sandbox.home, 'config');
    mkdirSync(join(config, 'troupe'), { recursive: true });
    const settings = { actors: { acp: { mine } }, readable: [ROOT] };
    writeFileSync(join(config, 'troupe/config.yaml'), JSON.stringify(settings));
    const environment = { XDG_CONFIG_HOME: config };
    const signal = { signal: 'complete', stepId: 'start', summary: 'It is built.' };
    const order = orderOf('Go.', [{ signal }, { write: 'acknowledged' }, { hang: true }]);
    const words = ['run', 'one_step', order, '--actor', 'worker=acp:mine', '--json'];
    const running = sandbox.start(words, { environment });
    const { run } = await nextLine(running, 'run.started');
    const file = join(sandbox.home, 'runs', String(run), 'work/acknowledged');
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    running.child.kill('SIGKILL');
    await running.ended;

    const resumed = await sandbox.troupe(['resume', String(run), '--json'], { environment });
    expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok' });
    const journal = await openSqliteJournal({ home: sandbox.home });
    onTestFinished(() => journal.close());
    const kinds = (await journal.read(runId(String(run)))).map(({ fact }) => fact.kind as string);
    for (const kind of ['reply.accepted', 'session.noted', 'call.answered'])
      expect([kind, kinds.filter((one) => one === kind).length]).toEqual([kind, 1]);
  },
);
