import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Actor, CallRequest } from '../../../actors/port.ts';
import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { Fact } from '../../../core/record/fact.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { Role, RoleMode } from '../../../core/model/role.ts';
import { signalTool } from '../../../core/model/signal.ts';
import type { TurnWork } from '../../../core/model/workflow.ts';
import type { Journal } from '../../../journal/port.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { connect, handIn } from '../../desk/testing/desk-bench.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from '../../testing/build-definition.ts';
import { dyingJournal } from '../../testing/dying-journal.ts';
import { CLIENT_TRAITS } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const PLAN: OwedOutput = { name: 'plan', form: 'file', path: 'specs/plan.md', type: 'plan' };
const REPORT: OwedOutput = { name: 'report', form: 'file', path: 'report.json', type: 'report' };

type Hand = (given: JsonObject, name?: string) => Promise<{ readonly text: string; readonly isError?: boolean }>;
type Client = (hand: Hand, request: CallRequest) => Promise<void>;

describe.each(['read', 'commands', 'write'] as const)('[PH4] a client whose role may %s', (mode) => {
  test('delivers at the desk, also after a refusal, and ends by itself', async () => {
    const { facts, folder, outcome } = await desked([PLAN, REPORT], { mode }, async (hand) => {
      expect(await hand({ name: 'plan', content: '' })).toEqual({
        text: expect.stringContaining('specs/plan.md is empty.'),
        isError: true,
      });
      expect(await hand({ name: 'plan', content: 'one' })).toMatchObject({ isError: false });
      expect(await hand({ name: 'plan', content: 'two' })).toMatchObject({ isError: false });
      expect(await hand({ name: 'report', content: { tests_failed: 0 } })).toMatchObject({ isError: false });
      expect(await hand({ progress: 1, message: 'All is handed in' }, 'report_progress')).toMatchObject({
        isError: false,
      });
    });
    expect(outcome).toBe('ok');
    expect(readFileSync(join(folder, 'specs/plan.md'), 'utf8')).toBe('two');
    expect(facts.flatMap((fact) => (fact.kind === 'output.handed' ? [fact.name] : []))).toEqual([
      'plan',
      'plan',
      'report',
    ]);
    expect(facts.filter(({ kind }) => kind === 'progress.noted')).toHaveLength(1);
    expect(facts.find(({ kind }) => kind === 'bus.sent')).toMatchObject({
      message: { type: 'status', sender: 'planner', payload: { status: 'in_progress', progress: 1 } },
    });
    const changed = facts.filter((fact) => fact.kind === 'files.changed');
    // An agent that writes holds the workspace until its turn ends.
    expect(changed.map(({ why }) => why)).toEqual(mode === 'write' ? ['work'] : ['work', 'work', 'work']);
  });
});

test('[PH4] an output of a client that only reads is durable before the client is answered', async () => {
  const { facts } = await desked([PLAN], { mode: 'read' }, async (hand, { run }) => {
    await hand({ name: 'plan', content: 'one' });
    const now = (await journalOf(run)).map(({ kind }) => kind);
    expect(now.slice(-2)).toEqual(['files.changed', 'output.handed']);
  });
  expect(facts.filter(({ kind }) => kind === 'output.handed')).toHaveLength(1);
});

test('[PH4] [DK5] together with a signal: the signal ends the turn, an output does not', async () => {
  const signals = ['complete'] as const;
  const role = { mode: 'read', signals, parsingTools: [signalTool({ signals })] } as const;
  const { facts, outcome } = await desked([PLAN], role, async (hand, { client }) => {
    expect(client?.desk?.tools).toEqual(['signal_back', 'submit_output', 'report_progress']);
    await hand({ name: 'plan', content: 'one' });
    await hand({ signal: 'complete', stepId: 'x', summary: 'Done.' }, 'signal_back');
    expect((await hand({ name: 'plan', content: 'two' })).text).toContain('This step is over');
  });
  expect(outcome).toBe('ok');
  expect(facts.filter(({ kind }) => kind === 'output.handed')).toHaveLength(1);
});

test('[A4] another reply than the one that the turn owes is refused by name at the desk, and ends nothing', async () => {
  const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } });
  const role = { mode: 'read', parsingTools: [tool('hand_in_review'), tool('hand_in_position')] } as const;
  const { outcome, facts } = await desked({ reply: ['hand_in_review'] }, role, async (hand) => {
    expect(await hand({}, 'hand_in_position')).toEqual({
      text: expect.stringMatching(/^This turn ends with `hand_in_review`; `hand_in_position` belongs to another turn/),
      isError: true,
    });
    expect(await hand({ findings: [] }, 'hand_in_review')).toMatchObject({ isError: false });
  });
  expect(outcome).toBe('ok');
  expect(facts.flatMap((fact) => (fact.kind === 'reply.accepted' ? [fact.reply.name] : []))).toEqual([
    'hand_in_review',
  ]);
});

