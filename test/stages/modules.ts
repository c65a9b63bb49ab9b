import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowStage } from '../../src/formats/stages/stages.ts';

/**
 * A workflow as somebody writes it who has the document and nothing else: no import, own ids and times, Maps and Sets that its
 * functions change. Two writers, then an editor who reads both.
 */
export const DOCUMENT_ALONE = `
const definition = {
  name: 'newsletter',
  description: 'Two columns and an editor',
  version: '1.0.0',
  agents: ['writer', 'critic', 'editor'],
  stages: [
    { name: 'draft', agent: 'writer', description: 'Write it.', inputTypes: ['task', 'review'], outputType: 'artifact', maxIterations: 3 },
    { name: 'critique', agent: 'critic', description: 'Judge it.', inputFrom: ['draft'], outputType: 'review' },
    { name: 'print', agent: 'editor', description: 'Print it.', inputFrom: ['critique'], outputType: 'status' },
  ],
  entryStage: 'draft',
  completionStage: 'print',
  config: { maxDuration: 60000, maxRevisions: 2, parallelAgents: false, failureStrategy: 'abort' },
};

let count = 0;
const message = (from, to, type, body) => ({
  id: 'own-' + (count += 1), timestamp: '2024-01-01T00:00:00Z', from, to, type, priority: 'normal',
  content: { subject: type, body, metadata: {} },
});

export const newsletterWorkflow = {
  definition,
  getRoles() { return definition.agents; },
  createInitialTask(goal) { return message('orchestrator', 'writer', 'task', goal); },
  routeMessage(from, msg, state) {
    state.seen ??= new Map();
    state.voices ??= new Set();
    state.seen.set(state.currentStage, (state.seen.get(state.currentStage) || 0) + 1);
    state.voices.add(from);
    if (from === 'writer') return { messages: [{ to: 'critic', message: msg }], stageTransition: { from: 'draft', to: 'critique' } };
    if (from === 'critic') {
      const again = msg.content.metadata.verdict === 'NEEDS_REVISION';
      const to = again ? 'writer' : 'editor';
      return { messages: [{ to, message: msg }], stageTransition: { from: 'critique', to: again ? 'draft' : 'print' } };
    }
    return { messages: [] };
  },
  isComplete(state) { return state.stageHistory.some((s) => s.stageName === 'print' && s.status === 'complete'); },
  getNextStage() { return null; },
  onStageComplete(stageName, messages, state) { state.iterationCounts.set('done:' + stageName, messages.length); },
  synthesizeResult(state) {
    return {
      success: true,
      summary: [...state.voices].join(', ') + '; drafts: ' + state.seen.get('draft') + '; counts: ' +
        [...state.iterationCounts].map(([name, value]) => name + '=' + value).join(' '),
      artifacts: [...state.processedMessageIds],
    };
  },
};
`;

export interface OwnParts {
  readonly stages: readonly (Partial<WorkflowStage> & Pick<WorkflowStage, 'name' | 'agent'>)[];
  readonly config?: object;
  readonly agents?: readonly string[];
  /** The body of `routeMessage(from, message, state)`. */
  readonly route?: string;
  readonly before?: string;
}

/** A module with a small workflow called `own`. Its last stage completes it; agents are named as the stages say. */
export function writeOwn(folder: string, parts: OwnParts): string {
  const { stages, config = {}, agents = [], route = 'return { messages: [] };', before = '' } = parts;
  const full = stages.map((stage) => ({ description: 'Do it.', outputType: 'task', ...stage }));
  const all = [...new Set([...agents, ...full.flatMap(({ agent, fallback = [] }) => [agent, ...fallback])])];
  const last = full.at(-1)?.name ?? '';
  const definition = {
    name: 'own',
    description: 'A workflow of my own',
    version: '1.0.0',
    agents: all,
    stages: full,
    entryStage: full[0]?.name,
    completionStage: last,
    config: { failureStrategy: 'abort', ...config },
  };
  const path = join(folder, 'own.mjs');
  writeFileSync(
    path,
    `${before}
const definition = ${JSON.stringify(definition)};
export default {
  definition,
  getRoles: () => definition.agents,
  createInitialTask: (goal) => ({ to: definition.stages[0].agent, type: 'task', content: { subject: 'Go', body: goal } }),
  routeMessage(from, message, state) { ${route} },
  isComplete: (state) => state.stageHistory.some((one) => one.stageName === ${JSON.stringify(last)} && one.status === 'complete'),
  getNextStage: () => null,
  onStageComplete: () => undefined,
  synthesizeResult: (state) => ({
    success: state.status === 'complete',
    summary: state.stageHistory.map((one) => one.stageName + ' ' + one.status).join(', '),
    artifacts: [],
  }),
};
`,
  );
  return path;
}
