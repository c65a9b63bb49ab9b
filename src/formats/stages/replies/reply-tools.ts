import type { JsonObject } from '../../../core/model/json.ts';
import type { ParsingTool } from '../../../core/model/role.ts';
import { STAGE_VERDICTS, type MessageType } from '../rules/agent-message.ts';
import { ARTIFACT_KINDS, type ArtifactKind, type ReplyField } from '../rules/workflow-definition.ts';

/**
 * The structured replies of a stage: the one for what it has to hand in first, then those every agent has: to ask, and to say
 * that it is blocked. Calling one ends the turn.
 */
export function replyTools(outputType: MessageType, asks: readonly ReplyField[] = []): readonly ParsingTool[] {
  const always = [TOOLS.question, BLOCKED].filter(({ name }) => name !== TOOLS[outputType].name);
  return [withFields(TOOLS[outputType], asks), ...always];
}

function withFields(tool: ParsingTool, asks: readonly ReplyField[]): ParsingTool {
  if (asks.length === 0) return tool;
  const { parameters } = tool;
  const fields = Object.fromEntries(asks.map((name) => [name, FIELDS[name]]));
  const properties = { ...(parameters['properties'] as JsonObject), ...fields };
  return { ...tool, parameters: { ...parameters, properties } };
}

/** The type of message that a structured reply stands for. */
export function replyType(toolName: string): MessageType | undefined {
  return TYPES.find((type) => TOOLS[type].name === toolName);
}

/** Arguments as they should look, as JSON. `about`: the kind of artifact, or what a review is about. */
export const replyExample = (outputType: MessageType, about?: ArtifactKind | MessageType): string =>
  JSON.stringify(CLOSER_EXAMPLES[`${about} ${outputType}`] ?? EXAMPLES[outputType]);

const CLOSER_EXAMPLES: Readonly<Record<string, JsonObject>> = {
  'documentation artifact': {
    kind: 'documentation',
    files: ['docs/csv.md'],
    summary: 'How to import CSV files, with an example that was run.',
  },
  'finding review': {
    verdict: 'NEEDS_REVISION',
    summary: 'One of two claims is not backed by its source.',
    issues: [
      {
        description: 'The page describes Node 20; the claim is about Node 22. Cite the page of Node 22.',
        severity: 'major',
        location: 'Node 22 has a built-in SQLite.',
      },
    ],
  },
  'design review': {
    verdict: 'NEEDS_REVISION',
    summary: 'One requirement is not covered: empty files.',
    issues: [
      {
        description: 'No step says what an empty file gives. Add it, with a test.',
        severity: 'major',
        location: 'Steps',
      },
    ],
  },
};

const EXAMPLES: Readonly<Record<MessageType, JsonObject>> = {
  task: {
    subject: 'Import of CSV files',
    body: 'Read … and write …',
    requirements: ['An empty file gives an empty list'],
  },
  finding: {
    findings: [
      { claim: 'Node 22 has a built-in SQLite.', confidence: 'high', sources: ['https://nodejs.org/api/sqlite.html'] },
    ],
    summary: 'One finding, verified in the documentation.',
  },
  artifact: {
    kind: 'code',
    files: ['src/csv.ts', 'src/csv.test.ts'],
    summary: 'parseCsv() with tests; npm test: 12 passed.',
  },
  review: {
    verdict: 'NEEDS_REVISION',
    summary: 'One defect: an empty file crashes the parser.',
    issues: [{ description: 'parseCsv("") throws; it should give [].', severity: 'major', location: 'src/csv.ts:14' }],
  },
  design: { title: 'CSV import', body: '## Files …\n## Steps …\n## Tests …' },
  status: { status: 'blocked', summary: 'The test database cannot be reached.' },
  question: { question: 'Must files in UTF-16 be read?', choices: ['yes', 'no'] },
  result: { summary: 'Yes, with one limit.', body: '## Answer …\n## Findings …\n## Not verified …' },
};

const text = (description: string): JsonObject => ({ type: 'string', description });
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });
const oneOf = (values: readonly string[], description: string): JsonObject => ({
  type: 'string',
  enum: values,
  description,
});
const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const ISSUES: JsonObject = {
  type: 'array',
  description: 'What has to change, one entry each. NEEDS_REVISION needs at least one; empty if there is none.',
  items: object(
    {
      description: text('What is wrong, the input or condition that shows it, and what would be right.'),
      severity: oneOf(['critical', 'major', 'minor'], 'How much it matters.'),
      location: text('Where: file and line, section or claim.'),
    },
    ['description'],
  ),
};

