import {
  type AnyNode,
  type Expression,
  type Node,
  type Options,
  Parser,
  type Program,
  type TokenType,
  tokTypes,
} from 'acorn';

/** The result of parsing one expression or script; `offset` counts characters from the start of that source. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** Ends the parsing of one source at its first problem. Thrown and caught inside this folder only. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The boundary: problems become values, anything else is a defect and continues as an exception. */
export function parsed<T>(parse: () => T): Parsed<T> {
  try {
    return { ok: true, value: parse() };
  } catch (error) {
    if (error instanceof SourceProblem) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}

const TRIVIA = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;

/** Where the next token starts: after white space and comments. Nothing follows the loop in the pattern, so it never backtracks. */
export function skipTrivia(source: string, from: number): number {
  TRIVIA.lastIndex = from;
  TRIVIA.test(source);
  return TRIVIA.lastIndex;
}

/** One node with its place in the tree. */
export interface NodeVisit {
  readonly node: AnyNode;
  readonly parent: NodeVisit | null;
  /** The parent's field that holds the node. */
  readonly key: string;
  readonly depth: number;
}

const DEEPEST_TREE = 700;

/** Every node of a tree, parents before children. A loop instead of a recursion, so that depth causes a message and not a crash. */
export function visitTree(root: Node): readonly NodeVisit[] {
  const visits: NodeVisit[] = [{ node: root as AnyNode, parent: null, key: '', depth: 0 }];
  for (const visit of visits) {
    if (visit.depth > DEEPEST_TREE) throw new SourceProblem('This is nested too deeply.', visit.node.start);
    for (const [key, value] of Object.entries(visit.node) as [string, unknown][]) {
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isNode(child)) visits.push({ node: child, parent: visit, key, depth: visit.depth + 1 });
      }
    }
  }
  return visits;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

/** The names a pattern binds or assigns: one for `x`, several for `{ a, b: [c] }`. */
export function patternNames(pattern: AnyNode): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : patternNames(element)));
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    default:
      return [];
  }
}

/** The property of a member access if the source shows it: `a.b` and `a['b']`. */
export function staticProperty(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression') return null;
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : null;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : null;
}

/**
 * acorn with two changes. The word `function` before a dot is read as a name, so the shorthand `function.NAME` parses as
 * member access, by token: strings, templates, regular expressions, comments and real functions are never touched.
 * Nesting is counted, so a hostile source ends in a message and not in a stack overflow.
 */
const DEEPEST_NESTING = 1000;
const LONGEST_SOURCE = 100_000;

const OPTIONS: Options = {
  ecmaVersion: 2023,
  sourceType: 'module',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: false,
};

/** The part of acorn's parser that plugins are meant to override, which its types leave out. */
interface ParserInternals {
  readonly input: string;
  readonly type: TokenType;
  readonly start: number;
  pos: number;
  parse(): Program;
  nextToken(): void;
  eat(type: TokenType): boolean;
  unexpected(): never;
  parseExpression(): Expression;
  readWord1(): string;
  readWord(): void;
  finishToken(type: TokenType, value: string): void;
  checkUnreserved(reference: { readonly name: string }): void;
  parseStatement(...list: readonly unknown[]): unknown;
  parseMaybeAssign(...list: readonly unknown[]): unknown;
  parseMaybeUnary(...list: readonly unknown[]): unknown;
  parseExprAtom(...list: readonly unknown[]): unknown;
  parseExprOp(...list: readonly unknown[]): unknown;
  parseBindingAtom(): unknown;
}

const Base = Parser as unknown as new (options: Options, input: string) => ParserInternals;

const WORD = 'function';
const DOT = /\?\.(?!\d)|\./y;

class ShorthandParser extends Base {
  depth = 0;

  override readWord(): void {
    if (!this.isShorthand()) {
      super.readWord();
      return;
    }
    this.finishToken(tokTypes.name, this.readWord1());
  }

  isShorthand(): boolean {
    if (!this.input.startsWith(WORD, this.pos)) return false;
    DOT.lastIndex = skipTrivia(this.input, this.pos + WORD.length);
    return DOT.test(this.input);
  }

  override checkUnreserved(reference: { readonly name: string }): void {
    if (reference.name !== WORD) super.checkUnreserved(reference);
  }

  override parseStatement(...list: readonly unknown[]): unknown {
    return this.nested(5, () => super.parseStatement(...list));
  }

  override parseMaybeAssign(...list: readonly unknown[]): unknown {
    return this.nested(4, () => super.parseMaybeAssign(...list));
  }

  override parseExprAtom(...list: readonly unknown[]): unknown {
    return this.nested(1, () => super.parseExprAtom(...list));
  }

  override parseMaybeUnary(...list: readonly unknown[]): unknown {
    return this.nested(1, () => super.parseMaybeUnary(...list));
  }

  override parseExprOp(...list: readonly unknown[]): unknown {
    return this.nested(2, () => super.parseExprOp(...list));
  }

  override parseBindingAtom(): unknown {
    return this.nested(5, () => super.parseBindingAtom());
  }

  nested<T>(weight: number, parse: () => T): T {
    this.depth += weight;
    if (this.depth > DEEPEST_NESTING) throw new SourceProblem('This is nested too deeply.', this.start);
    const result = parse();
    this.depth -= weight;
    return result;
  }

  wholeExpression(): Expression {
    this.nextToken();
    if (this.type === tokTypes.eof) throw new SourceProblem('There is no expression here.', 0);
    const tree = this.parseExpression();
    this.eat(tokTypes.semi);
    if (this.type !== tokTypes.eof) this.unexpected();
    return tree;
  }
}

/** One whole expression; a semicolon at its end is accepted. */
export function parseExpressionTree(source: string): Expression {
  return attempt(source, (parser) => parser.wholeExpression());
}

export function parseProgramTree(source: string): Program {
  return attempt(source, (parser) => parser.parse());
}

/** Names and their places, as far as the source can be read; for messages about text that is not an expression. */
export function readNames(source: string, end: number): readonly { readonly name: string; readonly offset: number }[] {
  const names: { name: string; offset: number }[] = [];
  let before: TokenType | null = null;
  try {
    for (const token of Parser.tokenizer(source, OPTIONS)) {
      if (token.start > end) break;
      const isMember = before === tokTypes.dot || before === tokTypes.questionDot;
      if (token.type === tokTypes.name && !isMember) {
        names.push({ name: source.slice(token.start, token.end), offset: token.start });
      }
      before = token.type;
    }
  } catch {
    // The rest has no valid tokens; the names read so far are the answer.
  }
  return names;
}

function attempt<T>(source: string, parse: (parser: ShorthandParser) => T): T {
  if (source.length > LONGEST_SOURCE) {
    throw new SourceProblem(`This is ${source.length} characters long; at most ${LONGEST_SOURCE} are allowed.`, 0);
  }
  try {
    return parse(new ShorthandParser(OPTIONS, source));
  } catch (error) {
    throw isSyntaxError(error) ? new SourceProblem(messageOf(error), error.pos) : error;
  }
}

/** The parser gives up by itself when the stack is short, which only deep nesting makes it. */
const messageOf = (error: SyntaxError): string =>
  error.message.includes('stack space') ? 'This is nested too deeply.' : sentence(error.message);

const isSyntaxError = (error: unknown): error is SyntaxError & { readonly pos: number } =>
  error instanceof SyntaxError && 'pos' in error;

/** acorn puts line and column at the end; the caller knows the real place of the source. */
const sentence = (message: string): string => `${message.replace(/ \(\d+:\d+\)$/, '')}.`;
