import { parse, type AnyNode } from 'acorn';
import type { IsolateSource } from '../../core/expression.ts';
import { isReference, type NameScope } from './inspect-names.ts';
import { EVALUATE_METHOD, ROOT_NAMES, SELF_METHOD_READS, SHORTHAND_NAME } from './known-names.ts';
import { skipTrivia } from './skip-trivia.ts';
import { SourceProblem } from './source-problem.ts';
import { staticProperty, type NodeVisit } from './tree.ts';

const EVERYTHING: readonly string[] = [...[...ROOT_NAMES].filter((name) => name !== 'variables'), 'locals'];

export interface IsolateRequest {
  readonly source: string;
  readonly visits: readonly NodeVisit[];
  readonly scope: NameScope;
  /** The stretch of the source that is to run. */
  readonly from: number;
  readonly to: number;
  /** The surface is handed on as a value, so nobody can tell what is read. */
  readonly readsAll: boolean;
  /** What to put around that stretch. */
  readonly wrap: (text: string) => string;
}

/** Plain JavaScript for the isolate, with the shorthand rewritten and a list of what it looks at. */
export function isolateSource(request: IsolateRequest): IsolateSource {
  const edits = shorthandEdits(request);
  const source = request.wrap(rewritten(request, edits));
  const [first] = edits;
  if (first !== undefined) checkRewritten(source, first.at);
  return { kind: 'isolate', source, reads: request.readsAll ? EVERYTHING : readsOf(request.visits, request.scope) };
}

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

/** `function.a.b` becomes `$function.a?.b`: below the shorthand no link throws, here as in the core. */
function shorthandEdits({ source, visits }: IsolateRequest): readonly Edit[] {
  const edits: Edit[] = [];
  for (const visit of visits) {
    if (!isReference(visit) || visit.node.name !== 'function') continue;
    edits.push({ at: visit.node.start, length: 'function'.length, text: SHORTHAND_NAME });
    edits.push(...linksAbove(visit, source));
  }
  return edits.toSorted((left, right) => left.at - right.at);
}

function linksAbove(shorthand: NodeVisit, source: string): readonly Edit[] {
  const edits: Edit[] = [];
  let below = shorthand.parent;
  for (let link = below?.parent ?? null; link !== null && below !== null; link = link.parent) {
    const { node } = link;
    const continues = below.key === 'object' || below.key === 'callee' || node.type === 'ChainExpression';
    if (!continues) break;
    if (node.type === 'MemberExpression' && !node.optional) edits.push(optionalLink(node, source));
    below = link;
  }
  return edits;
}

function optionalLink(node: Extract<AnyNode, { type: 'MemberExpression' }>, source: string): Edit {
  let at = skipTrivia(source, node.object.end);
  while (source[at] === ')') at = skipTrivia(source, at + 1);
  return { at, length: node.computed ? 0 : 1, text: '?.' };
}

function rewritten({ source, from, to }: IsolateRequest, edits: readonly Edit[]): string {
  let text = '';
  let at = from;
  for (const edit of edits) {
    if (edit.at < from || edit.at >= to) continue;
    text += source.slice(at, edit.at) + edit.text;
    at = edit.at + edit.length;
  }
  return text + source.slice(at, to);
}

/** A few forms, such as a tagged template, cannot stand on an optional link. */
function checkRewritten(source: string, offset: number): void {
  try {
    parse(`(function () {\n${source}\n})`, { ecmaVersion: 2023, strict: true });
  } catch {
    throw new SourceProblem('`function.NAME` cannot be used in this way.', offset);
  }
}

function readsOf(visits: readonly NodeVisit[], scope: NameScope): readonly string[] {
  const reads = new Set(visits.flatMap((visit) => readsAt(visit, scope)));
  return EVERYTHING.filter((name) => reads.has(name));
}

function readsAt(visit: NodeVisit, scope: NameScope): readonly string[] {
  if (visit.node.type === 'ThisExpression') return readsOfSelf(visit);
  if (!isReference(visit)) return [];
  const { name } = visit.node;
  if (scope.selfNames.has(name)) return readsOfSelf(visit);
  return readsOfName(name) ?? (scope.localNames.has(name) ? ['locals'] : []);
}

function readsOfSelf({ node, parent }: NodeVisit): readonly string[] {
  const isObject = parent?.node.type === 'MemberExpression' && parent.node.object === node;
  const property = isObject ? staticProperty(parent.node) : null;
  return property === null ? EVERYTHING : (readsOfName(property) ?? ['locals']);
}

function readsOfName(name: string): readonly string[] | null {
  if (name === 'variables') return ['common_data'];
  if (name === 'function') return ['last_parsing_tool_calls'];
  if (name === EVALUATE_METHOD) return EVERYTHING;
  return ROOT_NAMES.has(name) ? [name] : (SELF_METHOD_READS.get(name) ?? null);
}
