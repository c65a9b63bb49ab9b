import type { Actor } from '../../src/actors/port.ts';
import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { benchHost } from './world.ts';

/** Takes the killed run over and tells when the scripted actor has answered the first new call. */
const { folder, run } = settings() as { folder: string; run: string };

const scripted = createScriptedActor({ rules: [] });
const actor: Actor = {
  kind: scripted.kind,
  async call(request, options) {
    const reply = await scripted.call(request, options);
    report({ at: performance.timeOrigin + performance.now(), seen: request.messages.length, kind: reply.kind });
    process.exit(0);
  },
};
const host = benchHost(await openSqliteJournal({ home: folder }), actor);
await host.resume(runId(run));
