import { relative } from 'node:path';
import { CHECKS_INPUT } from '../../core/model/checks-input.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { ProjectBrief } from '../../core/model/project-brief.ts';
import type { Definition } from '../../core/model/definition.ts';
import { readNotes } from '../../workspace/notes/read-notes.ts';
import { missingFolder } from '../../workspace/setup/find-setup.ts';
import type { World } from '../world.ts';
import { redacted } from './redacted-step.ts';

/** What the agents of a new run read about the project: from the first files of its workspaces, frozen in the journal. */
export async function briefProject(world: World, start: BriefedStart): Promise<ProjectBrief> {
  const { workspaces, services } = world;
  const tests = (await world.testCommands?.(start.project)) ?? [];
  const hosts = services?.web?.allow ?? [];
  const checks = checksIn(start.input);
  const known = {
    tests,
    ...(checks.length === 0 ? {} : { checks }),
    ...(hosts.length === 0 ? {} : { webHosts: hosts }),
  };
  if (!workspaces.keepsFiles) return redacted(world.secrets, known);
  const { setup } = workspaces;
  const inFiles = await readFiles(world, start, setup === undefined);
  return redacted(world.secrets, { ...known, ...(setup === undefined ? {} : { setup }), ...inFiles });
}

export interface BriefedStart {
  readonly project: string;
  readonly tree: TreeId;
  readonly definition: Definition;
  readonly input: JsonObject;
}

/** The inputs in which shipped workflows take commands that the engine runs on the work. */
function checksIn({ verify, [CHECKS_INPUT]: checks }: JsonObject): readonly string[] {
  const given = [verify, ...(Array.isArray(checks) ? checks : [])];
  return given.filter((command) => typeof command === 'string' && command.trim() !== '').map(String);
}

async function readFiles(
  { workspaces, journal, secrets }: World,
  { project, tree, definition }: BriefedStart,
  isWithoutSetup: boolean,
): Promise<Pick<ProjectBrief, 'missing' | 'notes'>> {
  const store = await workspaces.store(project);
  const entries = await store.entries(tree);
  const folder = folderIn(project, definition);
  const notes = await readNotes(store, entries, { folder, redact: (text) => secrets?.redact(text) ?? text });
  const names = new Set(Array.from(entries.keys(), (path) => path.split('/', 1)[0] ?? ''));
  const missing = isWithoutSetup ? missingFolder(names) : null;
  return {
    ...(missing === null ? {} : { missing: { folder: missing.folder, lock: missing.lock, setup: missing.command } }),
    ...(notes === '' ? {} : { notes: await journal.putBody(notes) }),
  };
}

/** The folder of the project in which the user started the run. */
function folderIn(project: string, { chosen }: Definition): string {
  const path = chosen?.folder === undefined ? '' : relative(project, chosen.folder);
  return path.startsWith('..') || path.startsWith('/') ? '' : Buffer.from(path).toString('latin1');
}
