import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../../core/role.ts';
import { draftOf } from '../../dialects/source/checked.ts';
import type { Project } from '../config/project.ts';
import { rolePlaces } from './project-roles.ts';
import { readProjectTypes } from './project-types.ts';

/** The project's own files that have a word in a role: its own, those of its type, and the words of that. */
export async function roleFiles(
  name: string,
  project: Project,
  definitions: readonly Definition[],
): Promise<readonly string[]> {
  const types = draftOf(await readProjectTypes([project.root])) ?? {};
  const names = [...new Set([name, ...castFrom(name, definitions)])];
  const ofTypes = names.flatMap((one) => {
    const type = types[one];
    return type === undefined
      ? []
      : [...type.files, ...type.promptIn(type.mode).flatMap(({ origin }) => origin?.file ?? [])];
  });
  const places = rolePlaces(project, [project.root]);
  const own = ofTypes.filter((file) => file.startsWith(`${project.folder}/`));
  return [...new Set([...names.flatMap((one) => places.flatMap((place) => filesIn(place, one))), ...own])];
}

/** A workflow's own role is made from another. */
function castFrom(name: string, definitions: readonly Definition[]): readonly string[] {
  const workflows = definitions.flatMap(({ workflow, library }) => [workflow, ...Object.values(library)]);
  return workflows.flatMap(({ casts = {} }) => (Object.hasOwn(casts, name) ? [casts[name]?.of ?? name] : []));
}

function filesIn(place: string, role: string): readonly string[] {
  if (/\.(?:json|ya?ml)$/i.test(place)) return mentions(place, role) ? [place] : [];
  const single = ['.json', '.yaml', '.yml', '.md', '/ROLE.md', '/CLAUDE.md', '/AGENTS.md', '/role.yaml', '/role.json'];
  const several = ['roles.json', 'roles.yaml', 'roles.yml'].map((name) => join(place, name));
  return [
    ...single.map((ending) => join(place, `${role}${ending}`)).filter((path) => existsSync(path)),
    ...several.filter((path) => mentions(path, role)),
  ];
}

function mentions(path: string, role: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(role);
  } catch {
    return false;
  }
}
