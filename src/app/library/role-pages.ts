import { join } from 'node:path';
import type { Definition } from '../../core/role.ts';
import { findRoleWords } from '../../dialects/agent-types/role-words.ts';
import { findAssets } from '../../dialects/shipped.ts';
import { draftOf } from '../../dialects/source/checked.ts';
import type { RolePage } from '../../protocol/web/workflow-page.ts';
import { rolePlaces } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { readProjectTypes } from './project-types.ts';

/** Who plays in a workflow, what each is told, and in which file that stands. */
export async function rolePages({ roles }: Definition, { project }: ProjectView): Promise<readonly RolePage[]> {
  const types = draftOf(await readProjectTypes([project.root])) ?? {};
  const places = [...rolePlaces(project, [project.root]).toReversed(), join(findAssets(), 'roles')];
  return await Promise.all(
    Object.entries(roles).map(async ([name, role]) => {
      const lines = await findRoleWords(role, places);
      const written = lines.find(({ origin }) => origin !== null)?.origin?.file;
      const type = Object.hasOwn(types, name) ? types[name]?.files[0] : undefined;
      return { name, role, prompt: role.systemMessage, file: written ?? type ?? null };
    }),
  );
}
