import type { z } from 'zod';
import { FAMILY_VIEWS } from '../../formats/registry/views.ts';
import { VIEWS } from '../../protocol/operations/views.ts';
import { questionViewSchema } from '../../protocol/operations/answers/question.ts';
import { apiErrorSchema } from '../../protocol/web/api-error.ts';
import { graphViewSchema } from '../../protocol/web/graph-view.ts';
import { inboxPageSchema } from '../../protocol/web/inbox-page.ts';
import { recordLineSchema, recordPageSchema } from '../../protocol/web/record-page.ts';
import { runCardSchema, runPageSchema } from '../../protocol/web/run-card.ts';
import { searchPageSchema } from '../../protocol/web/search-page.ts';
import { streamBatchSchema } from '../../protocol/web/stream.ts';
import { treePageSchema } from '../../protocol/web/tree-page.ts';
import { workflowLineSchema, workflowPageSchema } from '../../protocol/web/workflow-page.ts';

/** Answers that the document describes once, by the name each has there. */
export const WIRE = {
  ApiError: apiErrorSchema,
  RunCard: runCardSchema,
  RunPage: runPageSchema,
  RunView: VIEWS.show.answer,
  ...familyAnswers(),
  Messages: VIEWS.messages.answer,
  Metrics: VIEWS.metrics.answer,
  Requests: VIEWS.requests.answer,
  Artifacts: VIEWS.artifacts.answer,
  Changes: VIEWS.changes.answer,
  Branches: VIEWS.branches.answer,
  RecordLine: recordLineSchema,
  RecordPage: recordPageSchema,
  StreamBatch: streamBatchSchema,
  TreePage: treePageSchema,
  InboxPage: inboxPageSchema,
  SearchPage: searchPageSchema,
  Question: questionViewSchema,
  GraphView: graphViewSchema,
  WorkflowLine: workflowLineSchema,
  WorkflowPage: workflowPageSchema,
} as const;

/** By the name of the view, which begins with a capital letter there. */
function familyAnswers(): Readonly<Record<string, z.ZodType>> {
  const views = Object.entries(FAMILY_VIEWS);
  return Object.fromEntries(views.map(([name, { answer }]) => [`${name[0]?.toUpperCase()}${name.slice(1)}`, answer]));
}
