import type { JsonObject } from '../../core/json.ts';
import type { ParsingTool } from '../../core/role.ts';
import { VERDICTS, type MessageType } from '../agent-message.ts';
import { ARTIFACT_KINDS } from '../workflow-definition.ts';

/**
 * The structured replies of a stage: the one for what it has to hand in first, then those every agent has: to ask, and to say
 * that it is blocked. Calling one ends the turn.
 */
export function replyTools(outputType: MessageType): readonly ParsingTool[] {
  const always = [TOOLS.question, TOOLS.status].filter((tool) => tool !== TOOLS[outputType]);
  return [TOOLS[outputType], ...always];
}

/** The type of message that a structured reply stands for. */
export function replyType(toolName: string): MessageType | undefined {
  return TYPES.find((type) => TOOLS[type].name === toolName);
}

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
  description: 'What has to change, one entry each.',
  items: object(
    {
      description: text('What is wrong, and what would be right.'),
      severity: oneOf(['critical', 'major', 'minor'], 'How much it matters.'),
      location: text('Where: a file and line, a section, a claim.'),
    },
    ['description'],
  ),
};

const FINDINGS: JsonObject = {
  type: 'array',
  minItems: 1,
  items: object(
    {
      claim: text('What was found out, in a sentence that can be checked.'),
      confidence: oneOf(['high', 'medium', 'low'], 'How sure you are.'),
      sources: texts('Where it comes from: URLs, files with lines.'),
    },
    ['claim', 'confidence', 'sources'],
  ),
};

const OPTIONS: JsonObject = {
  type: 'array',
  description: 'The alternatives, where there are any.',
  items: object(
    {
      name: text('What it is called.'),
      description: text('How it works.'),
      pros: texts('What speaks for it.'),
      cons: texts('What speaks against it.'),
    },
    ['name', 'description'],
  ),
};

const TOOLS: Readonly<Record<MessageType, ParsingTool>> = {
  task: {
    name: 'submit_task',
    description: 'Hand in the task as whoever goes on with it should read it.',
    parameters: object(
      {
        subject: text('The task in a few words.'),
        body: text('The whole task: what has to be done, and what was decided.'),
        requirements: texts('What has to be true at the end.'),
        planNeeded: { type: 'boolean', description: 'False when what was decided needs no detailed plan.' },
      },
      ['subject', 'body'],
    ),
  },
  finding: {
    name: 'submit_findings',
    description: 'Hand in what you found out.',
    parameters: object({ findings: FINDINGS, summary: text('All of it in a few sentences.') }, ['findings', 'summary']),
  },
  artifact: {
    name: 'submit_artifact',
    description: 'Hand in what you made. The files must be in the workspace.',
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
    description: 'Hand in your verdict on what you were given.',
    parameters: object(
      {
        verdict: oneOf(
          VERDICTS,
          'APPROVED: it can be gone on with. NEEDS_REVISION: the issues have to be settled first. REJECTED: it cannot be saved.',
        ),
        summary: text('Why, in a few sentences.'),
        issues: ISSUES,
        needs: oneOf(
          ['research', 'rework'],
          'On a revision: whether more has to be found out, or the work be changed.',
        ),
        planNeeded: { type: 'boolean', description: 'False when what you approve needs no detailed plan.' },
      },
      ['verdict', 'summary', 'issues'],
    ),
  },
  design: {
    name: 'submit_design',
    description: 'Hand in the design or the plan.',
    parameters: object(
      {
        title: text('What it designs.'),
        body: text('The whole design, as whoever builds it needs it.'),
        options: OPTIONS,
        recommendation: text('Which option you would take, and why.'),
      },
      ['title', 'body'],
    ),
  },
  status: {
    name: 'report_status',
    description: 'Say that you are blocked and cannot go on without a person, or that everything is complete.',
    parameters: object(
      { status: oneOf(['blocked', 'complete'], 'Where you stand.'), summary: text('What is the matter.') },
      ['status', 'summary'],
    ),
  },
  question: {
    name: 'ask_question',
    description: 'Ask a person, when the answer decides how to go on and cannot be found out otherwise.',
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

const TYPES = Object.keys(TOOLS) as readonly MessageType[];
