import type { ProblemCode } from '../../../core/codes/problem-codes.ts';
import { closestName, nameHint } from '../../../source/closest-name.ts';
import type { ProblemReport } from '../../../source/problem-report.ts';
import { BUILTIN_NAMES, REFUSED_NAMES } from '../../../source/expression/known-names.ts';
import { parsed, parseExpressionTree } from '../../../source/expression/syntax.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { PhasePart } from './phase-part.ts';
import { checkOutputs, type Waits } from './check-outputs.ts';
import type { DeclaredOutput } from './owed-outputs.ts';
import { ancestorsOf, circleIn, type PhaseFile, type PhaseSpec } from './phase-list.ts';
import type { PlacedReference } from './phase-script.ts';
import { phaseSchema } from './phases-schema.ts';

/** A simple task is recognised by its `file` and `function`: similar names would only be part of the request. */
function checkRoute({ route }: PhaseFile, report: ProblemReport): void {
  if (route === null) return;
  const { input, path } = route;
  for (const key of Object.keys(input)) {
    const meant = KEYS.includes(key) ? undefined : (OTHER_WORDS.get(key.toLowerCase()) ?? closestName(key, KEYS));
    if (meant === undefined || Object.hasOwn(input, meant)) continue;
    report.warning('KEY_LIKELY', `The key "${key}" says nothing about where to work; "${meant}" does.`, {
      path: [...path, key],
      part: 'key',
      hint: `Did you mean "${meant}"?`,
    });
  }
}

const KEYS = ['file', 'function'];

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ...['path', 'filename', 'file_name', 'file_path', 'filepath', 'target_file'].map((word) => [word, 'file'] as const),
  ...['func', 'fn', 'method', 'function_name', 'functionname'].map((word) => [word, 'function'] as const),
]);

/** Reports unknown names, cycles, and templates that read unavailable values, before anything runs. */
export function checkPhases(checked: Checked, report: ProblemReport): void {
  const { file, parts, waits } = checked;
  checkNames(file, report);
  checkOutputs(parts, waits, report);
  checkRoute(file, report);
  for (const part of parts) {
    checkTemplates(part, report);
    checkReferences(part, checked, report);
    checkLoop(part, report);
  }
}

interface Checked {
  readonly file: PhaseFile;
  readonly parts: readonly PhasePart[];
  readonly waits: Waits;
}

