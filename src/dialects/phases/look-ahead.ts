import type { State } from '../../core/workflow.ts';
import { code, to, workState } from '../source/model-parts.ts';
import type { NamedFile } from './named-files.ts';

/** The state that looks for the files which the author names; a word to the person, and the run goes on. */
export function lookingAhead(files: readonly NamedFile[], next: string): readonly State[] {
  if (files.length === 0) return [];
  const where = [...Map.groupBy(files, ({ path }) => path)].map(
    ([path, group]) => [path, group.map((one) => one.where).join(', ')] as const,
  );
  const notice = `() => {
    const where = ${JSON.stringify(Object.fromEntries(where))};
    const told = result.missing.map(({ path, why }) => why + ' The input of ' + where[path] + ' names it.');
    if (told.length > 0) this.common_data.notices = [...(this.common_data.notices ?? []), told.join(' ')];
  }`;
  const input = code(`({ files: ${JSON.stringify(where.map(([path]) => path))} })`);
  return [
    workState(
      LOOKING,
      { kind: 'compute', program: 'files.missing', input },
      { transitions: [to(next, null, notice)], on: { failed: [to(next)], crashed: [to(next)] } },
    ),
  ];
}

export const LOOKING = 'inputs';
