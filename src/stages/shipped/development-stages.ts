import type { WorkflowStage } from '../workflow-definition.ts';

/** The stages of the workflow `development`, as its table has them. */
export const developmentStages: WorkflowStage[] = [
  {
    name: 'architecture',
    agent: 'architect',
    description:
      'Design how to do the task: the approach, the files that change, how they fit the existing code, the tests.',
    inputTypes: ['task'],
    outputType: 'design',
    outputTo: ['design_review'],
    maxIterations: 1,
  },
  {
    name: 'design_review',
    agent: 'reviewer',
    description: 'Review the design. Check that it does what the task asks and can be built without further questions.',
    inputFrom: ['architecture'],
    inputTypes: ['design'],
    outputType: 'review',
    outputTo: ['design_revision', 'implementation'],
    iterationTrigger: 'design',
  },
  {
    name: 'design_revision',
    agent: 'architect',
    description:
      'Revise the design so that every issue of the review is resolved. Hand in the whole design, not only the changes.',
    inputFrom: ['architecture', 'design_review'],
    inputTypes: ['review'],
    outputType: 'design',
    outputTo: ['design_review'],
    maxIterations: 2,
    iterationTrigger: 'review',
  },
  {
    name: 'implementation',
    agent: 'developer',
    description: 'Build the approved design, with tests. Run the tests. Hand in an artifact of the kind `code`.',
    inputFrom: ['design_review'],
    inputTypes: ['design'],
    outputType: 'artifact',
    artifactKind: 'code',
    outputTo: ['code_review'],
    maxIterations: 1,
  },
  {
    name: 'code_review',
    agent: 'reviewer',
    description:
      'Review the code in the workspace. Check that it does what the design says, is correct, and is tested. The diff and the test result above come from the engine.',
    inputFrom: ['implementation'],
    inputTypes: ['artifact'],
    outputType: 'review',
    outputTo: ['code_revision', 'documentation'],
    iterationTrigger: 'artifact',
  },
  {
    name: 'code_revision',
    agent: 'developer',
    description: 'Fix every issue that the review names. Run the tests. Hand in an artifact of the kind `code`.',
    inputFrom: ['implementation', 'code_review'],
    inputTypes: ['review'],
    outputType: 'artifact',
    artifactKind: 'code',
    outputTo: ['code_review'],
    maxIterations: 3,
    iterationTrigger: 'review',
  },
  {
    name: 'documentation',
    agent: 'developer',
    description:
      'Document what was built, in files. Do not change code. Hand in an artifact of the kind `documentation`.',
    inputFrom: ['code_review'],
    inputTypes: ['artifact'],
    outputType: 'artifact',
    artifactKind: 'documentation',
    maxIterations: 1,
  },
];
