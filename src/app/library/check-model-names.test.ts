import { expect, test } from 'vitest';
import { parseReview } from '../../formats/review/parse/parse-review.ts';
import { valueOrFault } from '../../source/checked.ts';
import { readDocument } from '../../source/read-document.ts';
import { EMPTY_CONFIG } from '../config/config.ts';
import { checkModelNames } from './check-actors.ts';

const TEXT = `name: w
implementers: [base, smrt, claude-code]
reviewers:
  - { model: nowhere, name: ann }
  - { model: opus, actor: claude-code }
  - mine
`;

test('[L3] a model that is not configured is reported once, at its line', () => {
  const { document, locate } = valueOrFault(readDocument(TEXT, { file: 'w.yaml' }), 'INTERNAL');
  const workflows = valueOrFault(parseReview(document, { file: 'w.yaml', locate }), 'INTERNAL');
  const config = { ...EMPTY_CONFIG, models: { mine: { kind: 'scripted', scenario: 'a.yaml' } } } as const;
  const problems = checkModelNames(workflows, config).map(({ at, ...rest }) => ({ ...rest, line: at?.line }));
  // The first reviewer is the synthesiser, too.
  expect(problems).toEqual([
    {
      code: 'MODEL_UNKNOWN',
      message: 'There is no model named "smrt" in the configuration.',
      severity: 'error',
      hint: 'Did you mean "smart"?',
      file: 'w.yaml',
      line: 2,
    },
    {
      code: 'MODEL_UNKNOWN',
      message: 'There is no model named "nowhere" in the configuration.',
      severity: 'error',
      hint: 'Known here: mine, base, smart, fast.',
      file: 'w.yaml',
      line: 4,
    },
  ]);
});
