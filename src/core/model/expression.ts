import type { Json } from './json.ts';

/**
 * What conditions, inputs and scripts become: plain data that the core evaluates by itself, and that `check` can read.
 * JavaScript outside this subset is kept as source in an `isolate` node and runs in a sandbox, outside the core.
 */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'undefined' }
  /** A root name: `this`, `common_data`, `variables`, `agents`, `contexts`, `item`, … */
  | { readonly kind: 'name'; readonly name: string }
  /** The shorthand `function.NAME`: the newest parsing call of that name, or undefined; members below it never throw. */
  | { readonly kind: 'parsed-call'; readonly tool: string }
  | { readonly kind: 'member'; readonly object: Expression; readonly property: string; readonly optional: boolean }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression; readonly optional: boolean }
  /** A whole optional chain: a broken link inside makes all of it undefined. */
  | { readonly kind: 'chain'; readonly body: Expression }
  | {
      readonly kind: 'call';
      readonly object: Expression;
      readonly method: string;
      readonly arguments: readonly Expression[];
      readonly optional: boolean;
    }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'logical';
      readonly operator: '&&' | '||' | '??';
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: 'template'; readonly texts: readonly string[]; readonly values: readonly Expression[] }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Expression])[] }
  | IsolateSource;

export type UnaryOperator = '!' | '-' | '+' | 'typeof';
export type BinaryOperator = '===' | '!==' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%' | '**';

/** JavaScript that only the isolate can run. `reads` are the root names it mentions, so that only those are sent along. */
export interface IsolateSource {
  readonly kind: 'isolate';
  /** An expression, or for a script the statements; with the `function.NAME` shorthand already rewritten. */
  readonly source: string;
  readonly reads: readonly string[];
}

/** A script: plain assignments to the run's data, or source for the isolate. */
export type Program = { readonly kind: 'assignments'; readonly steps: readonly Assignment[] } | IsolateSource;

/** `common_data.a.b = value` is the path `['a', 'b']`. */
export interface Assignment {
  readonly path: readonly string[];
  readonly value: Expression;
}
