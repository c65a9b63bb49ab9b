import {
  BUILTIN_NAMES,
  inspectNames,
  isReference,
  type NameScope,
  REFUSED_NAMES,
} from '../../../source/expression/known-names.ts';
import {
  type NodeVisit,
  type Parsed,
  parsed,
  parseExpressionTree,
  patternNames,
  SourceProblem,
  staticProperty,
} from '../../../source/expression/syntax.ts';
import { closestName } from '../../../source/closest-name.ts';

/** A piece of a text with templates: words as they stand, or the expression inside `${…}`. */
export type TemplatePart =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'code'; readonly source: string; readonly offset: number };

export type TemplateParts =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** Cuts a text at its `${…}`. Quotes, templates and braces inside an expression are minded; `\${` stands for itself. */
function templateParts(text: string): TemplateParts {
  const parts: TemplatePart[] = [];
  let words = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('\\${', at)) {
      words += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = endOfCode(text, at + 2);
      if (end === null) return { ok: false, message: 'A "${" has no "}".', offset: at };
      if (words !== '') parts.push({ kind: 'words', text: words });
      words = '';
      parts.push({ kind: 'code', source: text.slice(at + 2, end), offset: at + 2 });
      at = end + 1;
    } else {
      words += text[at];
      at += 1;
    }
  }
  if (words !== '' || parts.length === 0) parts.push({ kind: 'words', text: words });
  return { ok: true, parts };
}

const OPENING = '{[(';
const CLOSING = '}])';

/** The position of the brace that ends the expression; null without one. */
function endOfCode(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"' || char === "'" || char === '`') {
      const end = endOfQuote(text, at);
      if (end === null) return null;
      at = end;
    } else if (OPENING.includes(char)) depth += 1;
    else if (char === '}' && depth === 0) return at;
    else if (CLOSING.includes(char)) depth -= 1;
  }
  return null;
}

function endOfQuote(text: string, start: number): number | null {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return null;
}

/** A template's reference to another phase: `verification.output.report.tests_failed`. */
export interface Reference {
  readonly phase: string;
  readonly output: string;
  /** The path in its content: `tests_failed`. */
  readonly below: readonly string[];
  /** Written with `?.`: it may be missing. */
  readonly isLenient: boolean;
  /** As the author wrote it. */
  readonly text: string;
}

/** JavaScript that gives the template's value where the phase's own script stands, and what it reads. */
export interface Template {
  readonly source: string;
  readonly references: readonly Reference[];
}

/** The names that templates may use. */
export interface TemplateNames {
  readonly phases: readonly string[];
  /** Inputs of the run. */
  readonly variables: readonly string[];
}

/** Reads a text with `${…}` in it. One template alone keeps the kind of its value; among words everything is text. */
export function readTemplate(text: string, names: TemplateNames): Parsed<Template> {
  const cut = templateParts(text);
  if (!cut.ok) return cut;
  const [only, another] = cut.parts;
  const references: Reference[] = [];
  const sources: string[] = [];
  for (const part of cut.parts) {
    if (part.kind === 'words') sources.push(JSON.stringify(part.text));
    else {
      const read = readCode(part.source, names);
      if (!read.ok) return { ...read, offset: part.offset + read.offset };
      references.push(...read.value.references);
      sources.push(read.value.source);
    }
  }
  const isAlone = another === undefined && only !== undefined;
  return { ok: true, value: { source: isAlone ? sources.join('') : `$text([${sources.join(', ')}])`, references } };
}

/** One template and nothing besides: `${a} && ${b}` would be words, which always hold. */
export function readWhole(text: string, names: TemplateNames): Parsed<Template> {
  const cut = templateParts(text);
  if (!cut.ok || cut.parts.length === 1) return readTemplate(text, names);
  const message = 'A condition is one expression: write all of it in one ${…}.';
  return { ok: false, message, offset: 0 };
}

/** One expression, from inside the braces or as a whole condition. */
export function readCode(source: string, names: TemplateNames): Parsed<Template> {
  return parsed(() => {
    const tree = parseExpressionTree(source);
    const visits = inspectNames(tree, ANY_NAMES);
    refuseUnknown(visits, [...names.phases, ...names.variables]);
    const reads = visits.flatMap((visit) => readOf(visit, names));
    return { source: `(${rewritten(source, reads, tree)})`, references: reads.map(({ reference }) => reference) };
  });
}

/** Holds every name. */
class AnyName extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/** Accepts every name, because a wrong one is reported in terms of this format. */
const ANY_NAMES: NameScope = { selfNames: new Set(), localNames: new AnyName() };

function refuseUnknown(visits: readonly NodeVisit[], names: readonly string[]): void {
  const declared = visits.flatMap(({ node, key }) => (BINDING.has(key) ? patternNames(node) : []));
  const known = new Set([...names, ...declared, ...BUILTIN_NAMES]);
  const hidden = declared.find((name) => names.includes(name) || name.startsWith('$'));
  if (hidden !== undefined) {
    throw new SourceProblem(`\`${hidden}\` is a phase, an input or a name of the engine: call your own otherwise.`, 0);
  }
  for (const visit of visits) {
    if (visit.node.type === 'ThisExpression') throw new SourceProblem('A template has no `this`.', visit.node.start);
    if (!isReference(visit) || known.has(visit.node.name)) continue;
    throw new SourceProblem(unknownName(visit.node.name, names), visit.node.start);
  }
}

