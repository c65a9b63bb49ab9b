import type { Workflow } from '../../core/workflow.ts';
import { keepDrawing } from '../source/drawing.ts';
import { drawStages } from './draw-stages.ts';
import { lowerStages } from './lower-stages.ts';
import { canLowerAgain } from './role-fallbacks.ts';
import type { StagePlan } from './stage-plan.ts';

/** The workflows of a plan; when the roles are known, the first one may be lowered again with those who step in. */
export function plannedStages(plan: StagePlan): readonly Workflow[] {
  const workflows = lowerStages(plan);
  const [whole] = workflows;
  const roles = [...new Set(plan.definition.stages.map(({ agent }) => agent))];
  if (whole === undefined) return workflows;
  canLowerAgain(whole, { roles, lower: (fallback) => lowerStages({ ...plan, fallback }) });
  keepDrawing(whole, { workflow: drawStages(plan, whole), units: {} });
  return workflows;
}
