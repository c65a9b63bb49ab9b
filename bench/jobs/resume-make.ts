import type { Actor } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost } from './world.ts';

/** Takes a run to its last turn but one, says so, and hangs there until it is killed. */
const { turns, folder, run } = settings() as { turns: number; folder: string; run: string };

const model = loopModel(turns + 2);
const quick = loopActor(model);
const actor: Actor = {
  kind: 'bench',
  call(request, options) {
    if (model.turns < turns) return quick.call(request, options);
    report({ turns: model.turns });
    return new Promise(() => setInterval(() => undefined, 1000));
  },
};
const host = benchHost(await openSqliteJournal({ home: folder }), actor);
await host.start({
  definition: teamDefinition(turns + 2),
  input: { task: 'Write a parser.' },
  project: '/',
  run: runId(run),
});
