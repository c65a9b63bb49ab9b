import { expect, test, vi } from 'vitest';
import { createMemoryJournal, defineWorkflow, type RunHandle } from '../../src/index.ts';
import { libraryProject } from './library.ts';

const roles = { writer: { systemMessage: 'You write.' } };

/** A question, a turn, and a second question. */
const twoQuestions = defineWorkflow({
  name: 'two-questions',
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'ask', question: "'Begin?'" }, transitions: ['write'] },
    write: { work: { kind: 'turn', agent: 'writer', input: "'Write.'" }, transitions: ['ask'] },
    ask: { work: { kind: 'ask', question: "'Publish it?'" }, transitions: ['done'] },
    done: { kind: 'end', output: 'last_agent_response' },
  },
});

async function seqs(events: ReturnType<RunHandle['events']>, count = Infinity): Promise<readonly number[]> {
  const given: number[] = [];
  for await (const { seq } of events) if (given.push(seq) >= count) break;
  return given;
}

test('[R3] after an early break, from: last gives every record that was not given yet', async () => {
  const { open } = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const troupe = await open({ roles });
  const run = await troupe.start(twoQuestions);
  await run.rest();
  const all = await seqs(run.events());
  const handle = await troupe.run(run.id);
  expect(await seqs(handle.events(), 2)).toEqual(all.slice(0, 2));
  const both = await Promise.all([seqs(handle.events({ from: 'last' })), seqs(handle.events({ from: 'last' }))]);
  expect(both).toEqual([all.slice(2), all.slice(2)]);
  await run.answer('yes');
  await run.rest();
  const later = await seqs(handle.events({ from: 'last' }));
  expect(later[0]).toBe(all.length + 1);
  expect(await seqs(run.events())).toEqual([...all, ...later]);
});

test('[R3] rest goes on waiting where a person answers while it looks at the run', async () => {
  const { open } = await libraryProject({ rules: [{ reply: { say: 'A draft.', delay_ms: 300 } }] });
  const journal = createMemoryJournal();
  const troupe = await open({ roles, journal });
  const run = await troupe.start(twoQuestions);
  const { questions } = await run.rest();
  const [question = ''] = questions.map(({ id }) => id);
  const read = journal.read.bind(journal);
  const spy = vi.spyOn(journal, 'read').mockImplementation(async (of, after, limit) => {
    if (after !== undefined) return await read(of, after, limit);
    spy.mockRestore();
    await run.answer('yes', { question });
    return await read(of);
  });
  const rest = await run.rest();
  expect({ status: rest.status, asked: rest.questions.map(({ text }) => text) }).toEqual({
    status: 'waiting',
    asked: ['Publish it?'],
  });
});
