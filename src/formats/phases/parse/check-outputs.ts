import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { ProblemReport } from '../../../source/problem-report.ts';
import type { PhasePart } from './phase-part.ts';
import { ancestorsOf, type PhaseSpec } from './phase-list.ts';

/** Outputs that could never be delivered, and those that two phases would deliver at the same time. */
export function checkOutputs(parts: readonly PhasePart[], waits: Waits, report: ProblemReport): void {
  for (const part of parts) {
    checkValues(part.spec, report);
    checkPaths(part, report);
  }
  checkTwice(parts, waits, report);
}

/** By phase: those it waits for besides those it depends on. */
export type Waits = ReadonlyMap<string, readonly string[]>;

function checkValues({ id, output, path }: PhaseSpec, report: ProblemReport): void {
  for (const [name, value] of Object.entries(output)) {
    const list: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value];
    for (const [index, one] of list.entries()) {
      if (isJsonObject(one) || (typeof one === 'string' && one.trim() !== '')) continue;
      report.error('OUTPUT_INVALID', `The output "${name}" of "${id}" is ${kindOf(one)}, which is not a file.`, {
        path: [...path, 'output', name, ...(Array.isArray(value) ? [index] : [])],
        hint: 'Give a path, a list of paths or patterns, or [] for whatever the phase changes.',
      });
    }
  }
}

function kindOf(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list in a list';
  return typeof value === 'string' ? 'an empty text' : JSON.stringify(value);
}

const OUTSIDE = /^[/\\~]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/;
/** Folders that no agent may write in. */
const RESERVED = /(?:^|[/\\])(\.git|\.troupe)(?:[/\\]|$)/i;

function checkPaths({ owed, spec }: PhasePart, report: ProblemReport): void {
  for (const { name, path, form } of owed) {
    if (path === null || form === 'changed') continue;
    const reserved = RESERVED.exec(path)?.[1];
    if (reserved === undefined && !OUTSIDE.test(path)) continue;
    const where =
      reserved === undefined ? 'outside of the project' : `in ${reserved.toLowerCase()}, where no agent may write`;
    report.error('OUTPUT_OUTSIDE', `The output "${name}" of "${spec.id}" would be ${where}: ${path}`, {
      path: [...spec.path, 'output', name],
      hint: 'Give a path below the project, such as outputs/report.json.',
    });
  }
}

/** If two parallel phases write one file, the last to finish would have to merge it with the other. */
function checkTwice(parts: readonly PhasePart[], waits: Waits, report: ProblemReport): void {
  const order = ancestorsOf(
    parts.map(({ spec }) => ({ ...spec, dependsOn: [...spec.dependsOn, ...(waits.get(spec.id) ?? [])] })),
  );
  const seen: { readonly spec: PhaseSpec; readonly path: string }[] = [];
  for (const { spec, owed, key } of parts) {
    // The single agent of a simple task never runs in parallel with the others.
    if (key !== spec.id) continue;
    for (const { name, path, form } of owed) {
      if (form !== 'file' || path === null || path.includes('${')) continue;
      const plain = path.replace(/^(?:\.\/)+/, '');
      const other = seen.find((one) => one.path === plain && isBeside(one.spec, spec, order));
      seen.push({ spec, path: plain });
      if (other === undefined) continue;
      tellTwice({ name, plain, spec, other: other.spec }, report);
    }
  }
}

function isBeside(one: PhaseSpec, other: PhaseSpec, order: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if (one.id === other.id) return false;
  return order.get(one.id)?.has(other.id) !== true && order.get(other.id)?.has(one.id) !== true;
}

interface Twice {
  readonly name: string;
  readonly plain: string;
  readonly spec: PhaseSpec;
  readonly other: PhaseSpec;
}

function tellTwice({ name, plain, spec, other }: Twice, report: ProblemReport): void {
  // Of two outputs with conditions perhaps only one is ever needed; a refused key may have set them apart.
  const isSure = [spec, other].every(({ condition }) => condition === null);
  if ([spec, other].some(({ lacks }) => lacks.size > 0)) return;
  const message = `"${spec.id}" and "${other.id}" may run at the same time, and both would write ${plain}.`;
  report[isSure ? 'error' : 'warning']('OUTPUT_DUPLICATE', message, {
    path: [...spec.path, 'output', name],
    hint: `Give each its own path, or let "${spec.id}" depend on "${other.id}".`,
  });
}