test('[PH4] a client that owes nothing and has no replies has no desk', async () => {
  const { outcome } = await desked(null, {}, async (_hand, { client }) => expect(client?.desk).toBeNull());
  expect(outcome).toBe('ok');
});

test('[PH4] a writing client hands in beside its own files, in the same folder', async () => {
  const { folder, facts } = await desked([PLAN], { mode: 'write' }, async (hand, { client }) => {
    writeFileSync(join(client?.place.folder ?? '', 'own.txt'), 'mine');
    await hand({ name: 'plan', content: 'one' });
  });
  expect(readFileSync(join(folder, 'own.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(join(folder, 'specs/plan.md'), 'utf8')).toBe('one');
  expect(facts.filter(({ kind }) => kind === 'files.changed')).toHaveLength(1);
});

describe.each<RoleMode>(['read', 'write'])('[L6] [PH4] the engine dies while a client (%s) hands in', (mode) => {
  test.each([1, 2, 3, 4, 5, 6])(
    'after %i appends: the next one hands in again, and the output is there',
    async (count) => {
      const { project, home } = testProject();
      const journal = createMemoryJournal();
      const dying = dyingJournal(journal, { afterAppends: count });
      const open = (given: Journal) => {
        const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
        onTestFinished(() => workspaces.close());
        const call: Actor['call'] = async (request) => {
          const hand = await handOf(request);
          const { isError } = await hand({ name: 'plan', content: 'one' });
          return says(isError === false ? 'handed in' : 'refused');
        };
        return testWorld({ journal: given, client: CLIENT_TRAITS, answer: () => says(''), call, workspaces });
      };
      const first = createEmbeddedHost(open(dying));
      const run = await first.start({ definition: planning([PLAN], { mode }), input: {}, project });
      await Promise.race([first.rest(run), dying.died]);
      const world = open(journal);
      const second = createEmbeddedHost(world);
      onTestFinished(() => second.shutdown());
      if (dying.isDead()) await second.resume(run);
      expect(await second.rest(run)).toMatchObject({ outcome: 'ok', output: 'handed in' });
      expect(readFileSync(join(world.workspaces.folderOf(run, 'main'), 'specs/plan.md'), 'utf8')).toBe('one');
      const facts = (await journal.read(run)).map(({ fact }) => fact);
      expect(facts.some(({ kind }) => kind === 'output.handed')).toBe(true);
      expect(facts.findLast((fact) => fact.kind === 'files.changed')?.tree).toBe(
        (await second.snapshot(run)).workspaces['main']?.tree,
      );
    },
  );
});

let journalOf: (run: CallRequest['run']) => Promise<readonly Fact[]>;

/** A turn of a stand-in for a client, which has only its desk. */
type Owed = readonly OwedOutput[] | Pick<TurnWork, 'reply'> | null;

async function desked(outputs: Owed, role: Partial<Role>, client: Client) {
  const { project, home } = testProject();
  const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
  const journal = createMemoryJournal();
  journalOf = async (run) => (await journal.read(run)).map(({ fact }) => fact);
  const call: Actor['call'] = async (request) => {
    await client(await handOf(request), request);
    return says('done');
  };
  const world = testWorld({ journal, client: CLIENT_TRAITS, answer: () => says(''), call, workspaces });
  const host = createEmbeddedHost(world);
  onTestFinished(async () => {
    await host.shutdown();
    await workspaces.close();
  });
  const run = await host.start({ definition: planning(outputs, role), input: {}, project });
  const { outcome, failure } = await host.rest(run);
  expect(failure).toBeNull();
  return { outcome, facts: await journalOf(run), folder: workspaces.folderOf(run, 'main') };
}

async function handOf({ client }: CallRequest): Promise<Hand> {
  const desk = client?.desk ?? null;
  if (desk === null) return () => Promise.reject(new Error('There is no desk.'));
  const connected = await connect(desk);
  return async (given, name = 'submit_output') => {
    const { text, isError } = await handIn(connected, given, name);
    return { text, ...(isError === undefined ? {} : { isError }) };
  };
}

function planning(outputs: Owed, role: Partial<Role>) {
  const owed = outputs === null || 'reply' in outputs ? outputs : { outputs: expression(JSON.stringify(outputs)) };
  return build({
    roles: { planner: role },
    states: [
      work('plan', { ...turn('planner', "'go'"), ...owed }, [to('stop', { assign: 'this.common_data.said = result' })]),
      end('stop', 'common_data.said'),
    ],
  });
}
