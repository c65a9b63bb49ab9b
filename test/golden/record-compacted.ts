// Records the golden journal of a run whose requests outgrew the model's window: `node test/golden/record-compacted.ts`.
// For a new release; what was recorded before is never recorded again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRequest } from '../../src/actors/port.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId } from '../../src/core/model/ids.ts';
import { isSummaryPrompt } from '../../src/core/look/summary-prompt.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { windowedModel } from '../../src/host/testing/windowed-model.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { runView } from '../../src/protocol/run-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';

const VERSION = process.argv[2] ?? '0.1.0';

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
let now = Date.UTC(2026, 0, 1);
const host = createEmbeddedHost({
  ...testWorld({ journal, answer, tools: [read] }),
  actorFor: () => Promise.resolve(model),
  clock: { now: () => (now += 10), alarm: () => () => undefined },
  engine: VERSION,
});
const run = runId('compacted');
await host.start({ definition, input: {}, project: '/project', run });
await host.rest(run);
await host.shutdown();

const records = await journal.read(run);
const snapshot = foldRecords(records);
const file = (ending: string): string => join(import.meta.dirname, 'journals', `${VERSION}-compacted.${ending}`);
writeFileSync(file('jsonl'), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
writeFileSync(file('view.json'), `${JSON.stringify(runView(snapshot), null, 1)}\n`);
writeFileSync(file('snapshot.json'), `${JSON.stringify(snapshot, null, 1)}\n`);
