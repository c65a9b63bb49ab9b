import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Drawing, UnitNote } from '../../core/model/drawing.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { draftOf } from '../../source/checked.ts';
import { drawingOf } from '../../source/drawing.ts';
import { fixedUnits } from '../../protocol/graph/edges.ts';
import { codeHash } from '../../workspace/reached-files.ts';
import type { ProjectView } from './project-trust.ts';
import { loadFile } from './workflow-library.ts';
import { familyOf } from '../../formats/families.ts';

interface Around {
  readonly project: string;
  readonly open: () => Promise<ProjectView>;
}

/**
 * How a workflow is drawn that was perhaps read by another process, long ago. What its author wrote is no part of a definition, so
 * its file is read again; where that says something else by now, what the definition itself tells must do.
 */
export async function runDrawing(workflow: Workflow, definition: Definition, around: Around): Promise<Drawing> {
  const plain = { workflow, units: notesFrom(workflow, definition) };
  const { drawnFrom } = familyOf(workflow);
  if (workflow.name.includes('/') || drawnFrom === undefined) return plain;
  const found =
    workflow.file === undefined
      ? await familyOf(workflow).shipped?.()
      : await readAgain(workflow, workflow.file, { definition, around });
  const again = found?.find(({ name }) => name === workflow.name);
  if (again === undefined) return plain;
  const drawing = drawingOf(again);
  if (drawnFrom === 'states') return isStillSo(drawing, again, workflow) ? drawing : plain;
  return sameUnits(again, workflow) ? { workflow, units: drawing.units } : plain;
}

async function readAgain(
  { code }: Workflow,
  file: string,
  { definition: { chosen }, around }: { readonly definition: Definition; readonly around: Around },
): Promise<readonly Workflow[]> {
  const path = resolve(chosen?.folder ?? around.project, file);
  if (!existsSync(path)) return [];
  // To read code is to run it: only what the run itself runs.
  const isCode = /\.[cm]?[jt]s$/i.test(path);
  if (isCode && (code === undefined || codeHash(path).hash !== code)) return [];
  return draftOf(await loadFile(path, await around.open())) ?? [];
}

/** Stages that run as states which are there. */
const isStillSo = (drawing: Drawing, again: Workflow, workflow: Workflow): boolean =>
  drawing.workflow !== again && Object.keys(again.states).every((name) => Object.hasOwn(workflow.states, name));

const sameUnits = (one: Workflow, other: Workflow): boolean =>
  JSON.stringify(unitNames(one)) === JSON.stringify(unitNames(other));

const unitNames = ({ states }: Workflow): readonly string[] =>
  Object.values(states).flatMap((state) => fixedUnits(state).map(({ id }) => id));

/** Of a phase at least who does it. */
function notesFrom(workflow: Workflow, { library }: Definition): Readonly<Record<string, UnitNote>> {
  if (familyOf(workflow).drawnFrom !== 'units') return {};
  const units = Object.values(workflow.states).flatMap(fixedUnits);
  return Object.fromEntries(
    units.flatMap(({ id, work }) => {
      const what = work.kind === 'call' ? library[work.workflow]?.agents[0]?.role : undefined;
      return what === undefined ? [] : [[id, { what, when: null, again: [], rounds: null }] as const];
    }),
  );
}
