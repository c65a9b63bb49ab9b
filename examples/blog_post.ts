import { createTaskMessage, lastVerdict, outputsOf, routeByRules, verdictOf, type Workflow } from 'troupe/stages';

/**
 * A workflow of stages: a writer drafts a post, an editor judges it and sends it back at most twice. Its functions say where
 * each message goes; the engine does everything else. Start it with: troupe start blog_post.ts "How to sharpen a knife"
 */
export const blogPost: Workflow = {
  definition: {
    name: 'blog_post',
    description: 'A post and its editor',
    version: '1.0.0',
    agents: ['writer', 'editor'],
    stages: [
      {
        name: 'draft',
        agent: 'writer',
        description: 'Write the post.',
        outputType: 'design',
        maxIterations: 3,
        iterationTrigger: 'review',
      },
      { name: 'edit', agent: 'editor', description: 'Judge the post.', inputFrom: ['draft'], outputType: 'review' },
    ],
    entryStage: 'draft',
    completionStage: 'edit',
    config: { maxDuration: 600_000, maxRevisions: 2, failureStrategy: 'continue' },
  },
  getRoles: () => ['writer', 'editor'],
  createInitialTask: (goal) => createTaskMessage('writer', 'Write a post', goal),
  routeMessage: routeByRules([
    { from: 'writer', messageType: 'design', routeTo: 'editor', updateStage: 'edit' },
    {
      from: 'editor',
      messageType: 'review',
      condition: (message) => verdictOf(message) === 'NEEDS_REVISION',
      routeTo: 'writer',
      updateStage: 'draft',
    },
    {
      from: 'editor',
      messageType: 'review',
      condition: (message) => verdictOf(message) === 'APPROVED',
      routeTo: 'orchestrator',
      updateStage: 'complete',
    },
  ]),
  isComplete: (state) => lastVerdict(state, ['edit']) === 'APPROVED',
  getNextStage: () => null,
  onStageComplete: () => undefined,
  synthesizeResult: (state) => ({
    success: lastVerdict(state, ['edit']) === 'APPROVED',
    summary: outputsOf(state, 'design').at(-1)?.message.content.body ?? '',
    artifacts: [],
  }),
};
