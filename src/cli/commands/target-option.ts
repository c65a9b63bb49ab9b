import { Fault } from '../../core/fault.ts';
import type { DeliverRequest } from '../../app/results/deliver-run.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, textOption } from '../invocation.ts';

type Target = NonNullable<DeliverRequest['to']>;

/** What the user named; at most one of the three. */
export function targetOption(invocation: Invocation): Target | null {
  const [branch, patch] = [textOption(invocation, 'branch'), textOption(invocation, 'patch')];
  const given: readonly (Target | null)[] = [
    branch === undefined ? null : { kind: 'branch', name: branch },
    patch === undefined ? null : { kind: 'patch', file: patch },
    flag(invocation, 'apply') ? { kind: 'apply' } : null,
  ];
  const [one, another] = given.filter((target) => target !== null);
  if (another === undefined) return one ?? null;
  throw new Fault('USAGE', 'Only one of --branch, --patch and --apply can be had at a time.', {
    hint: 'Give one of them, or none for a branch (in git) or a patch (elsewhere).',
  });
}
