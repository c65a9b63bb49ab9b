import { Fault } from '../../core/fault.ts';
import type { ChosenSides } from '../../host/deliver/chosen-sides.ts';
import type { Invocation } from '../command-spec.ts';
import { listOption } from '../invocation.ts';

/** `--ours PATH` and `--theirs PATH`. */
export function sidesOption(invocation: Invocation): ChosenSides {
  const given = (['ours', 'theirs'] as const).flatMap((side) =>
    listOption(invocation, side).map((path) => ({ path: plainPath(path), side })),
  );
  const empty = (['ours', 'theirs'] as const).find((side) => listOption(invocation, side).includes(''));
  if (empty !== undefined) {
    throw new Fault('USAGE', `--${empty} was given without a path.`, {
      hint: `Give a file or a folder, or everything with: --${empty} .`,
    });
  }
  const twice = given.find(({ path }, at) => given.findIndex((other) => other.path === path) !== at);
  if (twice === undefined) return { given };
  throw new Fault('USAGE', `It was said twice whose version of ${twice.path} counts.`, {
    hint: 'Give each path once, with --ours or with --theirs.',
  });
}

const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/(?<=.)\/+$/, '') || '.';
