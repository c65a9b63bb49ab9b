import type { CallRequest } from '../../src/actors/port.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { MergeWork } from '../../src/core/model/workflow.ts';
import { build, each, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { uses } from './bench.ts';

export const FILES = { 'notes.txt': 'one\ntwo\n', 'other.txt': 'same\n' };

export const ASK = { kind: 'ask', question: expression("'Go on?'"), choices: [] } as const;

const FAILING = { kind: 'command', command: expression("'false'"), okExitCodes: [0] } as const;

/** Each unit edits a file, asks, and merges its work home. */
export function unitsThatMerge(merge: Partial<MergeWork> = {}): Definition {
  const unit = build({
    name: 'unit',
    roles: { coder: {} },
    states: [
      work('edit', turn('coder', "'edit'"), [to('ask')]),
      work('ask', ASK, [
        to('again', { when: "result === 'again'" }),
        to('check', { when: "result === 'check'" }),
        to('done', { when: "result === 'drop'" }),
        to('home'),
      ]),
      work('check', FAILING, [to('ask')], { on: { failed: [to('ask')] } }),
      work('again', turn('coder', "'again'"), [to('ask')]),
      work('home', { kind: 'merge', agent: null, ...merge }, [to('done')], { on: { blocked: [to('done')] } }),
      end('done'),
    ],
  });
  const call = { kind: 'call', workflow: 'unit', input: {}, workspace: 'own' } as const;
  return build({
    roles: { coder: {} },
    data: { list: [{ id: 'left' }, { id: 'right' }, { id: 'third' }] },
    library: { unit: unit.workflow },
    states: [work('start', each('common_data.list', call, 3), [to('done')]), end('done')],
  });
}

/** The first two units change one file, the third another one. In the second turn the unit puts its file back. */
export function unitEdits({ run, call, state }: CallRequest) {
  if (call > 1) return says('done');
  if (state === 'again') return uses('write_file', { path: 'notes.txt', content: FILES['notes.txt'] });
  const number = run.at(-1) ?? '';
  return number === '4'
    ? uses('write_file', { path: 'other.txt', content: 'by the third\n' })
    : uses('write_file', { path: 'notes.txt', content: `one\ntwo by ${number}\n` });
}
