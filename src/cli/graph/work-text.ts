import type { Work } from '../../core/workflow.ts';

/** What a state does, in a few words. */
export function workText(work: Work): string {
  switch (work.kind) {
    case 'none':
      return '';
    case 'turn':
      return work.mode === 'ask' ? work.agent : `${work.mode} ${work.agent}`;
    case 'call':
      return `call ${work.workflow}`;
    case 'merge':
      return `merge ${work.agent}`;
    case 'pool':
      return `pool, join ${work.join.rule}`;
    default:
      return work.kind;
  }
}
