import { Fault } from '../../src/core/fault.ts';
import { runId } from '../../src/core/ids.ts';
import type { Json } from '../../src/core/json.ts';
import type { Host } from '../../src/host/port.ts';
import { SAMPLE_WORKFLOWS } from './sample-workflows.ts';

/** The command line's words, done by the engine in this process. */
export async function actOn(host: Host, words: readonly string[], project: string): Promise<Json> {
  const plain = words.filter((word) => word !== '--');
  const [command = '', first = ''] = plain;
  const by = 'you';
  switch (command) {
    case 'run':
      return { kind: 'run.started', run: await start(host, first, project) };
    case 'answer':
      return await answer(host, plain.slice(1), by);
    case 'cancel':
      await host.cancel(runId(first), by, after(plain, '--reason'));
      return { kind: 'run.cancelled', run: first };
    case 'pause':
      await host.pause(runId(first), by, after(plain, '--reason'));
      return { kind: 'run.paused', run: first };
    case 'resume':
      await host.resume(runId(first));
      return { kind: 'run.resumed', run: first };
    default:
      throw new Fault('MOCK_LACKS', `The sample server cannot ${command}.`);
  }
}

/** With its options, each of which has a value, before or after its words. */
async function answer(host: Host, words: readonly string[], by: string): Promise<Json> {
  const isOption = (word: string | undefined): boolean => word === '--via' || word === '--files';
  const plain = words.filter((word, place) => !isOption(word) && !isOption(words[place - 1]));
  const [run = '', question = '', text = ''] = plain;
  const mark = after(words, '--files');
  await host.answer(runId(run), { question, answer: text, by, via: 'page', ...(mark === '' ? {} : { mark }) });
  return { kind: 'answer.taken', run };
}

async function start(host: Host, name: string, project: string): Promise<string> {
  const sample = SAMPLE_WORKFLOWS[name];
  if (sample === undefined) throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow called ${name}.`);
  return await host.start({ definition: sample.definition, input: {}, project, title: sample.about });
}

/** The value of an option, which may be joined to it. */
function after(words: readonly string[], flag: string): string {
  const joined = words.find((word) => word.startsWith(`${flag}=`));
  const place = words.indexOf(flag);
  return joined?.slice(flag.length + 1) ?? (place === -1 ? '' : (words[place + 1] ?? ''));
}