const BINDING: ReadonlySet<string> = new Set(['id', 'params', 'param']);

function unknownName(name: string, known: readonly string[]): string {
  const reason = REFUSED_NAMES.get(name);
  if (reason !== undefined) return `\`${name}\` is refused: ${reason}.`;
  const closest = closestName(name, known);
  const meant = closest === undefined ? '' : ` Did you mean \`${closest}\`?`;
  return `\`${name}\` is neither a phase nor an input.${meant} Your own input is declared under "inputs".`;
}

interface Read {
  readonly reference: Reference;
  readonly from: number;
  readonly to: number;
  readonly source: string;
}

/** `phase.output.name` and the plain links after it, as one call that minds what is missing. */
function readOf(visit: NodeVisit, { phases }: TemplateNames): readonly Read[] {
  if (!isReference(visit) || !phases.includes(visit.node.name)) return [];
  const phase = visit.node.name;
  const links = linksAbove(visit);
  const [output, name, ...below] = links.map(({ property }) => property);
  if (output !== 'output' || name === undefined) {
    throw new SourceProblem(`Of a phase only its outputs can be read: \`${phase}.output.NAME\`.`, visit.node.start);
  }
  const last = links.at(-1)?.visit ?? visit;
  const isCalled = last.parent?.node.type === 'MemberExpression' && last.key === 'object';
  const isLenient = links.some(({ isOptional }) => isOptional);
  const text = [phase, 'output', name, ...below].join('.');
  const options = { isDeep: isCalled || below.length > 0, isLenient };
  return [
    {
      reference: { phase, output: name, below, isLenient, text },
      from: visit.node.start,
      to: last.node.end,
      source: `$read(${[phase, name, below, text, options].map((value) => JSON.stringify(value)).join(', ')})`,
    },
  ];
}

interface Link {
  readonly visit: NodeVisit;
  readonly property: string;
  readonly isOptional: boolean;
}

/** Member accesses that are visible in the source; a method call is not one of them. */
function linksAbove(start: NodeVisit): readonly Link[] {
  const links: Link[] = [];
  for (let below: NodeVisit = start, above = start.parent; above !== null; below = above, above = above.parent) {
    const { node } = above;
    const property = below.key === 'object' ? staticProperty(node) : null;
    if (property === null || node.type !== 'MemberExpression') break;
    if (above.key === 'callee') break;
    links.push({ visit: above, property, isOptional: node.optional });
  }
  return links;
}

function rewritten(
  source: string,
  reads: readonly Read[],
  whole: { readonly start: number; readonly end: number },
): string {
  let text = '';
  let at = whole.start;
  for (const read of reads.toSorted((one, other) => one.from - other.from)) {
    text += source.slice(at, read.from) + read.source;
    at = read.to;
  }
  return text + source.slice(at, whole.end);
}
