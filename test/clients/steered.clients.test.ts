import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClaudeActor } from '../../src/actors/clients/claude/claude-actor.ts';
import { runId, taskId } from '../../src/core/model/ids.ts';
import { openDeskOffice } from '../../src/host/desk/desk-office.ts';
import { anthropicUser, callWith, clientRig, script, until } from './client-rig.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

/** What one agent can do to another one of its run (L8), even if both had one home. */

const claude = findClient('claude');
const bash = (command: string) => ({ name: 'Bash', arguments: { command, description: 'A command' } });

describe.skipIf(claude.isMissing)(`two agents of the real client ${claude.title}`, () => {
  const rig = clientRig(claude);
  const own = () =>
    createClaudeActor({ program: claude.program, openSandbox: rig.openSandbox, environment: anthropicUser(rig) });

  test('[L8] what one of them leaves in the home acts on no later turn', async () => {
    const [one, two] = [rig.place(), rig.place()];
    const planted = JSON.stringify({
      env: { ANTHROPIC_MODEL: 'claude-planted', CLAUDE_CODE_MAX_RETRIES: '7', PLANTED_VARIABLE: '1' },
      mcpServers: { planted: { type: 'stdio', command: 'touch', args: [join(one.home, 'served')] } },
    });
    const plant = `for f in .claude.json .config.json settings.json; do echo '${planted}' > $HOME/.claude/$f; done`;
    await callWith(own(), one.order(script('Plant.', [{ tools: [bash(plant)] }, 'Done.'])));
    const look = script('Review.', [{ tools: [bash('env > seen.txt')] }, 'Done.']);
    const { reply } = await callWith(own(), two.order(look, { home: one.home }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Done.' });
    expect(reply).not.toMatchObject({ model: 'claude-planted' });
    const seen = readFileSync(join(two.folder, 'seen.txt'), 'utf8');
    expect(seen).not.toMatch(/PLANTED_VARIABLE|claude-planted|MAX_RETRIES=7/);
    expect(existsSync(join(one.home, 'served'))).toBe(false);
  });

  test('[Q2] [L8] one of them never gets hold of the token of the other', async () => {
    const office = await openDeskOffice();
    onTestFinished(() => office.close());
    const parameters = { type: 'object', properties: { signal: { type: 'string' } }, required: ['signal'] };
    const tools = [{ name: 'signal_back', description: 'Tells how the step stands.', parameters }];
    const take = async () => ({ isAccepted: true, text: 'Received.' });
    const open = (task: string) => office.open({ run: runId('run-1'), task: taskId(task), tools, take });
    const [mine, theirs] = [await open('t1'), await open('t2')];
    const token = /Bearer (\S+)/.exec(theirs.headers['Authorization'] ?? '')?.[1] ?? '';
    const [one, two] = [rig.place(), rig.place()];
    // Looks through all that it can read until the other one is done.
    const pattern = `[${token.slice(0, 1)}]${token.slice(1)}`;
    const steal =
      `touch begun; until test -e $HOME/stop; do (cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; ` +
      `grep -rsa . $HOME $TMPDIR ${one.root}) 2>/dev/null | grep -qa '${pattern}' && touch found; done`;
    const thief = callWith(own(), one.order(script('Steal.', [{ tools: [bash(steal)] }, 'Over.']), { desk: mine }));
    await until(() => existsSync(join(one.folder, 'begun')));
    const work = script('Work.', [{ tools: [bash('touch $HOME/stop')] }, 'Done.']);
    const session = { how: 'new', id: randomUUID() } as const;
    const worked = await callWith(own(), two.order(work, { desk: theirs, home: one.home, session }));
    expect(worked.reply).toMatchObject({ kind: 'answered', content: 'Done.' });
    expect((await thief).reply).toMatchObject({ kind: 'answered' });
    expect(existsSync(join(one.folder, 'found'))).toBe(false);
    // And nothing of it is left when the turns are over.
    expect(readdirSync(one.root).filter((name) => name.startsWith(`${basename(one.home)}.turn-`))).toEqual([]);
  });
});
