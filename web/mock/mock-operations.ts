import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../src/core/model/fault.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId } from '../../src/core/model/ids.ts';
import { drawingOf } from '../../src/source/drawing.ts';
import { DefinitionStore } from '../../src/host/embedded/definition-store.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host } from '../../src/host/port.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Shown, View } from '../../src/protocol/operations/views.ts';
import type { WorkflowLine } from '../../src/protocol/web/workflow-page.ts';
import { runView } from '../../src/protocol/run-view.ts';
import type { Operations } from '../../src/server/operations.ts';
import { actOn } from './act-on.ts';
import { sampleCall } from './sample-call.ts';
import { SAMPLE_WORKFLOWS } from './sample-workflows.ts';

const PROJECT = '/home/you/sample-shop';

/** A complete world for demos: the real engine on a journal in memory, agents that speak slowly, and three runs. */
export async function createMockOperations(): Promise<Operations> {
  const journal = createMemoryJournal();
  const runCommand = () => Promise.resolve({ exitCode: 1, output: '1 test failed: slug keeps accents' });
  const world = testWorld({ journal, answer: () => CANNOT, call: sampleCall, runCommand });
  const host = createEmbeddedHost(world);
  for (const [name, { definition }] of Object.entries(SAMPLE_WORKFLOWS)) {
    await host.start({ definition, input: {}, project: PROJECT, title: `Sample: ${name.replaceAll('_', ' ')}` });
  }
  return {
    version: '0.0.0-mock',
    home: mkdtempSync(join(tmpdir(), 'troupe-mock-')),
    project: PROJECT,
    journal,
    workers: null,
    schedules: { list: () => Promise.resolve([]), remove: () => Promise.resolve() },
    look: (view) => look(host, view),
    act: (act) => actOn(host, act, PROJECT),
    // Nothing here is so large.
    pour: () => ReadableStream.from<Uint8Array>([]),
    definition: (records) => new DefinitionStore(journal).load(foldRecords(records)),
    workflows: async () => Object.keys(SAMPLE_WORKFLOWS).map(lineOf),
    workflow: async (name) => {
      const sample = SAMPLE_WORKFLOWS[name];
      if (sample === undefined) throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow called ${name}.`);
      const { workflow, roles } = sample.definition;
      const pages = Object.entries(roles).map(([key, role]) => ({
        name: key,
        role,
        prompt: role.systemMessage,
        file: null,
      }));
      const page = { ...lineOf(name), text: null, workflow, problems: [], roles: pages };
      return { page, definition: sample.definition };
    },
    drawing: async (workflow) => drawingOf(workflow),
    check: () => Promise.reject(new Fault('USAGE', 'The sample server checks no files.')),
    file: async () => null,
  };
}

const CANNOT = {
  kind: 'failed',
  failure: { code: 'ACTOR_UNKNOWN', class: 'config', message: 'No such actor.' },
} as const;

const lineOf = (name: string): WorkflowLine => ({
  name,
  description: SAMPLE_WORKFLOWS[name]?.about ?? '',
  origin: 'project',
  file: null,
  inputs: [
    {
      name: 'task',
      type: 'string',
      description: 'What is to be done',
      isRequired: false,
      default: null,
      choices: [],
      isLong: true,
    },
  ],
});

async function look<Kind extends View['kind']>(host: Host, { kind, run }: View): Promise<Shown<Kind>> {
  if (kind !== 'show') throw new Fault('USAGE', `The sample server has no ${kind}.`);
  return JSON.parse(JSON.stringify(runView(await host.snapshot(runId(run))))) as Shown<Kind>;
}
