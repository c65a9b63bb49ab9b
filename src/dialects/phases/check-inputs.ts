import { BUILTIN_NAMES, REFUSED_NAMES } from '../expression/known-names.ts';
import { parseExpressionTree } from '../expression/shorthand-parser.ts';
import { parsed } from '../expression/source-problem.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import type { SourcePath } from '../source/source-path.ts';
import type { PhaseFile } from './phase-list.ts';

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
  readonly code: string;
  readonly why: string;
}

const invalid = (why: string): WhyNot => ({ code: 'INPUT_NAME_INVALID', why });

const twice = invalid('it is there twice');

function whyNot(name: string, phases: PhaseFile['phases']): WhyNot | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return invalid('it is no name that a template could read');
  if (phases.some(({ id }) => id === name)) return { code: 'NAME_TAKEN', why: 'a phase has this name' };
  const isTaken = BUILTIN_NAMES.has(name) || REFUSED_NAMES.has(name) || !isName(name);
  return isTaken ? invalid('the name means something else in templates') : null;
}

/** Words of the language are none. */
function isName(name: string): boolean {
  const tree = parsed(() => parseExpressionTree(name));
  return tree.ok && tree.value.type === 'Identifier' && !STRICT_WORDS.has(name);
}

/** May be read as names, but not declared. */
const STRICT_WORDS: ReadonlySet<string> = new Set(['arguments', 'eval', 'let', 'static', 'yield', 'await', 'async']);
