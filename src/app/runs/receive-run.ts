import { Fault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { receiveProject } from '../../workspace/travel/send-project.ts';
import { receiveTools } from '../../workspace/travel/sent-tools.ts';
import type { OpenStore } from '../world/store.ts';
import { neededServers } from '../workers/needs.ts';
import type { RunElsewhere } from '../world/world.ts';

/** Gets what a run needs whose project is on another machine; its files follow when they are needed. PROJECT_ELSEWHERE. */
export async function receiveRun({ home, journal, files }: OpenStore, run: RunId): Promise<RunElsewhere> {
  const root = rootRunId(run);
  const { origin, project, brief } = foldRecords(await journal.read(root, 0, 1));
  if (origin === null || files === undefined) throw notSent(root, project);
  await receiveProject({ home, shared: files }, { root, rules: origin.rules });
  const { tools } = origin;
  const received = tools === undefined ? null : await receiveTools({ home, shared: files }, { root, tools });
  const servers = neededServers((await journal.run(root))?.needs ?? []);
  return { origin, setup: brief?.setup, tests: brief?.tests ?? [], tools: received, servers };
}

const notSent = (run: RunId, project: string): Fault =>
  new Fault('PROJECT_ELSEWHERE', `Run ${run} belongs to ${project}, which was not sent to workers.`, {
    hint: 'Continue with it on the machine that has this folder.',
  });
