import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../../actors/port.ts';
import { REPEATED } from '../../../core/fold/cleared-result.ts';
import { runId } from '../../../core/model/ids.ts';
import { isSummaryPrompt } from '../../../core/look/summary-prompt.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import type { Tool } from '../../../tools/port.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { windowedModel } from '../../testing/windowed-model.ts';

const tool = (name: string, property: string, content: string): Tool => ({
  spec: {
    name,
    description: name,
    parameters: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] },
  },
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve({ content, isError: false }),
});

const isSummary = ({ messages }: CallRequest): boolean => isSummaryPrompt(messages.at(-1)?.content ?? '');
const RUN = runId('noted');

/** Runs one command with this result, then reads until its conversation is compacted. */
async function afterCommand(result: string, mayEdit = false) {
  const answer = (request: CallRequest): CallReply => {
    if (isSummary(request)) return says('Summary: tests were run.');
    const [{ request: first } = { request }] = model.sent;
    if (request === first)
      return says('', [{ id: 'c1', name: 'execute_terminal', arguments: { command: 'npm test' } }]);
    const isOver = request.messages.some(({ content }) => content.includes('Summary: tests were run.'));
    const text = 'Some words. '.repeat(mayEdit ? 200 : 1);
    return isOver
      ? says('Done.')
      : says(text, [{ id: `r${request.call}`, name: 'read_file', arguments: { path: `${request.call}` } }]);
  };
  const model = windowedModel({ window: 8000, known: { mayEdit }, answer });
  const tools = [
    tool('execute_terminal', 'command', result),
    tool('read_file', 'path', 'some words of code '.repeat(100)),
  ];
  const world = testWorld({ journal: createMemoryJournal(), answer: () => says(''), tools });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) });
  const definition = build({
    roles: { coder: {} },
    states: [work('code', turn('coder', "'Make the tests pass.'"), [to('stop')]), end('stop')],
  });
  await host.start({ definition, input: {}, run: RUN, project: '.' });
  expect(await host.rest(RUN)).toMatchObject({ outcome: 'ok' });
  await host.shutdown();
  const summary = model.sent.findIndex(({ request }) => isSummary(request));
  return { before: model.sent[summary]?.text ?? '', after: model.sent.at(-1)?.text ?? '' };
}

const OUTPUT = 'ok some test\n'.repeat(150);

test('[A6] a summary names the exit code of the last command, also where its result was cleared or it was run again', async () => {
  const cleared = await afterCommand(`Exit code 0\n${OUTPUT}`, true);
  expect(cleared.before).toMatch(/\[Cleared by troupe to make room: a result of 1\d{3} characters\.\]\nExit code 0\n/);
  expect(cleared.before).toMatch(/a result of 1\d{3} characters\. Call read_file again if you need it\.\]/);
  expect(cleared.after).toContain('Last command: npm test (exit code 0)');
  const again = await afterCommand(`${REPEATED}\nExit code 1\n${OUTPUT}`);
  expect(again.after).toContain('Last command: npm test (exit code 1)');
});

test('[A6] a summary says nothing of a command whose exit code is not known', async () => {
  const results = ['Stopped after 120 s. Output until then:\nExit code 0\n', 'Your role may not run commands.'];
  for (const result of results) {
    const { after } = await afterCommand(result);
    expect(after).toContain('Summary: tests were run.');
    expect(after).not.toContain('Last command');
  }
});
