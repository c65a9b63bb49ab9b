// Records the golden journal of a run whose requests outgrew the model's window: `node test/golden/record-compacted.ts`.
// For a new release; what was recorded before is never recorded again.
import type { CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { isSummaryPrompt } from '../../src/core/look/summary-prompt.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { windowedModel } from '../../src/host/testing/windowed-model.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { tickingClock, VERSION, writeGolden } from './recording.ts';

const definition = build({
  roles: { coder: {} },
  states: [work('code', turn('coder', "'Read them all'"), [to('stop')]), end('stop')],
});

const read = defineTool<{ file: number }>({
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { file: { type: 'integer' } }, required: ['file'] },
  repeat: 'safe',
  access: 'talk',
  run: ({ file }) => `file ${file} `.repeat(90),
});

function answer({ call, messages }: CallRequest) {
  if (isSummaryPrompt(messages.at(-1)?.content ?? '')) return says('Read so far: some files. Next: read on.');
  return call > 30 ? says('All read.') : says('', [{ id: `c${call}`, name: 'read', arguments: { file: call } }]);
}

/** Its endpoint takes less than the engine was given: it refuses once, and the window is learned. */
const model = windowedModel({ window: 2000, known: { tokens: 128_000, isConfigured: false }, answer });
const journal = createMemoryJournal();
const host = createEmbeddedHost({
  ...testWorld({ journal, answer, tools: [read] }),
  actorFor: () => Promise.resolve(model),
  clock: tickingClock(),
  engine: VERSION,
});
const run = runId('compacted');
await host.start({ definition, input: {}, project: '/project', run });
await host.rest(run);
await host.shutdown();

await writeGolden(journal, run);
