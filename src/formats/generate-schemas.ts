import * as z from 'zod/mini';
import type { Json } from '../core/model/json.ts';
import { agentTypeSchema } from '../source/agent-types/parse-agent-type.ts';
import { questFileSchema } from './quest/parse/quest-schema.ts';
import { planFileSchema } from '../source/task-list.ts';
import { phasesFileSchema } from './phases/parse/phases-schema.ts';
import { reviewFileSchema } from './review/parse/review-plan.ts';
import { rolesFileSchema } from '../source/roles/role-schema.ts';
import { workflowFileSchema } from './state-machine/workflow-schema.ts';

/** The schemas that editors use to complete and check files (U3), by the name of their file. A new format is one more entry. */
const SCHEMAS: Readonly<Record<string, { readonly title: string; readonly schema: z.ZodMiniType }>> = {
  'workflow.schema.json': { title: 'Troupe workflow', schema: workflowFileSchema },
  'agent-type.schema.json': { title: 'Troupe agent type', schema: agentTypeSchema },
  'tasks.schema.json': { title: 'Tasks of a plan', schema: planFileSchema },
  'phases.schema.json': { title: 'Troupe phases', schema: phasesFileSchema },
  'quest.schema.json': { title: 'Troupe quest', schema: questFileSchema },
  'review.schema.json': { title: 'Troupe review', schema: reviewFileSchema },
  'roles.schema.json': { title: 'Troupe roles', schema: rolesFileSchema },
};

/** Draft 07, because that is what editors understand. The text of each file, ready to be written. */
export function generateSchemas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([file, { title, schema }]) => {
      const generated = z.toJSONSchema(schema, { target: 'draft-07', io: 'input' });
      return [file, `${JSON.stringify({ title, ...(generated as Record<string, Json>) }, null, 2)}\n`];
    }),
  );
}
