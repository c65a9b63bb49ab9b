// Records the golden journal of a run whose terms were changed, whose delivery failed once, and that was archived: `node test/golden/record-delivered.ts`.
// For a new release; what was recorded before is never recorded again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { World } from '../../src/host/world.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { tickingClock, VERSION, writeGolden } from './recording.ts';

process.umask(0o022);
const base = mkdtempSync(join(tmpdir(), 'golden-'));
const [home, project] = [join(base, 'home'), join(base, 'project')];
mkdirSync(project);
writeFileSync(join(project, 'notes.txt'), 'one\n');

const definition = build({
  roles: { worker: {} },
  states: [
    work('start', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('work')]),
    work('work', turn('worker', "'Write it'"), [to('stop')]),
    end('stop'),
  ],
});

/** Writes a file that is held back, and another one. */
function answer({ call }: CallRequest) {
  const path = ['.npmrc', 'made.txt'][call - 1];
  if (path === undefined) return says('Written.');
  return says('', [{ id: `w${call}`, name: 'write_file', arguments: { path, content: 'made\n' } }]);
}

const disk = { isFull: false };
const workspaces = createWorkspaces({ home });
const full: World['workspaces'] = {
  keepsFiles: workspaces.keepsFiles,
  begin: async (of) => {
    if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return await workspaces.begin(of);
  },
  open: (request) => workspaces.open(request),
  look: (request) => workspaces.look(request),
  store: (of) => workspaces.store(of),
  folderOf: (root, name) => workspaces.folderOf(root, name),
  release: (root, name) => workspaces.release(root, name),
  close: () => workspaces.close(),
};
const journal = createMemoryJournal();
const host = createEmbeddedHost({
  ...testWorld({ journal, answer, tools: allTools, workspaces: full }),
  clock: tickingClock(),
  engine: VERSION,
});
const run = runId('delivered');
const terms = { delivery: { to: { kind: 'own' }, by: 'ada' } } as const;
await host.start({ definition, input: {}, project, run, terms });
await host.rest(run);
disk.isFull = true;
await host.changeTerms(run, { delivery: { to: { kind: 'apply' }, by: 'ada' } }, 'ada');
await host.answer(run, { answer: 'yes', by: 'ada' });
await host.rest(run);
disk.isFull = false;
await host.resume(run);
await host.rest(run);
await host.note(run, { kind: 'result.discarded', by: 'ada' });
await host.note(run, { kind: 'result.discarded', by: 'ada', isUndone: true });
await host.note(run, { kind: 'run.archived', by: 'ada' });
await host.shutdown();
await workspaces.close();

/** Nothing of the machine it was recorded on. */
const plain = (text: string): string => text.replaceAll(project, '/project').replaceAll(/\d+ [kM]B free/g, '0 kB free');
await writeGolden(journal, run, { plain });
rmSync(base, { recursive: true });
