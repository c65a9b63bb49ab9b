import { Fault } from '../../src/core/model/fault.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Host } from '../../src/host/port.ts';
import type { Act } from '../../src/protocol/operations/acts.ts';
import { SAMPLE_WORKFLOWS } from './sample-workflows.ts';

/** Done by the engine in this process. */
export async function actOn(host: Host, act: Act, project: string): Promise<Json> {
  const by = 'you';
  switch (act.kind) {
    case 'start':
      return { kind: 'run.started', run: await start(host, act.workflow, project) };
    case 'answer': {
      const mark = act.files === undefined ? {} : { mark: act.files };
      await host.answer(runId(act.run), { question: act.question, answer: act.text, by, via: 'page', ...mark });
      return { kind: 'answer.taken', run: act.run };
    }
    case 'cancel':
      await host.cancel(runId(act.run), by, act.reason ?? '');
      return { kind: 'run.cancelled', run: act.run };
    case 'pause':
      await host.pause(runId(act.run), by, act.reason ?? '');
      return { kind: 'run.paused', run: act.run };
    case 'resume':
      await host.resume(runId(act.run));
      return { kind: 'run.resumed', run: act.run };
    default:
      throw new Fault('USAGE', `The sample server cannot ${act.kind}.`);
  }
}

async function start(host: Host, name: string, project: string): Promise<string> {
  const sample = SAMPLE_WORKFLOWS[name];
  if (sample === undefined) throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow called ${name}.`);
  return await host.start({ definition: sample.definition, input: {}, project, title: sample.about });
}
