import type { JsonObject } from '../../core/json.ts';
import type { Workflow } from '../../core/workflow.ts';
import { findWard } from '../ward/find-ward.ts';
import type { Preparation } from './driving.ts';

/** A workflow that takes `ward` and was given none gets the one of the configuration, or what the project checks itself with. */
export async function withWard(
  input: JsonObject,
  workflow: Workflow,
  { project }: Pick<Preparation, 'project'>,
): Promise<JsonObject> {
  const takesWard = workflow.inputs.some(({ name, type }) => name === 'ward' && type === 'array');
  if (!takesWard || input['ward'] !== undefined) return input;
  const ward = project.config.ward ?? (await findWard(project.root)).map(({ command }) => command);
  return { ...input, ward };
}
