import type { Json, JsonObject } from '../../core/json.ts';
import type { Workflow } from '../../core/workflow.ts';
import { pathInProject } from '../config/project.ts';
import { refuseUnusableWard, type NamedCommand } from '../ward/check-ward.ts';
import { findWard } from '../ward/find-ward.ts';
import type { Preparation } from './session.ts';

/**
 * A workflow that takes `ward` and was given none gets the one of the configuration, or what the project checks itself with.
 * Commands that are not there are refused now, wherever they come from.
 */
export async function withWard(
  input: JsonObject,
  workflow: Workflow,
  { project, actors }: Pick<Preparation, 'project' | 'actors'>,
): Promise<JsonObject> {
  if (!takesList(workflow, 'ward')) return input;
  const ward = givenWard(input['ward']) ?? (await wardOf(project));
  refuseUnusableWard(ward, { root: project.root, environment: actors.environment });
  if (input['ward'] !== undefined) return input;
  const from = takesList(workflow, 'ward_from') ? { ward_from: ward.map((one) => one.from) } : {};
  return { ...input, ward: ward.map(({ command }) => command), ...from };
}

const takesList = ({ inputs }: Workflow, wanted: string): boolean =>
  inputs.some(({ name, type }) => name === wanted && type === 'array');

function givenWard(given: Json | undefined): readonly NamedCommand[] | null {
  if (given === undefined) return null;
  const commands = Array.isArray(given) ? given : [];
  return commands.flatMap((command: Json) => (typeof command === 'string' ? [{ command, from: '--input ward' }] : []));
}

async function wardOf({ config, configFiles, root }: Preparation['project']): Promise<readonly NamedCommand[]> {
  if (config.ward === null) return await findWard(root);
  const from = configFiles.map((file) => pathInProject(file, root)).join(' or ');
  return config.ward.map((command) => ({ command, from }));
}
