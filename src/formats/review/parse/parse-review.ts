import type { Json } from '../../../core/model/json.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import type { Checked } from '../../../source/checked.ts';
import { parsePlanned } from '../../../source/parse-each.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { Origin, ProblemReport } from '../../../source/problem-report.ts';
import { lowerReview } from './lower-review.ts';
import { reviewFileSchema, reviewPlan, type ReviewPlan } from './review-plan.ts';

/** A file in which many implement and some review (PD1), one or a list of them. */
export const parseReview = (document: Json, origin: Origin): Checked<readonly Workflow[]> =>
  parsePlanned(document, origin, {
    schema: reviewFileSchema,
    plan: (read, base, { file, locate }) =>
      reviewPlan(read, { file, placeOf: (list, index) => locate([...base, list, index]) }),
    check: checkPlan,
    lower: (plan) => [lowerReview(plan)],
  });

function checkPlan(plan: ReviewPlan, base: SourcePath, report: ProblemReport): void {
  const { implementers, reviewers, quorum } = plan;
  const taken = new Set(['review', 'hybrid', 'synthesiser', 'engine', 'main', 'shared']);
  for (const [list, minds] of [
    ['implementers', implementers],
    ['reviewers', reviewers],
  ] as const) {
    for (const [index, { id }] of minds.entries()) {
      const path = [...base, list, index];
      if (taken.has(id)) {
        report.error('NAME_TAKEN', `The name "${id}" stands twice, or means something already.`, { path });
      }
      if (!/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(id)) {
        report.error('NAME_INVALID', `"${id}" cannot be a name: letters, digits, dashes and underscores, at most 40.`, {
          path,
        });
      }
      taken.add(id);
    }
  }
  if (quorum > implementers.length) {
    const message = `The quorum is ${quorum}, but there are only ${implementers.length} implementers.`;
    report.error('QUORUM_TOO_LARGE', message, { path: [...base, 'quorum'] });
  }
  if (plan.pick === 'tests' && plan.verify === '') {
    const hint = 'Give "verify", or start the run with --input verify="npm test".';
    report.warning('VERIFY_MISSING', 'The best one is picked by tests, but no command is named.', {
      path: [...base, 'pick'],
      hint,
    });
  }
  warnSame(reviewers, base, report);
}

/** Two of the same mind agree too easily. */
function warnSame(reviewers: ReviewPlan['reviewers'], base: SourcePath, report: ProblemReport): void {
  const kinds = new Set(
    reviewers.map(({ model, actor, role }) => JSON.stringify([model ?? null, actor ?? null, role ?? null])),
  );
  if (kinds.size === reviewers.length) return;
  report.warning(
    'REVIEWERS_ALIKE',
    `There are ${reviewers.length} reviewers, but only ${kinds.size} of different models.`,
    {
      path: [...base, 'reviewers'],
      hint: 'Different models find different things. It runs all the same.',
    },
  );
}