const FINDINGS: JsonObject = {
  type: 'array',
  minItems: 1,
  items: object(
    {
      claim: text('One statement that can be checked.'),
      confidence: oneOf(
        ['high', 'medium', 'low'],
        'high: independent sources agree, or you tried it. medium: one good source. low: inferred.',
      ),
      sources: texts('URLs, or files with lines.'),
    },
    ['claim', 'confidence', 'sources'],
  ),
};

const OPTIONS: JsonObject = {
  type: 'array',
  description: 'The alternatives, if there are any.',
  items: object(
    {
      name: text('Its name.'),
      description: text('How it works.'),
      pros: texts('Arguments for it.'),
      cons: texts('Arguments against it.'),
    },
    ['name', 'description'],
  ),
};

const FIELDS: Readonly<Record<ReplyField, JsonObject>> = {
  needs: oneOf(
    ['research', 'rework'],
    'Only with NEEDS_REVISION: research if more has to be found out, rework if the work has to change.',
  ),
  planNeeded: {
    type: 'boolean',
    description: 'Only if your order asks for it: false if the work needs no detailed plan.',
  },
};

const statusFields = (statuses: readonly string[]): JsonObject =>
  object({ status: oneOf(statuses, 'Your status.'), summary: text('The reason.') }, ['status', 'summary']);

const TOOLS: Readonly<Record<MessageType, ParsingTool>> = {
  task: {
    name: 'submit_task',
    description: 'Hand in the task, written for the agent that continues with it.',
    parameters: object(
      {
        subject: text('The task in a few words.'),
        body: text('The whole task: what has to be done, and what was decided.'),
        requirements: texts('What has to be true at the end.'),
      },
      ['subject', 'body'],
    ),
  },
  finding: {
    name: 'submit_findings',
    description: 'Hand in your findings.',
    parameters: object({ findings: FINDINGS, summary: text('All findings in a few sentences.') }, [
      'findings',
      'summary',
    ]),
  },
  artifact: {
    name: 'submit_artifact',
    description: 'Hand in the files you made or changed. They must be in the workspace.',
    parameters: object(
      {
        kind: oneOf(ARTIFACT_KINDS, 'What it is.'),
        files: texts('The paths of the files that were made or changed.'),
        summary: text('What was done.'),
      },
      ['kind', 'files', 'summary'],
    ),
  },
  review: {
    name: 'submit_review',
    description: 'Hand in your verdict on the work you were given.',
    parameters: object(
      {
        verdict: oneOf(
          STAGE_VERDICTS,
          'APPROVED: the next stage can start. NEEDS_REVISION: the issues that you list have to be fixed first. REJECTED: it cannot be repaired.',
        ),
        summary: text('Why, in a few sentences.'),
        issues: ISSUES,
      },
      ['verdict', 'summary', 'issues'],
    ),
    needs: [{ when: { verdict: 'NEEDS_REVISION' }, fields: ['issues'] }],
  },
  design: {
    name: 'submit_design',
    description: 'Hand in the design or the plan.',
    parameters: object(
      {
        title: text('What it designs.'),
        body: text('The whole design, complete enough to build from.'),
        options: OPTIONS,
        recommendation: text('The option you recommend, and why.'),
      },
      ['title', 'body'],
    ),
  },
  status: {
    name: 'report_status',
    description: 'Hand in your status: complete, or blocked if you cannot go on and need a person.',
    parameters: statusFields(['blocked', 'complete']),
  },
  question: {
    name: 'ask_question',
    description: 'Ask a person, if the answer decides how to go on and cannot be found in any other way.',
    parameters: object({ question: text('The question.'), choices: texts('Answers to choose from, if any.') }, [
      'question',
    ]),
  },
  result: {
    name: 'submit_result',
    description: 'Hand in the final report.',
    parameters: object({ summary: text('The answer in a few sentences.'), body: text('The whole report.') }, [
      'summary',
      'body',
    ]),
  },
};

/** The status tool of a stage that owes no status. */
const BLOCKED: ParsingTool = {
  name: TOOLS.status.name,
  description: 'Report that you cannot go on and need a person.',
  parameters: statusFields(['blocked']),
};

const TYPES = Object.keys(TOOLS) as readonly MessageType[];
