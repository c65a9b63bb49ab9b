import { MAIN_WORKSPACE, workspaceOf } from '../../../src/core/model/workspace-name.ts';
import type { WorkspaceFiles } from '../../../src/core/fold/snapshot.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { Selection } from '../../model/selection.ts';

/** A set of files that agents of a run work in. */
export interface WorkspaceChoice {
  readonly workspace: string;
  readonly label: string;
  /** Who works there, each with its run. */
  readonly agents: readonly WorkspaceAgent[];
  /** Grows with every change, so what was read of an older one is out of date. */
  readonly version: number;
  readonly files: WorkspaceFiles;
  /** It holds something else than the run began with. */
  readonly isChanged: boolean;
}

export interface WorkspaceAgent {
  readonly run: string;
  readonly agent: string;
}

/** The one of the run first, which holds what was merged; then those that were changed. */
export function workspaceChoices(tree: RunTree): readonly WorkspaceChoice[] {
  const held = newestFiles(tree);
  const agents = agentsByWorkspace(tree);
  const began = tree.runs.get(tree.root)?.snapshot.files?.tree;
  const isShared = held.size > 1;
  const choices = [...held].map(([workspace, files]) => {
    const those = agents.get(workspace) ?? [];
    const label = labelOf(workspace, those, isShared);
    return { workspace, label, agents: those, version: files.version, files, isChanged: files.tree !== began };
  });
  return choices.toSorted((a, b) => rank(a) - rank(b));
}

const rank = ({ workspace, isChanged }: WorkspaceChoice): number =>
  workspace === MAIN_WORKSPACE ? 0 : isChanged ? 1 : 2;

function labelOf(workspace: string, agents: readonly WorkspaceAgent[], isShared: boolean): string {
  if (workspace === MAIN_WORKSPACE) return isShared ? 'merged (main)' : 'main';
  const names = [...new Set(agents.map(({ agent }) => agent))].join(', ');
  return names === '' || names === workspace ? workspace : `${workspace} (${names})`;
}

/** Any run of the tree may change a workspace; its number tells whose word is the newest. */
function newestFiles(tree: RunTree): ReadonlyMap<string, WorkspaceFiles> {
  const newest = new Map<string, WorkspaceFiles>();
  for (const { snapshot } of tree.runs.values()) {
    for (const [name, files] of Object.entries(snapshot.workspaces)) {
      if (files.version > (newest.get(name)?.version ?? -1)) newest.set(name, files);
    }
  }
  return new Map([...newest].filter(([, { isGone }]) => isGone !== true));
}

function agentsByWorkspace(tree: RunTree): ReadonlyMap<string, readonly WorkspaceAgent[]> {
  const found = [...tree.runs.values()].flatMap(({ run, snapshot, definition }) =>
    (definition?.workflow.agents ?? []).map((spec) => ({
      workspace: workspaceOf(snapshot, spec),
      agent: { run, agent: spec.name },
    })),
  );
  const groups = Map.groupBy(found, ({ workspace }) => workspace);
  const agents = new Map([...groups].map(([name, those]) => [name, those.map(({ agent }) => agent)]));
  const authors = mergedInto(tree).flatMap((name) => agents.get(name) ?? []);
  return agents.has(MAIN_WORKSPACE) ? agents : agents.set(MAIN_WORKSPACE, authors);
}

/** If no agent works in the run's own files, their content is the work of the agents merged into them. */
function mergedInto(tree: RunTree): readonly string[] {
  const merged = [...tree.runs.values()].flatMap(({ lines, count }) =>
    lines
      .slice(0, count)
      .flatMap(({ record: { fact } }) =>
        fact.kind === 'files.changed' && fact.workspace === MAIN_WORKSPACE && fact.from !== undefined
          ? [fact.from]
          : [],
      ),
  );
  return [...new Set(merged)];
}

/** The workspace in the address; else that of the agent there; else the merged files; else the first changed one. */
export function chosenWorkspace(
  choices: readonly WorkspaceChoice[],
  { workspace, agent }: Pick<Selection, 'workspace' | 'agent'>,
): WorkspaceChoice | null {
  return (
    choices.find((one) => one.workspace === workspace) ??
    choices.find((one) => one.isChanged && one.workspace !== MAIN_WORKSPACE && isOf(one, agent)) ??
    choices.find(({ isChanged }) => isChanged) ??
    choices[0] ??
    null
  );
}

/** The workspace in the address that the run does not have, or not any more: the files of another are no answer to that. */
export const missingWorkspace = (
  choices: readonly WorkspaceChoice[],
  { workspace }: Pick<Selection, 'workspace'>,
): string | null => (workspace === undefined || choices.some((one) => one.workspace === workspace) ? null : workspace);

const isOf = ({ agents }: WorkspaceChoice, name: string | undefined): boolean =>
  agents.some(({ agent }) => agent === name);

export const areSameChoices = (a: readonly WorkspaceChoice[], b: readonly WorkspaceChoice[]): boolean =>
  a.length === b.length && a.every((one, place) => isSame(one, b[place]));

const isSame = (a: WorkspaceChoice, b: WorkspaceChoice | undefined): boolean =>
  a.workspace === b?.workspace &&
  a.version === b.version &&
  a.isChanged === b.isChanged &&
  a.label === b.label &&
  a.agents.length === b.agents.length;
