// Records the golden journal of a run that went on with another definition: `node test/golden/record-redefined.ts`. For a new
// release; what was recorded before is never recorded again.
import { runId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { tickingClock, VERSION, writeGolden } from './recording.ts';

const BEFORE = definition('as it began', {});
const AFTER = definition('as it is now', { added: 'since then' });

/** Asks below, then an agent speaks. The later one has a conversation and a variable more, and longer memories. */
function definition(how: string, data: Readonly<Record<string, string>>): Definition {
  const ask = { kind: 'ask', question: expression("'Which?'"), choices: [] } as const;
  const below = build({ name: 'below', states: [work('ask', ask, [to('stop')]), end('stop', `'${how}'`)] });
  const whole = build({
    states: [
      work('call', { kind: 'call', workflow: 'below', input: {} }, [to('talk')]),
      work('talk', turn('coder', `'${how}'`), [to('stop')]),
      end('stop', 'this.last_agent_response'),
    ],
    data,
    library: { below: below.workflow },
  });
  if (Object.keys(data).length === 0) return whole;
  const { workflow } = whole;
  const hello = { role: 'system', content: 'Be brief.', author: 'system' } as const;
  const contexts = [
    ...workflow.contexts.map((context) => ({ ...context, maxLength: context.maxLength * 2 })),
    { name: 'more', startingMessages: [hello], maxLength: 1000 },
  ];
  return { ...whole, workflow: { ...workflow, contexts } };
}

const journal = createMemoryJournal();
const clock = tickingClock();

function opened() {
  const world = testWorld({ journal, answer: () => says('Done.') });
  return createEmbeddedHost({ ...world, clock, engine: VERSION });
}

const run = runId('redefined');
const first = opened();
await first.start({ definition: BEFORE, input: {}, project: '/project', run });
await first.rest(run);
await first.shutdown();
const second = opened();
await second.redefine(run, { definition: AFTER, by: 'ada' });
await second.resume(run);
await second.rest(run);
await second.answer(run, { answer: 'red', by: 'ada' });
await second.rest(run);
await second.shutdown();

await writeGolden(journal, run);
await writeGolden(journal, runId(`${run}/t1`), { name: 'redefined-below' });
