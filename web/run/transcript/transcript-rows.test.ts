import { historyOf } from '../../model/run-history.ts';
import { describe, expect, test } from 'vitest';
import { recordedTree } from '../../model/testing/recorded-tree.ts';
import { ALL, contextChoices, contextOf, entriesOfTree, rowOf, transcriptRows } from './transcript-rows.ts';

const review = recordedTree('review');
const root = review.runs.get(review.root);
if (root === undefined) throw new Error('There is no root.');
const rows = transcriptRows(historyOf(root).transcript.entries, { context: null, as: null }, review.root);
const agent = root.definition?.workflow.agents[0]?.name ?? '';

describe('[U2] the rows of a conversation', () => {
  test('a result is no separate row, and every step begins with its name', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.every(({ entry }) => entry.kind !== 'said' || entry.message.role !== 'tool')).toBe(true);
    expect(rows[0]?.step).toBe(rows[0]?.entry.state);
    expect(rows.filter(({ step }) => step !== null).length).toBeLessThan(rows.length);
  });

  test('as an agent sees it, results are messages with the name of their tool', () => {
    const seen = transcriptRows(historyOf(root).transcript.entries, { context: agent, as: agent }, review.root);
    const result = seen.find(({ entry }) => entry.kind === 'said' && entry.message.role === 'tool');
    expect(result?.caller?.toolCalls?.length).toBeGreaterThan(0);
  });

  test('what the address names is found: a record, the result of a tool, a task, a step', () => {
    const said = rows.find(({ entry }) => entry.kind === 'said' && entry.uses[0]?.result != null)?.entry;
    if (said?.kind !== 'said') throw new Error('No tool was called.');
    const place = rows.findIndex(({ entry }) => entry === said);
    expect(rowOf(rows, { seq: said.seq }, review.root)).toBe(place);
    expect(rowOf(rows, { seq: said.uses[0]?.result?.seq ?? 0 }, review.root)).toBe(place);
    expect(rows[rowOf(rows, { task: said.task ?? '' }, review.root)]?.entry.task).toBe(said.task);
    expect(rows[rowOf(rows, { state: said.state, visit: said.visit }, review.root)]?.entry.state).toBe(said.state);
    expect(rowOf(rows, {}, review.root)).toBe(-1);
    expect(rowOf(rows, { seq: said.seq, run: 'another' }, review.root)).toBe(-1);
  });

  test('a conversation is named, or that of the chosen agent or task; else all of them are meant', () => {
    expect(contextOf(root, {}, true)).toBeNull();
    expect(contextOf(root, { context: ALL }, true)).toBeNull();
    expect(contextOf(root, { agent }, true)).toBe(agent);
    const task = rows.find(({ entry }) => entry.agent === agent)?.entry.task ?? '';
    expect(contextOf(root, { task }, true)).toBe(agent);
    expect(contextOf(root, { context: 'nobody' }, true)).toBeNull();
  });

  test('a tree of runs is shown in the order of time, with the way down to each step', () => {
    const quest = recordedTree('quest');
    const all = entriesOfTree(quest);
    expect(all.every(({ at }, place) => place === 0 || at >= (all[place - 1]?.at ?? 0))).toBe(true);
    const shown = transcriptRows(all, { context: null, as: null }, quest.root);
    expect(new Set(shown.map(({ entry }) => entry.run)).size).toBeGreaterThan(1);
    expect(shown.some(({ step }) => step?.includes(' › '))).toBe(true);
    expect(contextChoices(quest)[0]).toMatchObject({ label: 'everything', context: ALL, run: quest.root });
  });
});
