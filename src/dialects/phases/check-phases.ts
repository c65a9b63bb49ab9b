import { nameHint } from '../source/closest-name.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import type { PhasePart } from './parse-phases.ts';
import type { PhaseFile } from './phase-list.ts';
import { ancestorsOf, circleIn } from './phase-order.ts';

/** Names that lead nowhere, circles, and templates that read what cannot be there: told before anything runs. */
export function checkPhases(file: PhaseFile, parts: readonly PhasePart[], report: ProblemReport): void {
  checkNames(file, report);
  for (const part of parts) {
    checkTemplates(part, report);
    checkReferences(part, file, report);
    checkPaths(part, report);
    checkLoop(part, report);
  }
}

function checkNames({ phases }: PhaseFile, report: ProblemReport): void {
  const ids = phases.map(({ id }) => id);
  for (const [index, { id, path, dependsOn }] of phases.entries()) {
    if (ids.indexOf(id) < index) {
      report.error('PHASE_DUPLICATE', `Two phases are called "${id}".`, { path: [...path, 'id'] });
    }
    for (const [place, name] of dependsOn.entries()) {
      if (ids.includes(name)) continue;
      report.error('PHASE_UNKNOWN', `The phase "${id}" depends on "${name}", which is no phase.`, {
        path: [...path, 'depends_on', place],
        hint: nameHint(name, ids),
      });
    }
  }
  const circle = circleIn(phases);
  if (circle === null) return;
  const first = phases.find(({ id }) => id === circle[0]);
  report.error('PHASE_CYCLE', `These phases wait for each other and can never start: ${circle.join(' -> ')}.`, {
    path: [...(first?.path ?? []), 'depends_on'],
  });
}

function checkTemplates({ read }: PhasePart, report: ProblemReport): void {
  for (const { path, text, message, offset } of read.problems) {
    const near = text.slice(offset, offset + 24);
    const place = near === '' ? 'at its end' : `near ${JSON.stringify(near)}`;
    report.error('TEMPLATE_INVALID', `This template cannot be read (${place}): ${message}`, { path });
  }
}

/** What is read must be declared by a phase that is over by then. */
function checkReferences({ read, spec }: PhasePart, file: PhaseFile, report: ProblemReport): void {
  const before = ancestorsOf(file.phases).get(spec.id) ?? new Set();
  for (const { phase, output, text, path } of read.references) {
    const outputs = Object.keys(file.phases.find(({ id }) => id === phase)?.output ?? {});
    if (!before.has(phase)) {
      report.error('PHASE_NOT_BEFORE', `\${${text}} reads from "${phase}", which "${spec.id}" does not depend on.`, {
        path,
        hint: `Add "${phase}" to its depends_on.`,
      });
    } else if (!outputs.includes(output)) {
      report.error('OUTPUT_UNKNOWN', `\${${text}} reads "${output}", which is no output of "${phase}".`, {
        path,
        hint: nameHint(output, outputs) ?? `Declare it under the output of "${phase}".`,
      });
    }
  }
}

function checkPaths({ owed, spec }: PhasePart, report: ProblemReport): void {
  for (const { name, path } of owed) {
    if (path === null || !/^[/\\~]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path)) continue;
    report.error('OUTPUT_OUTSIDE', `The output "${name}" of "${spec.id}" would be outside of the project: ${path}`, {
      path: [...spec.path, 'output', name],
      hint: 'Give a path below the project, such as outputs/report.json.',
    });
  }
}

function checkLoop({ spec }: PhasePart, report: ProblemReport): void {
  if (spec.maxIterations === null || (spec.condition !== null && spec.dependsOn.length > 0)) return;
  const what = spec.condition === null ? 'no condition' : 'nothing it depends on';
  report.error('LOOP_INVALID', `The phase "${spec.id}" has max_iterations but ${what}, so nothing would be repeated.`, {
    path: [...spec.path, 'max_iterations'],
    hint: 'Give it a condition on an output of a phase that it depends on, or take max_iterations away.',
  });
}
