import { BUILTIN_NAMES, REFUSED_NAMES } from '../expression/known-names.ts';
import { parseExpressionTree } from '../expression/shorthand-parser.ts';
import { parsed } from '../expression/source-problem.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import type { SourcePath } from '../source/source-path.ts';
import type { PhaseFile } from './phase-list.ts';

/** Inputs are names in templates: one that is more than a name would be code, and one that is taken would hide another. */
export function checkInputs({ head, phases }: PhaseFile, base: SourcePath, report: ProblemReport): void {
  const { inputs = [] } = head;
  const names = Array.isArray(inputs) ? inputs : Object.keys(inputs);
  for (const [index, name] of names.entries()) {
    const why = names.indexOf(name) < index ? 'it is there twice' : whyNot(name, phases);
    if (why === null) continue;
    const path = [...base, 'inputs', Array.isArray(inputs) ? index : name];
    report.error('INPUT_NAME_INVALID', `The input ${JSON.stringify(name)} cannot be called so: ${why}.`, {
      path,
      hint: 'Use letters, digits and underscores, as in target_file, and a name that nothing else has.',
    });
  }
}

function whyNot(name: string, phases: PhaseFile['phases']): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'it is no name that a template could read';
  if (phases.some(({ id }) => id === name)) return 'a phase has this name';
  const isTaken = BUILTIN_NAMES.has(name) || REFUSED_NAMES.has(name) || !isName(name);
  return isTaken ? 'the name means something else in templates' : null;
}

/** Words of the language are none. */
function isName(name: string): boolean {
  const tree = parsed(() => parseExpressionTree(name));
  return tree.ok && tree.value.type === 'Identifier' && !STRICT_WORDS.has(name);
}

/** May be read as names, but not declared. */
const STRICT_WORDS: ReadonlySet<string> = new Set(['arguments', 'eval', 'let', 'static', 'yield', 'await', 'async']);
