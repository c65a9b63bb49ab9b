import type { JsonObject } from '../json.ts';
import { SEVERITIES } from './finding.ts';
import { liveImplementations, type Ledger } from './ledger.ts';
import { openFindings } from './open-findings.ts';
import { STANCES } from './position.ts';
import { VERDICTS } from './review.ts';

export interface ReplySchemas {
  readonly hand_in_review: JsonObject;
  readonly hand_in_position: JsonObject;
}

/** The JSON Schemas of what reviewers hand in. With a ledger, only what is known to it may be named. */
export function replySchemas(ledger: Ledger | null): ReplySchemas {
  const implementations = ledger === null ? [] : liveImplementations(ledger);
  const open = ledger === null ? [] : openFindings(ledger).map(({ id }) => id);
  const common = { verdict: oneOf(VERDICTS, VERDICT), ranking: rankingOf(implementations) };
  const findings = { type: 'array', items: findingOf(implementations) };
  const summary = text('Two or three sentences on the whole.');
  return {
    hand_in_review: object(
      { ...common, findings: { ...findings, description: 'Everything that has to change, one entry each.' }, summary },
      ['verdict', 'ranking', 'findings', 'summary'],
    ),
    hand_in_position: object(
      {
        ...common,
        stances: stancesOf(open, ledger !== null),
        findings: { ...findings, description: 'Only what is new.' },
        test: testOf(open),
      },
      ['verdict', 'ranking', 'stances', 'findings'],
    ),
  };
}

const VERDICT =
  'APPROVE: the best one can be merged as it is. REVISE_BEST: the best one has to be revised first. REVISE_ALL: all of them.';

const text = (description: string): JsonObject => ({ type: 'string', description });

const oneOf = (values: readonly string[], description: string): JsonObject => ({
  ...text(description),
  // An empty list would allow nothing at all.
  ...(values.length === 0 ? {} : { enum: values }),
});

const orNull = (type: string, description: string): JsonObject => ({ type: [type, 'null'], description });

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const rankingOf = (implementations: readonly string[]): JsonObject => ({
  type: 'array',
  description: 'All implementations, best first.',
  items: oneOf(implementations, 'The name of an implementation.'),
  ...(implementations.length === 0
    ? {}
    : { minItems: implementations.length, maxItems: implementations.length, uniqueItems: true }),
});

const PRIORITY: JsonObject = { type: 'integer', minimum: 1, maximum: 5, description: '1 is done first, 5 last.' };

const WORDS: JsonObject = {
  severity: oneOf(SEVERITIES, 'How much it matters.'),
  priority: PRIORITY,
  claim: text('What is wrong, in a sentence that can be checked.'),
  change: text('What should be done instead.'),
};

const findingOf = (implementations: readonly string[]): JsonObject =>
  object(
    {
      implementation: oneOf(implementations, 'Which implementation it is about.'),
      ...WORDS,
      file: orNull('string', 'The file in that implementation; null when it is about no file.'),
      line: { ...orNull('integer', 'The line in the file as it is now; null when it is about no line.'), minimum: 1 },
    },
    ['implementation', 'severity', 'priority', 'file', 'line', 'claim', 'change'],
  );

function stancesOf(open: readonly string[], isKnown: boolean): JsonObject {
  const items = object(
    {
      finding: oneOf(open, 'The id of an open finding.'),
      stance: oneOf(
        STANCES,
        'agree: it stands. disagree: it was never right. fixed: it was right and the revision removed it. revise: it stands in other words.',
      ),
      reason: text('Why.'),
      change: {
        ...object(WORDS, []),
        type: ['object', 'null'],
        description: 'With revise: what should read differently.',
      },
    },
    ['finding', 'stance', 'reason'],
  );
  const none = isKnown && open.length === 0 ? { maxItems: 0 } : {};
  return { type: 'array', description: 'One for each open finding.', items, ...none };
}

const testOf = (open: readonly string[]): JsonObject => ({
  ...object(
    {
      finding: oneOf(open, 'The open finding that it settles.'),
      command: text('A command to be run in that implementation.'),
      expect: oneOf(['pass', 'fail'], 'How it ends if the finding is right.'),
    },
    ['finding', 'command', 'expect'],
  ),
  type: ['object', 'null'],
  description: 'A test that the engine should run as evidence.',
});
