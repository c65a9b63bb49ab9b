import { append, emptyList, type AppendList } from '../../src/core/model/append-list.ts';
import type { Message } from '../../src/core/model/message.ts';
import { viewFor } from '../../src/core/look/view.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { peakMemoryMb, report, settings } from '../harness/report.ts';
import { timedRuns } from '../harness/timed.ts';
import { expectTurns, loopModel, messageText, verdictOf } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';

/** Troupe on the memory journal; and, apart from it, what building the requests of such a run costs. */
const { turns, blind } = settings() as { turns: number; blind?: boolean };
const definition = teamDefinition(turns);

async function run(): Promise<void> {
  const model = loopModel(turns);
  const host = benchHost(createMemoryJournal(), loopActor(model, blind));
  const id = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(id));
  expectTurns(model.turns, turns);
  await host.shutdown();
}

async function buildRequests(): Promise<void> {
  let list: AppendList<Message> = emptyList();
  for (let turn = 1; turn <= turns; turn += 1) {
    const author = turn % 2 === 1 ? 'coder' : 'reviewer';
    if (viewFor(author, list, emptyList()).length !== turn - 1) throw new Error('A message is missing.');
    list = append(list, message(author, turn));
  }
}

const message = (author: string, turn: number): Message => ({
  author,
  role: author === 'coder' ? 'assistant' : 'user',
  content: messageText(author, turn),
  ...(author === 'coder'
    ? {}
    : { toolCalls: [{ id: 'verdict', name: 'review_work', arguments: { ...verdictOf(true) } }] }),
});

const whole = await timedRuns(turns, run);
const request = await timedRuns(turns, buildRequests);
report({ ...whole, request, memoryMb: peakMemoryMb() });
