import { Fault } from '../../core/fault.ts';
import type { ChosenSides } from '../../host/deliver/chosen-sides.ts';

export interface GivenSides {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Whose version of which paths counts. */
export function chosenSides(given: GivenSides): ChosenSides {
  const all = SIDES.flatMap((side) => given[side].map((path) => ({ path: plainPath(path), side })));
  const empty = SIDES.find((side) => given[side].includes(''));
  if (empty !== undefined) {
    throw new Fault('USAGE', `--${empty} was given without a path.`, {
      hint: `Give a file or a folder, or everything with: --${empty} .`,
    });
  }
  const twice = all.find(({ path }, at) => all.findIndex((other) => other.path === path) !== at);
  if (twice === undefined) return { given: all };
  throw new Fault('USAGE', `It was said twice whose version of ${twice.path} counts.`, {
    hint: 'Give each path once, with --ours or with --theirs.',
  });
}

const SIDES = ['ours', 'theirs'] as const;

const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/(?<=.)\/+$/, '') || '.';
