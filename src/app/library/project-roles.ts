import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault, type Problem } from '../../core/model/fault.ts';
import { type AgentType, type AgentTypes, rolesOfTypes } from '../../source/agent-types/agent-type.ts';
import { loadRoles, loadRolesFile } from '../../source/roles/load-roles.ts';
import {
  mergeRoles,
  type PlacedRole,
  type RolePart,
  type RoleParts,
  type RolePlaces,
} from '../../source/roles/placed-role.ts';
import { findAssets, shippedAgents } from '../../formats/load-assets.ts';
import { checked, type Drafted, draftOf, hasErrors, problemsOf, refusedSource } from '../../source/checked.ts';
import { enclosingProject, pathInProject, type Project } from '../config/project.ts';
import type { ProjectView } from './project-trust.ts';
import { loadAgentTypes } from '../../source/agent-types/load-agent-types.ts';
import type { Definition } from '../../core/model/definition.ts';
import { orElse } from '../../lib/or-else.ts';

/** The types of agents that can be named in some projects: shipped ones, and what each project's `.troupe` says over them. */
export async function readProjectTypes(roots: readonly string[]): Promise<Drafted<AgentTypes>> {
  return await loadAgentTypes([findAssets(), ...roots.map((root) => join(root, '.troupe'))]);
}

/** Whether some project changes types of agents or has its own. */
const hasTypes = (roots: readonly string[]): boolean =>
  roots.some((root) => ['agent-types', 'prompts'].some((name) => existsSync(join(root, '.troupe', name))));

/** Whether a project has a word in it. */
const isOwnType = ({ files }: AgentType): boolean =>
  files.some((file) => !file.startsWith(join(findAssets(), 'agent-types')));

type Roles = Readonly<Record<string, PlacedRole>>;

/**
 * The roles that can be named here: shipped ones and types of agents, and over them what the configuration and the project say. A
 * workflow file of another project brings that one's along: its author wrote it for them.
 */
export async function loadProjectRoles(view: ProjectView, file?: string): Promise<Roles> {
  const { roles, problems } = await readProjectRoles(view, file);
  if (!hasErrors(problems)) return roles;
  throw new Fault('ROLES_INVALID', 'The roles of the project have errors.', { problems });
}

export interface ProjectRoles {
  /** Also what could be read of those that have errors. */
  readonly roles: Roles;
  /** The names of those that are not only shipped. */
  readonly own: readonly string[];
  readonly problems: readonly Problem[];
  /** False if a file could not be read, so that its roles are unknown. */
  readonly isWhole: boolean;
}

/** The same, for callers that report the problems. */
export async function readProjectRoles({ project, caller }: ProjectView, file?: string): Promise<ProjectRoles> {
  const other = file === undefined ? null : enclosingProject(dirname(file));
  const roots = other === null || other === project.root ? [project.root] : [project.root, other];
  const [{ roles: lowest, ...shipped }, ownTyped, own] = await Promise.all([
    shippedAgents(),
    hasTypes(roots) ? readProjectTypes(roots) : null,
    Promise.all(rolePlaces(project, roots).map((path) => (isFile(path) ? rolesOfFile(path) : loadRoles(path)))),
  ]);
  const types = ownTyped ?? checked(shipped.types, []);
  const results = [rolesOfTypes(draftOf(types) ?? {}, lowest), ...own];
  const layers = results.map((result) => draftOf(result) ?? {});
  const ownTypes = Object.values(draftOf(types) ?? {}).filter(isOwnType);
  const show = (path: string): string => pathInProject(path, caller.folder);
  return {
    roles: mergeRoles(lowest, ...layers.map((layer) => shownParts(layer, show)), project.supplied?.roles ?? {}),
    own: [...new Set([...ownTypes.map(({ name }) => name), ...layers.slice(1).flatMap((layer) => Object.keys(layer))])],
    problems: [types, ...results].flatMap(problemsOf).map((problem) => shownProblem(problem, show)),
    isWhole: results.every((result) => draftOf(result) !== undefined),
  };
}

/** Where a project's own roles are, those that count most last. */
export function rolePlaces({ config }: Project, roots: readonly string[]): readonly string[] {
  return [...config.roles.toReversed(), ...roots.map((root) => join(root, '.troupe', 'roles'))];
}

/** With those in a folder `roles` beside the file, for what is not known otherwise. */
export async function withRolesBeside(file: string, roles: Roles): Promise<Roles> {
  const beside = await loadRoles(join(dirname(file), 'roles'));
  // Other programs have folders of that name: what cannot be read as roles was not meant as such.
  return beside.ok ? { ...mergeRoles({}, beside.value), ...roles } : roles;
}

async function rolesOfFile(path: string): Promise<Drafted<RoleParts>> {
  const found = await loadRolesFile(path);
  const byName = Object.fromEntries((draftOf(found) ?? []).map(({ name, part }) => [name, part]));
  if (found.ok) return { ...found, value: byName };
  return found.draft === undefined ? refusedSource(found.problems) : { ...found, draft: byName };
}

type Show = (path: string) => string;

const shownProblem = (problem: Problem, show: Show): Problem =>
  problem.file === undefined ? problem : { ...problem, file: show(problem.file) };

const shownParts = (parts: RoleParts, show: Show): RoleParts =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shownPart(part, show)]));

function shownPart(part: RolePart, show: Show): RolePart {
  if (part.places === undefined) return part;
  const places = Object.entries(part.places).map(
    ([key, place]) => [key, { ...place, file: show(place.file) }] as const,
  );
  return { ...part, places: Object.fromEntries(places) satisfies RolePlaces };
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

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

const mentions = (path: string, role: string): boolean =>
  orElse(() => readFileSync(path, 'utf8').includes(role), false);