function checkNames({ phases }: PhaseFile, report: ProblemReport): void {
  const ids = phases.map(({ id }) => id);
  for (const [index, { id, path, dependsOn }] of phases.entries()) {
    if (ids.indexOf(id) < index) {
      report.error('PHASE_DUPLICATE', `Two phases are called "${id}".`, { path: [...path, 'id'] });
    }
    for (const [place, name] of dependsOn.entries()) {
      if (ids.includes(name)) continue;
      report.error('PHASE_UNKNOWN', `The phase "${id}" depends on "${name}", which is not a phase.`, {
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

/** A template may only read outputs of phases that are done by then. */
function checkReferences({ read, spec }: PhasePart, { file, parts }: Checked, report: ProblemReport): void {
  const order = ancestorsOf(file.phases);
  for (const reference of read.references) {
    const { phase, text, path } = reference;
    const target = parts.find(({ key }) => key === phase);
    if (order.get(spec.id)?.has(phase) === true) {
      if (target !== undefined) checkOutput(reference, target, report);
    } else if (!isSilent(spec, 'depends_on') && !isMeant(phase, spec, file)) {
      report.error('PHASE_NOT_BEFORE', `\${${text}} reads from "${phase}", which ${notBefore(spec.id, phase)}.`, {
        path,
        hint: hintNotBefore(spec.id, phase, order),
      });
    }
  }
}

function checkOutput(reference: PlacedReference, part: PhasePart, report: ProblemReport): void {
  const { output, phase, text, path } = reference;
  const known = Object.keys(part.spec.output);
  if (known.includes(output)) checkBelow(reference, part, report);
  else if (!isSilent(part.spec, 'output')) {
    report.error('OUTPUT_UNKNOWN', `\${${text}} reads "${output}", which is not an output of "${phase}".`, {
      path,
      hint: nameHint(output, known) ?? `Declare it under the output of "${phase}".`,
    });
  }
}

/** A missing value may be under a refused or misspelt key. */
const isSilent = ({ lacks }: PhaseSpec, key: string): boolean =>
  lacks.has(key) || [...lacks].some((one) => !PHASE_KEYS.has(one));

/** A misspelt dependency is reported already. */
function isMeant(phase: string, { dependsOn }: PhaseSpec, { phases }: PhaseFile): boolean {
  const ids = phases.map(({ id }) => id);
  return dependsOn.some((name) => !ids.includes(name) && closestName(name, ids) === phase);
}

const PHASE_KEYS: ReadonlySet<string> = new Set(Object.keys(phaseSchema.shape));

const notBefore = (own: string, phase: string): string =>
  phase === own ? 'is the phase itself' : `"${own}" does not depend on`;

function hintNotBefore(own: string, phase: string, order: ReadonlyMap<string, ReadonlySet<string>>): string {
  if (phase === own) {
    return 'A phase has no outputs before it has run: read those of a phase that it depends on, or an input.';
  }
  if (order.get(phase)?.has(own) === true) {
    return `"${phase}" comes after "${own}" and cannot be read here: read a phase before it, or turn their depends_on round.`;
  }
  return `Add "${phase}" to its depends_on.`;
}

/** Only what is JSON has something below its path. */
function checkBelow({ output, below, text, path, isLenient }: PlacedReference, part: PhasePart, report: ProblemReport) {
  const owed = part.owed.filter(({ name }) => name === output);
  const [only] = owed;
  if (only === undefined || isLegible(only, owed.length, below)) return;
  const what = only.form === 'file' ? `${only.path ?? output} is no .json file` : 'it is a list of paths';
  report[isLenient ? 'warning' : 'error'](
    'OUTPUT_NOT_JSON',
    `\${${text}} reads "${below.join('.')}" of the output "${output}" of "${part.key}", but ${what}.`,
    { path, hint: `Write \${${part.key}.output.${output}} for its path, or let the phase give a .json file.` },
  );
}

function isLegible({ form, path }: DeclaredOutput, count: number, below: readonly string[]): boolean {
  const isList = form !== 'file' || count > 1;
  const [first, ...rest] = isList && /^\d+$/.test(below[0] ?? '') ? below.slice(1) : below;
  if (first === undefined || (first === 'length' && rest.length === 0)) return true;
  // The end of a template is not known yet.
  return !isList && (path === null || /\.json$|\}$/i.test(path));
}

function checkLoop({ spec }: PhasePart, report: ProblemReport): void {
  if (spec.maxIterations === null || (spec.condition !== null && spec.dependsOn.length > 0)) return;
  const what = spec.condition === null ? 'no condition' : 'nothing it depends on';
  report.error('LOOP_INVALID', `The phase "${spec.id}" has max_iterations but ${what}, so nothing would be repeated.`, {
    path: [...spec.path, 'max_iterations'],
    hint: 'Give it a condition on an output of a phase that it depends on, or take max_iterations away.',
  });
}

/**
 * Inputs are names in templates: one that is more than a name would be code, and one that is taken would hide another. Whether
 * all of them can be used.
 */
export function checkInputs(file: PhaseFile, base: SourcePath, report: ProblemReport): boolean {
  const { inputs = [] } = file.head;
  const names = Array.isArray(inputs) ? inputs : Object.keys(inputs);
  const found = names.flatMap((name, index) => {
    const why = names.indexOf(name) < index ? twice : whyNot(name, file.phases);
    return why === null ? [] : [{ ...why, name, path: [...base, 'inputs', Array.isArray(inputs) ? index : name] }];
  });
  for (const { code, why, name, path } of found) {
    report.error(code, `The input ${JSON.stringify(name)} cannot be called so: ${why}.`, {
      path,
      hint: 'Use letters, digits and underscores, as in target_file, and a name that nothing else has.',
    });
  }
  for (const { id, path } of file.phases.filter((phase) => GIVEN.has(phase.id))) {
    report.error('NAME_TAKEN', `The phase "${id}" cannot be called so: every run has an input of this name.`, {
      path: [...path, 'id'],
      hint: 'Give the phase another id.',
    });
  }
  return found.length === 0;
}

/** Inputs that need not be declared. */
const GIVEN: ReadonlySet<string> = new Set(['user_request', 'feature_name']);

interface WhyNot {
  readonly code: ProblemCode;
  readonly why: string;
}

const invalid = (why: string): WhyNot => ({ code: 'INPUT_NAME_INVALID', why });

const twice = invalid('it is there twice');

function whyNot(name: string, phases: PhaseFile['phases']): WhyNot | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return invalid('it is not a name that a template could read');
  if (phases.some(({ id }) => id === name)) return { code: 'NAME_TAKEN', why: 'a phase has this name' };
  const isTaken = BUILTIN_NAMES.has(name) || REFUSED_NAMES.has(name) || !isName(name);
  return isTaken ? invalid('the name means something else in templates') : null;
}

/** False for reserved words. */
function isName(name: string): boolean {
  const tree = parsed(() => parseExpressionTree(name));
  return tree.ok && tree.value.type === 'Identifier' && !STRICT_WORDS.has(name);
}

/** May be read as names, but not declared. */
const STRICT_WORDS: ReadonlySet<string> = new Set(['arguments', 'eval', 'let', 'static', 'yield', 'await', 'async']);
