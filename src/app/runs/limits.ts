import type { LimitName } from '../../core/fact.ts';
import { DEFAULT_LIMITS, type Limits, type Workflow } from '../../core/workflow.ts';

/** What is wished wins over everything; else the tighter of the workflow's own limit and the configured one holds. */
export function limitsFor(workflow: Workflow, configured: Partial<Limits>, wished: Partial<Limits>): Partial<Limits> {
  const tighter = Object.entries(configured).filter(([name, value]) => {
    const own = workflow.limits[name as LimitName];
    const isDefault = own === undefined || own === (DEFAULT_LIMITS as Partial<Limits>)[name as LimitName];
    return isDefault || value < own;
  });
  return { ...Object.fromEntries(tighter), ...wished };
}
