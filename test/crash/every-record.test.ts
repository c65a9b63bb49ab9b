import { expect, test } from 'vitest';
import { createIsolate } from '../../src/actors/script/isolate.ts';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { toArray } from '../../src/core/model/append-list.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../../src/host/testing/coder-reviewer.ts';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../src/journal/port.ts';
import { team, teamAnswer } from './team.ts';

interface Case {
  readonly definition: Definition;
  readonly answer: (request: CallRequest) => CallReply;
}

const RUN = runId('crashed');
const isolate = createIsolate();

/** Starts the run and lets the process die at the given append; null means that it lives. */
async function drive(
  journal: Journal,
  how: Case & { readonly owner: string; readonly isResumed: boolean; readonly notes: string[] },
) {
  const world = {
    ...testWorld({ journal, answer: how.answer, tools: [noteTool(how.notes)], owner: how.owner }),
    isolate: () => Promise.resolve(isolate),
  };
  const host = createEmbeddedHost(world);
  if (how.isResumed) await host.resume(RUN);
  else await host.start({ definition: how.definition, input: {}, run: RUN, project: '.' });
  return { host, world };
}

async function wholeRun(given: Case) {
  const journal = dyingJournal(createMemoryJournal(), { afterAppends: Infinity });
  const { host } = await drive(journal, { ...given, owner: 'only', isResumed: false, notes: [] });
  const rest = await host.rest(RUN);
  const path = toArray((await host.snapshot(RUN)).path);
  return { rest, path, appends: journal.writes() };
}

const cases: readonly (readonly [string, () => Case])[] = [
  ['a loop of two agents with tools', () => ({ definition: coderReviewer(), answer: coderReviewerAnswer })],
  ['a pool, a child run, a retry, a wait and scripts', () => ({ definition: team(), answer: teamAnswer })],
];

for (const [name, make] of cases) {
  test(`[L6] ${name}: dead after any write, resumed, it ends the same and repeats nothing finished`, async () => {
    const given = make();
    const whole = await wholeRun(given);
    expect(whole.rest.outcome).toBe('ok');
    expect(whole.appends).toBeGreaterThan(8);
    for (let after = 1; after <= whole.appends; after += 1) {
      const journal = createMemoryJournal({ isAlive: (owner) => owner !== 'dead' });
      const dying = dyingJournal(journal, { afterAppends: after });
      const notes: string[] = [];
      const first = await drive(dying, { ...given, owner: 'dead', isResumed: false, notes });
      await Promise.race([first.host.rest(RUN), dying.died]);
      const answered = await answeredCalls(journal);
      if ((await journal.run(RUN))?.status === 'settled') continue;
      const second = await drive(journal, { ...given, owner: 'alive', isResumed: true, notes });
      const rest = await second.host.rest(RUN);
      expect({ after, outcome: rest.outcome, output: rest.output }).toEqual({
        after,
        outcome: 'ok',
        output: whole.rest.output,
      });
      expect(toArray((await second.host.snapshot(RUN)).path)).toEqual(whole.path);
      const repeated = second.world.calls.filter((call) => answered.has(call.idempotencyKey));
      expect({ after, repeated: repeated.map((call) => call.idempotencyKey) }).toEqual({ after, repeated: [] });
      await second.host.shutdown();
    }
  });
}

async function answeredCalls(journal: Journal): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { run } of await journal.runs()) {
    for (const { fact } of await journal.read(run)) {
      if (fact.kind === 'call.answered') keys.add(`${run}/${fact.task}/${fact.call}`);
    }
  }
  return keys;
}
